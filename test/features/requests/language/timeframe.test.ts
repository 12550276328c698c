import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { barLengthIn } from "../../../../src/features/requests/language/timeframe.ts";

describe("the bar length of a question", () => {
  it.each([
    ["4h and 1h", true],
    ["daily or hourly", true],
    ["weekly and 4h", true],
    ["the 4h chart, H4, 240m", false],
    ["4h", false],
    ["weekly", false],
  ])("is one of several: %s", (question, several) => {
    expect(barLengthIn(question).several).toBe(several);
  });

  it.each([
    ["btc on the 4h", "4h"],
    ["the 4-hour chart", "4h"],
    ["four hour chart", "4h"],
    ["AAPL 15 minutes", "15m"],
    ["15 min", "15m"],
    ["fifteen minute candles", "15m"],
    ["5min bars", "5m"],
    ["bars=15m", "15m"],
    ["timeframe: 5m", "5m"],
    ["30m", "30m"],
    ["hourly", "1h"],
    ["1 hour", "1h"],
    ["one-hour bars", "1h"],
    ["60m", "1h"],
    ["240 min", "4h"],
    ["H1", "1h"],
    ["xrp h4", "4h"],
    ["M15", "15m"],
    ["D1", "1d"],
    ["the half-hour chart", "30m"],
    ["the quarter-hour", "15m"],
    ["the daily chart", "1d"],
    ["1d", "1d"],
    ["in 4h candles", "4h"],
    ["signal for 4h", "4h"],
    ["60 minutes", "1h"],
    ["4-hourly bars", "4h"],
    ["over 5 days on the 4h chart", "4h"],
    ["30 MINUTES", "30m"],
    ["the 15M chart", "15m"],
    ["over 30 days", null],
    ["in 2 hours", null],
    ["in 5 minutes", null],
    ["last 4 hours", null],
    ["over the past 24h", null],
    ["24h", null],
    ["call me in 5m", null],
    ["timeout 5m", null],
    ["every 15 minutes", null],
    ["1 day ago", null],
    ["in half an hour", null],
    ["the 20-day average", null],
    ["weekly options", null],
    ["the daily news", null],
    ["a 4h30 film", null],
    ["traded 5M", null],
    ["5m shares", null],
    ["$1.5m of it", null],
    ["$5m block trades", null],
    ["2.4h", null],
    ["4 hours ago", null],
    ["on 5 may", null],
    ["115 minutes", null],
    ["weekly", null],
    ["What is the signal on Apple?", null],
  ])("%s: %s", (question, timeframe) => {
    expect(barLengthIn(question).timeframe).toBe(timeframe);
  });
});

describe("a bar length that is not available", () => {
  it.each([
    ["the weekly chart of AAPL", "weekly"],
    ["AAPL monthly", "monthly"],
    ["AAPL on the 2h chart", "2h"],
    ["10 minute bars of SPY", "10 minute"],
    ["btc 2h", "2h"],
    ["1w BTC", "1w"],
    ["eth on H2", "H2"],
    ["the 4h chart, not the weekly", null],
    ["AAPL over 30 days", null],
    ["the 200-day average", null],
    ["btc 24h", null],
    ["AAPL daily", null],
  ])("%s: %s", (question, asked) => {
    expect(barLengthIn(question).unserved).toBe(asked);
  });

  it.each([
    ["AAPL on the 10 minute", "10 minute", null],
    ["AAPL on the 10 minute please", "10 minute", null],
    ["AAPL 3 minute", "3 minute", null],
    ["AAPL 3 minutes", "3 minutes", null],
    ["NVDA 90 minute", "90 minute", null],
    ["the trend of Apple and Microsoft on 2 hour", "2 hour", null],
    ["the 10 minute signal of Apple and Microsoft", "10 minute", null],
    ["AAPL on the 3 day", "3 day", null],
    ["AAPL daily and weekly", "weekly", "1d"],
    ["AAPL 4h and 2h", "2h", "4h"],
    ["AAPL daily instead of weekly", null, "1d"],
    ["AAPL 4h, not 2h", null, "4h"],
    ["a 10 minute walk", null, null],
    ["how much did AAPL move in 3 minutes", null, null],
    ["Apple fell this morning, and I slept 10 hours", null, null],
    ["AAPL 2 week high", null, null],
    ["AAPL above its 200 day moving average", null, null],
    ["is the market open in 45 minutes", null, null],
  ])("is returned, also next to an available one: %s", (question, unserved, timeframe) => {
    expect(barLengthIn(question)).toMatchObject({ unserved, timeframe });
  });

  it("counts as one of several next to an available one", () => {
    const words = ["4h", "2h chart", "weekly", "last", "5 minutes", "H1", "daily", "AAPL", "in"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 12 }), (row) => {
        const { timeframe, unserved, several } = barLengthIn(row.join(" "));
        if (timeframe !== null && unserved !== null) expect(several).toBe(true);
      }),
    );
  });
});
