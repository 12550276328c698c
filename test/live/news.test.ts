import { describe, expect, it } from "vitest";
import { getNews } from "../../tools/get-news.ts";
import { call, KEYS, liveStage, refusalOf, requestCounts } from "../support/live.ts";

const NOON = "2026-01-15T17:00:00.000Z";

describe("news from live providers", () => {
  const suite = liveStage(NOON);
  const { open } = suite;

  it("comes from Yahoo without a key, in one request for several windows", async () => {
    const installation = await open();
    const answer = await call(installation, getNews, { symbol: "AAPL" });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      source: "yahoo",
      market: "live",
      stale: false,
      coverage: { covered: true, reason: null },
      aggregate: { stories: 2, publishers: 3, near_duplicates_removed: 6, unrelated_removed: 0 },
    });
    // each story was republished once, and both are on the press wires too
    expect(answer.news.map(({ published_at, title, relevance }) => [published_at, title, relevance])).toEqual(
      [
        ["2026-01-14T23:00:05.000Z", "$AAPL to present at an investor conference", 1],
        ["2026-01-14T13:53:25.000Z", "$AAPL cuts full-year outlook on weak subscription renewals", 1],
      ],
    );
    const before = requestCounts(suite.stage.replay).yahoo;
    expect((await call(installation, getNews, { symbol: "AAPL", hours: 20 })).aggregate.stories).toBe(1);
    expect(requestCounts(suite.stage.replay).yahoo).toBe(before);
  });

  it("covers tokens, and rejects an unknown symbol", async () => {
    const installation = await open();
    expect(await call(installation, getNews, { symbol: "BTC-USD" })).toMatchObject({
      aggregate: { stories: 4 },
    });
    expect(await refusalOf(installation, getNews, { symbol: "ZZQXV" })).toMatchObject({
      code: "UNKNOWN_SYMBOL",
    });
  });

  it("comes first from the provider with a key, also for past dates", async () => {
    const installation = await open(KEYS);
    expect(await call(installation, getNews, { symbol: "AAPL" })).toMatchObject({ source: "alpaca" });
    const past = { symbol: "AAPL", as_of: "2025-11-03T12:00:00Z" };
    expect(await call(installation, getNews, past)).toMatchObject({
      source: "alpaca",
      news: [],
      coverage: { covered: true },
    });
  });

  it("falls back to feeds, then to a search by name, then fails", async () => {
    const installation = await open();
    suite.stage.replay.set({ off: new Set(["yahoo", "yahoofeed"]) });
    expect(await call(installation, getNews, { symbol: "AAPL" })).toMatchObject({ source: "nasdaqfeed" });
    suite.stage.replay.set({ off: new Set(["yahoo", "yahoofeed", "nasdaqfeed"]) });
    expect(await call(installation, getNews, { symbol: "MSFT" })).toMatchObject({
      source: "gdelt",
      aggregate: { stories: 4 },
    });
    suite.stage.replay.set({ off: new Set(["yahoo", "yahoofeed", "nasdaqfeed", "gdelt"]) });
    expect(await call(installation, getNews, { symbol: "AAPL" })).toMatchObject({
      source: "nasdaqfeed",
      stale: false,
    });
    expect(await refusalOf(installation, getNews, { symbol: "NVDA" })).toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    suite.stage.replay.set({});
  }, 60_000);

  it("comes from the press wires alone if no other provider is connected", async () => {
    const installation = await open({ PROVIDERS_OFF: "yahoo,yahoofeed,nasdaqfeed,gdelt,prnewswire" });
    const answer = await call(installation, getNews, { symbol: "AAPL" });
    expect(answer).toMatchObject({ source: "globenewswire", aggregate: { stories: 2 } });
    expect(answer.news.map(({ source }) => source)).toEqual(["globenewswire", "globenewswire"]);
    // headlines of other publishers may be missing at any time
    expect(answer.coverage).toMatchObject({ covered: true, complete_from: answer.data_as_of });
    expect(await call(installation, getNews, { symbol: "BTC-USD" })).toMatchObject({
      coverage: { covered: false },
    });
  });

  it("is reported as not covered if every provider is switched off", async () => {
    const installation = await open({
      PROVIDERS_OFF: "yahoo,yahoofeed,nasdaqfeed,gdelt,globenewswire,prnewswire",
    });
    expect(await call(installation, getNews, { symbol: "AAPL" })).toMatchObject({
      news: [],
      source: null,
      coverage: { covered: false, reason: "Every provider of news is switched off by PROVIDERS_OFF" },
    });
  });
});
