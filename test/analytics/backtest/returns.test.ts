import { expect, it } from "vitest";
import { dailyEquity, dailyReturns, tradingYear } from "../../../src/analytics/backtest/returns.ts";
import { DAY } from "./tape.ts";

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
