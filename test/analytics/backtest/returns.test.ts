import { describe, expect, it } from "vitest";
import { drawdownsOf } from "../../../src/analytics/backtest/drawdowns.ts";
import { outcomeOf } from "../../../src/analytics/backtest/outcome.ts";
import { dailyEquity, dailyReturns, tradingYear } from "../../../src/analytics/backtest/returns.ts";
import { DAY, ledgerOver } from "./tape.ts";

const at = (...points: readonly (readonly [days: number, equity: number])[]) => ({
  time: Float64Array.from(points, ([days]) => days * DAY),
  equity: Float64Array.from(points, ([, equity]) => equity),
});

it("takes the last close of each day that has a bar", () => {
  expect([...dailyEquity(at([0.1, 100], [0.9, 110], [1, 120], [4.5, 90]))]).toEqual([110, 120, 90]);
});

it("has one return fewer than days", () => {
  expect([...dailyReturns(at([0, 100], [0.5, 200], [1, 300], [2, 150]))]).toEqual([0.5, -0.5]);
  expect(dailyReturns(at([0, 100]))).toHaveLength(0);
  expect(dailyReturns(at())).toHaveLength(0);
});

it("loses all where equity falls below 0, and nothing after", () => {
  expect([...dailyReturns(at([0, 100], [1, -20], [2, -20]))]).toEqual([-1, 0]);
});

it("has 365 trading days a year where weekends trade, and 252 where they do not or hardly do", () => {
  const days = (count: number, trades: (weekday: number) => boolean) =>
    Float64Array.from({ length: count }, (_, i) => Date.UTC(2026, 0, 5 + i)).filter((at) =>
      trades(new Date(at).getUTCDay()),
    );
  expect(tradingYear(days(70, () => true))).toBe(365);
  expect(tradingYear(days(70, (day) => day % 6 !== 0))).toBe(252);
  // every fourth Saturday: under .6 of two sevenths
  expect(tradingYear(days(28, (day) => day !== 0))).toBe(252);
  expect(tradingYear(new Float64Array(0))).toBe(252);
});

const of = (...equity: readonly number[]) =>
  drawdownsOf(
    Float64Array.from(equity, (_, day) => day),
    Float64Array.from(equity),
  );

it("states each fall by its depth under the peak and the time until the peak is back", () => {
  expect(of(100, 75, 50, 100, 200, 150, 200)).toEqual({ deepest: 0.5, depths: [0.5, 0.25], lengths: [3, 2] });
});

it("lets a fall that is not made up for last to the end", () => {
  expect(of(100, 75, 80)).toEqual({ deepest: 0.25, depths: [0.25], lengths: [2] });
});

it("counts a fall in the last bar for the deepest alone", () => {
  expect(of(100, 200, 150)).toEqual({ deepest: 0.25, depths: [], lengths: [] });
});

it("finds none where equity never fell, and none in one bar or no bar", () => {
  for (const equity of [[100, 100, 110], [100], []])
    expect(of(...equity)).toEqual({ deepest: 0, depths: [], lengths: [] });
});

describe("an outcome", () => {
  it("is what a ledger came to, by hand", () => {
    // returns 10 %, -20 %, 25 %: the peak is 1100, the trough 880
    const outcome = outcomeOf(ledgerOver([1000, 1100, 880, 1100]), 1000, 252);
    expect(outcome.trade_count).toBe(0);
    expect(outcome.return_pct).toBeCloseTo(10, 12);
    expect(outcome.max_drawdown).toBeCloseTo(-20, 12);
  });

  it("has no Sharpe ratio where equity did not move", () => {
    expect(outcomeOf(ledgerOver([1000, 1000, 1000]), 1000, 252).sharpe_arithmetic).toBeNull();
  });

  it("counts ruin as a day on which all was lost", () => {
    const ruined = outcomeOf(ledgerOver([1000, 500, 0, 0, 0]), 1000, 252);
    expect(ruined).toMatchObject({ return_pct: -100, max_drawdown: -100 });
    // returns -.5, -1, 0, 0: mean -.375, squares .6875 over 3
    expect(ruined.sharpe_arithmetic).toBeCloseTo((-0.375 / Math.sqrt(0.6875 / 3)) * Math.sqrt(252), 10);
  });

  it("is zero for a run without a bar", () => {
    expect(outcomeOf(ledgerOver([]), 1000, 252)).toEqual({
      return_pct: 0,
      max_drawdown: 0,
      sharpe_arithmetic: null,
      trade_count: 0,
    });
  });
});
