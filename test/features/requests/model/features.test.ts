import { describe, expect, it } from "vitest";
import { requestFeatures, requestWords } from "../../../../src/features/requests/model/features.ts";

describe("the words of a request", () => {
  it.each([
    ["Plot AAPL's hourly candles", ["plot", "SYMBOL", "hourli", "candl"]],
    ["buy 10 BRK.B at $240.50", ["bui", "0", "SYMBOL", "at", "0"]],
    ["RSI of $TSLA", ["rsi", "SYMBOL"]],
    ["what is the ETF up %?", ["what", "etf", "up", "%"]],
    ["", []],
  ])("of '%s' are stems and placeholders", (text, words) => {
    expect(requestWords(text)).toEqual(words);
  });
});

it("a request is compared by its words, their pairs and the number of tickers", () => {
  expect([...requestFeatures("price NVDA")]).toEqual([
    "price",
    "SYMBOL",
    " price",
    "price SYMBOL",
    "SYMBOL ",
    "symbols=1",
  ]);
});
