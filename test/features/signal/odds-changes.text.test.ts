import { expect, it } from "vitest";
import { formatOddsExplanation } from "../../../src/features/signal/odds-changes.text.ts";

const now = {
  version: "odds-1.0.0",
  bars: 20,
  from: 187.2,
  stop_first: 0.3,
  target_first: 0.31,
  neither: 0.39,
  base: null,
  volatility_percent: 31.4,
};
const unchanged = { price: null, base: null, reason: null };

it("states the odds, and those after each change", () => {
  const changes = [
    {
      ...unchanged,
      change: "stop_farther",
      price: 181.2,
      stop_first: 0.21,
      target_first: 0.33,
      neither: 0.46,
      base: { stop_first: 0.25, target_first: 0.4, neither: 0.35 },
    },
    { ...unchanged, change: "stop_nearer", price: 0.01234, stop_first: 1, target_first: 0, neither: 0 },
    { ...unchanged, change: "target_nearer", price: 195, stop_first: 0.3, target_first: 0.5, neither: 0.2 },
    {
      ...unchanged,
      change: "low_volatility",
      volatility_percent: 18.6,
      stop_first: 0.1,
      target_first: 0.2,
      neither: 0.7,
    },
    {
      change: "high_volatility",
      price: null,
      volatility_percent: null,
      stop_first: null,
      target_first: null,
      neither: null,
      base: null,
      reason: "250 past forecasts need 370 bars, there are 300",
    },
    { ...unchanged, change: "no_drift", stop_first: 0.32, target_first: 0.3, neither: 0.38 },
  ] as const;
  expect(formatOddsExplanation({ ...now, changes: [...changes] }, null)).toEqual([
    "odds of the levels: from 187.20, stop first in 30 of 100 cases, target 1 in 31, neither within 20 bars in 39",
    "with the stop 0.5 ATR farther (181.20): stop first in 21 of 100, target 1 first in 33, neither in 46 (base rates: 25, 40, 35)",
    "with the stop 0.5 ATR nearer (0.01234): stop first in more than 99 of 100, target 1 first in less than 1, neither in less than 1",
    "with target 1 at two thirds of its distance (195.00): stop first in 30 of 100, target 1 first in 50, neither in 20",
    "at a low volatility, the 10th percentile of 250 bars (19% annualized for the next bar, now 31%): stop first in 10 of 100, target 1 first in 20, neither in 70",
    "at a high volatility, the 90th percentile of 250 bars: no odds: 250 past forecasts need 370 bars, there are 300",
    "without the assumed drift: stop first in 32 of 100, target 1 first in 30, neither in 38",
  ]);
});

it("states why there are no odds", () => {
  expect(formatOddsExplanation(null, "Odds need 120 bars, there are 100")).toEqual([
    "no odds: Odds need 120 bars, there are 100",
  ]);
});
