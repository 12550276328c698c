import { describe, expect, it } from "vitest";
import { stochastic } from "../../../src/analytics/indicators/stochastic.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("stochastic", () => {
  const [high, low, close] = [of(10, 12, 14), of(6, 8, 9), of(8, 9, 12.5)];

  it("is the position of the close within the range of two bars", () => {
    // (9 - 6)/(12 - 6), (12.5 - 8)/(14 - 8)
    expect(stochastic(high, low, close, 2, 1, 2)).toEqual({ k: of(none, 50, 75), d: of(none, none, 62.5) });
    expect(stochastic(high, low, close, 2, 2, 1).k).toEqual(of(none, none, 62.5));
  });

  it("is NaN while the window contains a zero range", () => {
    const flat = of(5, 5, 6, 7);
    expect(stochastic(flat, flat, flat, 2, 1, 1).k).toEqual(of(none, none, 100, 100));
  });
});
