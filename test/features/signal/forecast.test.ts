import { describe, expect, it } from "vitest";
import { ODDS_VERSION } from "../../../src/analytics/odds/odds.ts";
import type { PlanOdds } from "../../../src/domain/odds/odds.ts";
import { answerForecast, oddsForecaster, signalForecaster } from "../../../src/features/signal/forecast.ts";
import { climbingBars, smallMarket } from "../../support/market.ts";
import { loggedSignal } from "../../support/track.ts";

const odds: PlanOdds = {
  version: "any",
  bars: 20,
  from: 100,
  stop_first: 0.41,
  target_first: 0.22,
  neither: 0.37,
  base: { stop_first: 0.4, target_first: 0.3, neither: 0.3, windows: 280 },
};
const plan = {
  odds: { stop: 0.41, target: 0.22, neither: 0.37 },
  base: { stop: 0.4, target: 0.3, neither: 0.3 },
};
const bars = climbingBars();
const stock = { bars, symbol: "AAPL", assetClass: "equity", odds } as const;

describe("the forecast of a signal", () => {
  it("is by paths when it is served, with the odds of the levels as they were returned", () => {
    expect(answerForecast(stock)).toMatchObject({ version: ODDS_VERSION, plan });
    expect(answerForecast({ ...stock, odds: { ...odds, base: null } })!.plan).toEqual({
      ...plan,
      base: null,
    });
  });

  it("is missing with too few bars", () => {
    expect(answerForecast({ ...stock, bars: climbingBars({ count: 119 }) })).toBeNull();
  });

  it("is computed from a logged signal with its bars and odds", async () => {
    const forecastOf = signalForecaster(smallMarket().ports.compute);
    expect(await forecastOf({ ...loggedSignal(), bars, odds })).toEqual(answerForecast(stock));
    expect(await forecastOf({ ...loggedSignal(), bars, odds: null })).toBeNull();
    expect(await forecastOf(loggedSignal())).toBeNull();
  });
});

it("the forecast of odds without a signal has the same ranges and touch odds, and no plan", async () => {
  const forecastOf = oddsForecaster(smallMarket().ports.compute);
  const { symbol, asset_class, timeframe, decided_at } = loggedSignal();
  expect(await forecastOf({ symbol, asset_class, timeframe, decided_at, bars })).toEqual({
    ...answerForecast(stock),
    plan: null,
  });
});
