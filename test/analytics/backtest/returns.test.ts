import { describe, expect, it } from "vitest";
import { drawdownsOf } from "../../../src/analytics/backtest/drawdowns.ts";
import { outcomeOf } from "../../../src/analytics/backtest/outcome.ts";
import { dailyEquity, dailyReturns, tradingYear } from "../../../src/analytics/backtest/returns.ts";
import { DAY, ledgerOver } from "./tape.ts";

const equityAt = (...points: readonly (readonly [days: number, equity: number])[]) => ({
  time: Float64Array.from(points, ([days]) => days * DAY),
  equity: Float64Array.from(points, ([, equity]) => equity),
});

it("uses the last close of each day that has a bar", () => {
  expect([...dailyEquity(equityAt([0.1, 100], [0.9, 110], [1, 120], [4.5, 90]))]).toEqual([110, 120, 90]);
});

it("returns one value fewer than there are days", () => {
  expect([...dailyReturns(equityAt([0, 100], [0.5, 200], [1, 300], [2, 150]))]).toEqual([0.5, -0.5]);
  expect(dailyReturns(equityAt([0, 100]))).toHaveLength(0);
  expect(dailyReturns(equityAt())).toHaveLength(0);
});

it("returns -100 % when equity falls to 0 or below, and 0 afterwards", () => {
  expect([...dailyReturns(equityAt([0, 100], [1, -20], [2, -20]))]).toEqual([-1, 0]);
});

it("has 365 trading days a year if weekends trade regularly, otherwise 252", () => {
  const days = (count: number, trades: (weekday: number) => boolean) =>
    Float64Array.from({ length: count }, (_, i) => Date.UTC(2026, 0, 5 + i)).filter((at) =>
      trades(new Date(at).getUTCDay()),
    );
  expect(tradingYear(days(70, () => true))).toBe(365);
  expect(tradingYear(days(70, (day) => day % 6 !== 0))).toBe(252);
  // 4 Saturdays among 24 bars are less than 0.6 of the expected 2/7
  expect(tradingYear(days(28, (day) => day !== 0))).toBe(252);
  expect(tradingYear(new Float64Array(0))).toBe(252);
});

const drawdowns = (...equity: readonly number[]) =>
  drawdownsOf(
    Float64Array.from(equity, (_, day) => day),
    Float64Array.from(equity),
  );

it("measures each drawdown by its depth below the peak and the time to recovery", () => {
  expect(drawdowns(100, 75, 50, 100, 200, 150, 200)).toEqual({
    deepest: 0.5,
    depths: [0.5, 0.25],
    lengths: [3, 2],
  });
});

it("extends an unrecovered drawdown to the last bar", () => {
  expect(drawdowns(100, 75, 80)).toEqual({ deepest: 0.25, depths: [0.25], lengths: [2] });
});

it("counts a drawdown that begins in the last bar only in the maximum", () => {
  expect(drawdowns(100, 200, 150)).toEqual({ deepest: 0.25, depths: [], lengths: [] });
});

it("finds no drawdown if equity never fell, nor for one bar or none", () => {
  for (const equity of [[100, 100, 110], [100], []])
    expect(drawdowns(...equity)).toEqual({ deepest: 0, depths: [], lengths: [] });
});

describe("an outcome", () => {
  it("summarises a ledger, checked by hand", () => {
    // returns 10 %, -20 %, 25 %: the peak is 1100, the trough 880
    const outcome = outcomeOf(ledgerOver([1000, 1100, 880, 1100]), 1000, 252);
    expect(outcome.trade_count).toBe(0);
    expect(outcome.return_pct).toBeCloseTo(10, 12);
    expect(outcome.max_drawdown).toBeCloseTo(-20, 12);
  });

  it("has no Sharpe ratio if equity did not move", () => {
    expect(outcomeOf(ledgerOver([1000, 1000, 1000]), 1000, 252).sharpe_arithmetic).toBeNull();
  });

  it("counts ruin as a return of -100 %", () => {
    const ruined = outcomeOf(ledgerOver([1000, 500, 0, 0, 0]), 1000, 252);
    expect(ruined).toMatchObject({ return_pct: -100, max_drawdown: -100 });
    // returns -0.5, -1, 0, 0: mean -0.375, sum of squared deviations 0.6875, divided by 3
    expect(ruined.sharpe_arithmetic).toBeCloseTo((-0.375 / Math.sqrt(0.6875 / 3)) * Math.sqrt(252), 10);
  });

  it("is zero for a run without bars", () => {
    expect(outcomeOf(ledgerOver([]), 1000, 252)).toEqual({
      return_pct: 0,
      max_drawdown: 0,
      sharpe_arithmetic: null,
      trade_count: 0,
    });
  });
});
