import { describe, expect, it } from "vitest";
import { ichimoku } from "../../../src/analytics/indicators/ichimoku.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("ichimoku", () => {
  it("shifts the cloud forward to the current bar", () => {
    expect(ichimoku(of(2, 4, 6, 8, 10), of(0, 2, 4, 6, 8), 1, 2, 3)).toEqual({
      tenkan: of(1, 3, 5, 7, 9),
      kijun: of(none, 2, 4, 6, 8),
      senkouA: of(none, none, none, 2.5, 4.5),
      senkouB: of(none, none, none, none, 3),
    });
  });
});
