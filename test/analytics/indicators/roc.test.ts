import { describe, expect, it } from "vitest";
import { roc } from "../../../src/analytics/indicators/roc.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("roc", () => {
  it("is the change in percent", () => {
    expect(roc(of(4, 5, 6, 0, 3), 2)).toEqual(of(none, none, 50, -100, -50));
  });

  it("is NaN for a change from zero", () => {
    expect(roc(of(0, 1, 2), 1)).toEqual(of(none, none, 100));
  });
});
