import { describe, expect, it } from "vitest";
import { parseIndicators } from "../../../src/features/signal/indicator-series.ts";
import indicators from "../../../src/features/signal/indicator-words.json" with { type: "json" };
import { indicatorsIn } from "../../../src/features/signal/indicator-words.ts";

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

describe("the indicators of a field", () => {
  const parsed = (text: string) =>
    parseIndicators(text).map(({ indicator: { names }, args }) => `${names[0]}(${args})`);

  it("may be written in words", () => {
    expect(parsed("50 and 200 day moving average, bollinger bands, RSI")).toEqual([
      "sma(50)",
      "sma(200)",
      "bb_upper(20,2)",
      "rsi(14)",
    ]);
  });

  it.each([
    "sma 50",
    "rsi 70",
    "the moving average 50",
    "a good one",
    "five day moving average",
    "-5 day moving average",
    "200 week moving average",
    "hull moving average",
    "volume weighted moving average",
    "moving average of volume",
    "stochastic rsi",
    "bollinger bands of doom",
    "no rsi",
    "the weekly rsi",
  ])("are refused if a part would be lost, or if they are none: %s", (text) => {
    expect(() => parsed(text)).toThrow(/^indicators: At character \d+: /);
  });

  it("count the bars of the request, so that days are refused for other bars", () => {
    expect(() => parseIndicators("50 day moving average", "1h")).toThrow(/^indicators: At character \d+: /);
    expect(parseIndicators("50 bar moving average", "1h")).toHaveLength(1);
    expect(parsed("moving average convergence divergence")).toEqual(["macd(12,26,9)"]);
  });
});
