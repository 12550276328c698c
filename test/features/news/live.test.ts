import { describe, expect, it } from "vitest";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import type { Headline } from "../../../src/domain/news/news.ts";
import type { NewsProvider, NewsProviderAnswer, NewsQuestion } from "../../../src/domain/news/provider.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveNews } from "../../../src/features/news/live.ts";
import { guard } from "../../../src/market/failover/guard.ts";
import { fixed } from "../../support/fixed-world.ts";
import { movingClock } from "../../support/store.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse("2026-01-15T15:00:00.000Z");

const headline = (id: string, hoursAgo: number): Headline => ({
  id,
  title: `Headline ${id}`,
  publisher: "Desk",
  url: null,
  tags: [],
  publishedAt: NOW - hoursAgo * HOUR,
});

interface Way {
  readonly serves?: readonly AssetClass[];
  readonly past?: boolean;
  readonly reachMs?: number;
  readonly tells: (question: NewsQuestion) => NewsProviderAnswer | ProviderFailure;
}

function stand(...ways: readonly Way[]) {
  const clock = movingClock(new Date(NOW));
  const asked: string[] = [];
  const providers = ways.map(({ serves = ["equity", "etf", "crypto"], past = true, reachMs, tells }, i) =>
    guard<NewsProvider>(
      () => ({
        name: `p${i}`,
        serves: new Set(serves),
        past,
        ...(reachMs !== undefined && { reachMs }),
        budget: { calls: 100, perMs: MINUTE, atOnce: 4 },
        call: async (question) => {
          asked.push(`p${i} ${question.instrument.symbol}`);
          const answer = tells(question);
          if (answer instanceof ProviderFailure) throw answer;
          return answer;
        },
      }),
      { fetch, clock },
    ),
  );
  const news = liveNews({ providers, clock, pastSettings: "ACME_KEY", settings: { p0: "P0_KEY" } });
  const ask = (symbol = "AAPL", hours = 24, until = clock.now().getTime()) =>
    news.headlines(fixed(symbol), { from: until - hours * HOUR, until });
  return { clock, asked, news, ask };
}
const tells =
  (headlines: readonly Headline[], completeFrom: number | null = null) =>
  () => ({ headlines, completeFrom });
const down = () => new ProviderFailure("down", "so");

