import { expect, it } from "vitest";
import { dailyEquity, dailyReturns } from "../../../src/analytics/backtest/returns.ts";
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
