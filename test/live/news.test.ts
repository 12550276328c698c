import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getNews } from "../../tools/get-news.ts";
import type { Installation } from "../support/installation.ts";
import { heard, KEYS, type LiveStage, refused, stageAt, told } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const NOON = "2026-01-15T17:00:00.000Z";

describe("news over the replay", () => {
  const suite = suiteDir();
  let stage: LiveStage;
  const houses: Installation[] = [];
  const open = async (name: string, env: Record<string, string> = {}) => {
    const dir = join(suite.dir, name);
    mkdirSync(dir);
    const house = await stage.open(dir, env);
    houses.push(house);
    return house;
  };
  beforeAll(async () => {
    stage = await stageAt(NOON);
  });
  afterAll(async () => {
    for (const house of houses) await house.stop();
    await stage.close();
    suite.remove();
  });

  it("is Yahoo's without a key, one call for many windows", async () => {
    const house = await open("keyless");
    const answer = await told(house, getNews, { symbol: "AAPL" });
    expect(answer).toMatchObject({
      symbol: "AAPL",
      source: "yahoo",
      market: "live",
      stale: false,
      coverage: { covered: true, reason: null },
      aggregate: { stories: 3, publishers: 3, near_duplicates_removed: 0, unrelated_removed: 0 },
    });
    expect(
      answer.news.map(({ published_at, publisher, relevance }) => [published_at, publisher, relevance]),
    ).toEqual([
      ["2026-01-15T15:00:00.000Z", "Desk One", 1],
      ["2026-01-14T21:00:00.000Z", "Desk Two", 1],
      ["2026-01-13T15:00:00.000Z", "Desk Three", 1],
    ]);
    const before = heard(stage.replay).yahoo;
    expect((await told(house, getNews, { symbol: "AAPL", hours: 24 })).aggregate.stories).toBe(2);
    expect(heard(stage.replay).yahoo).toBe(before);
  });

  it("is of coins too, and of nobody who is unknown", async () => {
    const house = houses[0]!;
    expect(await told(house, getNews, { symbol: "BTC-USD" })).toMatchObject({ aggregate: { stories: 3 } });
    expect(await refused(house, getNews, { symbol: "ZZQXV" })).toMatchObject({ code: "UNKNOWN_SYMBOL" });
  });

  it("is asked of those with a key first, and of the past from them", async () => {
    const house = await open("keyed", { ...KEYS });
    expect(await told(house, getNews, { symbol: "AAPL" })).toMatchObject({ source: "alpaca" });
    const past = { symbol: "AAPL", as_of: "2025-11-03T12:00:00Z" };
    expect(await told(house, getNews, past)).toMatchObject({
      source: "alpaca",
      news: [],
      coverage: { covered: true },
    });
  });

  it("falls back over feeds to a search by name, and says so when nobody answers", async () => {
    const house = await open("falling");
    stage.replay.set({ off: new Set(["yahoo", "yahoofeed"]) });
    expect(await told(house, getNews, { symbol: "AAPL" })).toMatchObject({ source: "nasdaqfeed" });
    stage.replay.set({ off: new Set(["yahoo", "yahoofeed", "nasdaqfeed"]) });
    expect(await told(house, getNews, { symbol: "MSFT" })).toMatchObject({
      source: "gdelt",
      aggregate: { stories: 3 },
    });
    stage.replay.set({ off: new Set(["yahoo", "yahoofeed", "nasdaqfeed", "gdelt"]) });
    expect(await told(house, getNews, { symbol: "AAPL" })).toMatchObject({
      source: "nasdaqfeed",
      stale: false,
    });
    expect(await refused(house, getNews, { symbol: "NVDA" })).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    stage.replay.set({});
  }, 60_000);

  it("is not there where every source is switched off", async () => {
    const house = await open("off", { PROVIDERS_OFF: "yahoo,yahoofeed,nasdaqfeed,gdelt" });
    expect(await told(house, getNews, { symbol: "AAPL" })).toMatchObject({
      news: [],
      source: null,
      coverage: { covered: false, reason: "Every source of news is switched off by PROVIDERS_OFF" },
    });
  });
});
