import { describe, expect, it } from "vitest";
import { rma } from "../../../src/analytics/indicators/rma.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("rma", () => {
  it("starts from the simple mean, then moves a third of the way at a period of three", () => {
    expect(rma(of(1, 2, 3, 8, 1), 3)).toEqual(of(none, none, 2, 4, 3));
  });
});
