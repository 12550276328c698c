import { describe, expect, it } from "vitest";
import { rsi } from "../../../src/analytics/indicators/rsi.ts";

const { NaN: none } = Number;
const of = (...values: number[]) => Float64Array.from(values);

describe("rsi", () => {
  it("compares average gains with average losses", () => {
    // +3, -1: gain 1.5, loss .5; then -1: gain .75, loss .75
    expect(rsi(of(1, 4, 3, 2), 2)).toEqual(of(none, none, 75, 50));
  });

  it.each([
    { market: "only rising", closes: [1, 2, 4, 7], last: 100 },
    { market: "only falling", closes: [7, 4, 2, 1], last: 0 },
    { market: "flat", closes: [2, 2, 2, 2], last: 50 },
  ])("reads $last in a market that is $market", ({ closes, last }) => {
    expect(rsi(of(...closes), 2).at(-1)).toBe(last);
  });
});
