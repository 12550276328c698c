import { describe, expect, it } from "vitest";
import { aroon } from "../../../src/analytics/indicators/aroon.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("aroon", () => {
  it("measures how recent the extremes are", () => {
    expect(aroon(of(1, 3, 2, 2, 4), of(1, 0, 1, 1, 1), 2)).toEqual({
      up: of(none, none, 50, 0, 100),
      down: of(none, none, 50, 0, 0),
      oscillator: of(none, none, 0, 0, 100),
    });
  });

  it("uses the oldest of equal extremes", () => {
    expect(aroon(of(5, 5, 5, 4), of(1, 1, 1, 1), 2).up).toEqual(of(none, none, 0, 0));
  });
});
