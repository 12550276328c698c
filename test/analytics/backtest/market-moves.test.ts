import { describe, expect, it } from "vitest";
import { isMarketMove, medianMove, moveAt } from "../../../src/analytics/backtest/market-moves.ts";
import { climbingBars, withPrices } from "../../support/market.ts";

const bars = climbingBars({ count: 20 });
/** Bars that open at `factor` times the previous close from bar 10 on. */
const jump = (factor: number) => {
  const flat = withPrices(bars, (_, i) => (i < 10 ? 100 : 100 * factor));
  return { ...flat, noSplits: [] };
};
const change = { index: 10, time: bars.time[10]!, ratio: "4:3" };

describe("moves of the market", () => {
  it("are the log returns from the close before to open and close", () => {
    expect(moveAt(jump(0.75), bars.time[10]!)).toEqual({ open: Math.log(0.75), close: Math.log(0.75) });
    expect(moveAt(bars, bars.time[0]!)).toBeNull();
    expect(moveAt(bars, bars.time[10]! + 1)).toBeNull();
  });

  it("are the medians of at least 8 symbols", () => {
    const moves = [-0.1, 0.02, -0.08, -0.09, -0.07, -0.11, 0.3, -0.06].map((open) => ({
      open,
      close: 2 * open,
    }));
    expect(medianMove(moves)).toEqual({ open: -0.07, close: -0.14 });
    expect(medianMove(moves.slice(1))).toBeNull();
  });

  it.each([
    // ln 0.75 = -0.288, a fifth of it -0.0575
    [0.75, -0.058, true],
    [0.75, -0.057, false],
    [0.75, 0.1, false],
    [4 / 3, 0.058, true],
    [4 / 3, -0.1, false],
    // ln 0.9 = -0.105, a fifth of it -0.021, under the least move of 3 %
    [0.9, -0.029, false],
    [0.9, -0.03, true],
  ])("explain a jump to %s by a move of %s: %s", (factor, move, expected) => {
    expect(isMarketMove(jump(factor), change, { open: move, close: 0 })).toBe(expected);
    expect(isMarketMove(jump(factor), change, { open: 0, close: move })).toBe(expected);
  });
});