describe("live news", () => {
  it("is cut to the window asked for, each item once and newest first, from one call", async () => {
    const { ask, asked } = stand({
      tells: tells([
        headline("c", 30),
        headline("a", 1),
        headline("b", 20),
        headline("a", 1),
        headline("z", -1),
      ]),
    });
    const day = (await ask())!;
    expect(day.headlines.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(day).toMatchObject({ source: "p0", stale: false, uncovered: null, completeFrom: null, asOf: NOW });
    expect((await ask("AAPL", 48))!.headlines).toHaveLength(3);
    expect(asked).toEqual(["p0 AAPL"]);
  });

  it("says from when on headlines may be missing, where that lies in the window", async () => {
    const { ask } = stand({ tells: tells([headline("a", 1)], NOW - 10 * HOUR) });
    expect((await ask())!.completeFrom).toBe(NOW - 10 * HOUR);
    expect((await ask("AAPL", 5))!.completeFrom).toBeNull();
  });

  it("cuts a window that ended within a week from the newest, where they reach into it", async () => {
    const lines = [headline("a", 1), headline("b", 100)];
    const whole = stand({ past: false, tells: tells(lines) });
    const then = await whole.ask("AAPL", 24, NOW - 90 * HOUR);
    expect(then).toMatchObject({ source: "p0", headlines: [{ id: "b" }], asOf: NOW - 90 * HOUR });
    await whole.ask();
    expect(whole.asked).toEqual(["p0 AAPL"]);
    const short = stand(
      { past: false, tells: tells([headline("a", 1)], NOW - HOUR) },
      { serves: ["equity"], tells: tells([headline("c", 95)]) },
    );
    expect(await short.ask("AAPL", 24, NOW - 90 * HOUR)).toMatchObject({
      source: "p1",
      headlines: [{ id: "c" }],
    });
  });

  it("asks of what is longer past only those who have one, and says what connects one where nobody does", async () => {
    const long = NOW - 240 * HOUR;
    const some = stand(
      { past: false, tells: tells([headline("a", 1)]) },
      { tells: tells([headline("b", 250)]) },
    );
    expect(await some.ask("AAPL", 24, long)).toMatchObject({
      source: "p1",
      headlines: [{ id: "b" }],
      asOf: long,
    });
    expect(some.asked).toEqual(["p1 AAPL"]);
    const none = stand({ past: false, tells: tells([]) });
    expect(await none.ask("AAPL", 24, long)).toMatchObject({
      headlines: [],
      uncovered: "The connected providers supply only the newest headlines; ACME_KEY connects past ones",
    });
    expect(none.asked).toEqual([]);
  });

  it("asks once of a moment that is past, whatever the window, and tells the same of it a day long", async () => {
    const until = NOW - 240 * HOUR;
    const { ask, asked, clock } = stand({ tells: tells([headline("a", 250), headline("b", 300)]) });
    expect((await ask("AAPL", 24, until))!.headlines).toHaveLength(1);
    clock.pass(23 * HOUR);
    expect((await ask("AAPL", 168, until))!.headlines).toHaveLength(2);
    expect(asked).toEqual(["p0 AAPL"]);
  });

  it("asks nobody of days that nobody reaches, and says so", async () => {
    const { ask, asked } = stand(
      { reachMs: 89 * 24 * HOUR, tells: tells([]) },
      { past: false, tells: tells([]) },
    );
    expect(await ask("AAPL", 24, NOW - 90 * 24 * HOUR)).toMatchObject({
      source: null,
      uncovered: "No connected source reaches back so far; ACME_KEY connects more of the past",
    });
    expect(asked).toEqual([]);
    expect(await ask("AAPL", 24, NOW - 88 * 24 * HOUR)).toMatchObject({ source: "p0", uncovered: null });
  });

  it("does not take an empty list of years ago for days without news", async () => {
    const { ask } = stand({ tells: tells([]) });
    const far = NOW - 400 * 24 * HOUR;
    expect(await ask("AAPL", 24, far)).toMatchObject({
      source: null,
      completeFrom: null,
      uncovered:
        "p0 has no headlines of these days, which does not mean that none existed; ACME_KEY connects more of the past",
    });
    expect(await ask("AAPL", 24, NOW - 300 * 24 * HOUR)).toMatchObject({
      source: "p0",
      uncovered: null,
      completeFrom: null,
    });
    const refusing = stand({ tells: () => new ProviderFailure("unknown_symbol", "so") });
    expect(await refusing.ask("AAPL", 24, far)).toMatchObject({
      source: null,
      fetchedAt: null,
      uncovered: "No connected source has news of it on those days",
    });
  });

  it("does not take an empty list for days without news where its source says that they may be missing", async () => {
    const { ask } = stand({ tells: ({ until }) => ({ headlines: [], completeFrom: until }) });
    expect(await ask()).toMatchObject({
      source: null,
      headlines: [],
      uncovered: "p0 has no headlines of these days, which does not mean that none existed",
    });
    const half = stand({ tells: ({ until }) => ({ headlines: [], completeFrom: until - 12 * HOUR }) });
    expect(await half.ask()).toMatchObject({ uncovered: null, completeFrom: NOW - 12 * HOUR });
  });

  it("says that nobody covers it, where nobody does: an empty list with a reason", async () => {
    const unknown = stand({ tells: () => new ProviderFailure("unknown_symbol", "so") });
    expect(await unknown.ask()).toMatchObject({ headlines: [], uncovered: "No connected source covers it" });
    const stocks = stand({ serves: ["equity"], tells: tells([]) });
    expect(await stocks.ask("BTC-USD")).toMatchObject({
      uncovered: "No connected source serves such instruments",
    });
    expect(await stand({ tells: tells([]) }).ask()).toMatchObject({ headlines: [], uncovered: null });
  });

  it("falls back in order, tells an older answer only as stale, and rejects where there is none", async () => {
    const second = stand({ tells: down }, { tells: tells([headline("a", 1)]) });
    expect(await second.ask()).toMatchObject({
      source: "p1",
      tried: [{ outcome: "down" }, { outcome: "answered" }],
    });
    let up = true;
    const { ask, clock } = stand({
      tells: () => (up ? { headlines: [headline("a", 1)], completeFrom: null } : down()),
    });
    await ask();
    up = false;
    clock.pass(HOUR);
    expect(await ask()).toMatchObject({ stale: true, headlines: [{ id: "a" }], asOf: NOW, fetchedAt: NOW });
    clock.pass(6 * HOUR);
    await expect(ask()).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
      message: "No provider answered for news of AAPL",
    });
  });

  it("names a key that is refused, and does not say that asking again helps", async () => {
    const { ask, clock } = stand(
      { tells: () => new ProviderFailure("auth", "so") },
      { tells: tells([headline("a", 1)]) },
    );
    for (const symbol of ["AAPL", "BTC-USD"]) {
      const feed = await ask(symbol);
      expect(feed).toMatchObject({
        source: "p1",
        tried: [
          { provider: "p0", outcome: "auth" },
          { provider: "p1", outcome: "answered" },
        ],
        troubles: ["p0 rejects the key in P0_KEY"],
      });
      clock.pass(MINUTE);
    }
  });

  it("is not there where every source is switched off", async () => {
    const { news, ask } = stand();
    expect(await ask()).toBeNull();
    expect(news.missing).toContain("PROVIDERS_OFF");
    expect(stand({ tells: tells([]) }).news.missing).toBeNull();
  });
});
