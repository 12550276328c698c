import { describe, expect, it } from "vitest";
import { marketRequest } from "../../../../src/features/questions/details/market.ts";

describe("a question on the whole market", () => {
  it.each([
    "market mood",
    "Is the market fearful?",
    "are investors greedy right now?",
    "is Wall Street nervous?",
    "is the stock market bullish?",
    "fear and greed index",
    "nasdaq outlook",
    "outlook for the S&P 500",
    "How greedy is the market?",
    "Is now a good time to invest?",
    "is it safe to get back in",
    "should I invest in the stock market?",
    "is the market up today",
    "how did the market do today",
  ])("asks for its mood: %s", (query) => {
    expect(marketRequest(query)).toMatchObject({ mood: true, hours: false });
  });

  it.each(["stocks with positive sentiment", "AAPL market order", "best stocks"])(
    "does not ask for its mood: %s",
    (query) => {
      expect(marketRequest(query).mood).toBe(false);
    },
  );

  it.each([
    "is the market open today?",
    "when is the market open?",
    "what time does NYSE close?",
    "are markets closed on Thanksgiving?",
    "is it a holiday on Thursday",
    "when do the exchanges open tomorrow",
    "will the stock market be open on Monday?",
    "market hours",
    "trading holidays",
    "is crypto open on weekends?",
    "market open?",
  ])("asks for trading hours: %s", (query) => {
    expect(marketRequest(query).hours).toBe(true);
  });

  it.each([
    "will the market close higher today?",
    "is the market closing above 6000?",
    "open interest",
    "who reports after the market close",
    "how did the market close yesterday",
    "close price of AAPL",
  ])("does not ask for trading hours: %s", (query) => {
    expect(marketRequest(query).hours).toBe(false);
  });

  it.each([
    ["crypto sentiment", "crypto"],
    ["nasdaq outlook", "one index"],
    ["market mood", null],
  ])("may ask for a mood that does not exist: %s", (query, moodless) => {
    expect(marketRequest(query).moodless).toBe(moodless);
  });
});
