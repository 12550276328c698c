import { describe, expect, it } from "vitest";
import { donchian } from "../../../src/analytics/indicators/donchian.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("donchian", () => {
  it("excludes the current bar", () => {
    expect(donchian(of(5, 7, 6, 9), of(3, 4, 2, 1), 2)).toEqual({
      upper: of(none, none, 7, 7),
      middle: of(none, none, 5, 4.5),
      lower: of(none, none, 3, 2),
    });
  });
});
