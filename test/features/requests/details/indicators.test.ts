import { describe, expect, it } from "vitest";
import indicators from "../../../../src/features/requests/data/indicators.json" with { type: "json" };
import { indicatorsIn } from "../../../../src/features/requests/details/indicators.ts";
import { parseIndicators } from "../../../../src/features/signal/indicator-series.ts";

describe("the indicators of a request", () => {
  it.each(Object.keys(indicators))("are known to get_indicators: %s", (name) => {
    expect(parseIndicators(name)).toHaveLength(1);
  });

  it.each([
    ["RSI of Apple", "rsi"],
    ["14 day rsi and macd", "rsi(14), macd"],
    ["the 200 day moving average", "sma(200)"],
    ["20 day exponential moving average", "ema(20)"],
    ["the 50 and 200 day ma", "sma(50), sma(200)"],
    ["is its rsi 70", "rsi"],
    ["bollinger bands, stochastics and the ichimoku cloud", "bb_upper, stoch_k, tenkan"],
    [
      "aroon, keltner, cci, mfi, cmf, roc, adx, atr, vwap, supertrend",
      "aroon_osc, keltner_upper, cci, mfi, cmf, roc, adx, atr, vwap, supertrend",
    ],
    ["the price of Apple", null],
  ])("of '%s' are %s", (text, indicators) => {
    expect(indicatorsIn(text)).toBe(indicators);
  });
});
