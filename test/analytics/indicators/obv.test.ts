import { describe, expect, it } from "vitest";
import { obv } from "../../../src/analytics/indicators/obv.ts";

const of = (...values: number[]) => Float64Array.from(values);

describe("obv", () => {
  it("adds volume on rises and subtracts it on falls", () => {
    expect(obv(of(1, 2, 2, 1), of(5, 3, 4, 2))).toEqual(of(0, 3, 3, 1));
  });
});
