import { describe, expect, it } from "vitest";
import type { AssetClass } from "../../../src/domain/market/market.ts";
import type { Headline } from "../../../src/domain/news/news.ts";
import type { NewsProviderAnswer, NewsRequest } from "../../../src/domain/news/provider.ts";
import { ProviderFailure } from "../../../src/domain/providers/price-provider.ts";
import { liveNews } from "../../../src/features/news/live.ts";
import { fixed } from "../../support/fixed-world.ts";
import { respondingProvider } from "../../support/providers.ts";
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
  readonly respond: (question: NewsRequest) => NewsProviderAnswer | ProviderFailure;
}

function liveFeed(...ways: readonly Way[]) {
  const clock = movingClock(new Date(NOW));
  const requests: string[] = [];
  const providers = ways.map(({ serves = ["equity", "etf", "crypto"], past = true, reachMs, respond }, i) => {
    const facts = { serves: new Set(serves), past, ...(reachMs !== undefined && { reachMs }) };
    const call = (question: NewsRequest) => {
      requests.push(`p${i} ${question.instrument.symbol}`);
      return respond(question);
    };
    return respondingProvider(`p${i}`, clock, call, facts);
  });
  const news = liveNews({ providers, clock, pastSettings: "ACME_KEY", settings: { p0: "P0_KEY" } });
  const ask = (symbol = "AAPL", hours = 24, until = clock.now().getTime()) =>
    news.headlines(fixed(symbol), { from: until - hours * HOUR, until });
  return { clock, requests, news, ask };
}
const headlines =
  (items: readonly Headline[], completeFrom: number | null = null) =>
  () => ({ headlines: items, completeFrom });
const down = () => new ProviderFailure("down", "so");

describe("live news", () => {
  it("is cut to the requested window, each item once and newest first, from one call", async () => {
    const { ask, requests } = liveFeed({
      respond: headlines([
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
    expect(requests).toEqual(["p0 AAPL"]);
  });

  it("names the time before which headlines may be missing, if it is in the window", async () => {
    const { ask } = liveFeed({ respond: headlines([headline("a", 1)], NOW - 10 * HOUR) });
    expect((await ask())!.completeFrom).toBe(NOW - 10 * HOUR);
    expect((await ask("AAPL", 5))!.completeFrom).toBeNull();
  });

  it("takes a window that ended within a week from the newest headlines if they reach it", async () => {
    const lines = [headline("a", 1), headline("b", 100)];
    const whole = liveFeed({ past: false, respond: headlines(lines) });
    const then = await whole.ask("AAPL", 24, NOW - 90 * HOUR);
    expect(then).toMatchObject({ source: "p0", headlines: [{ id: "b" }], asOf: NOW - 90 * HOUR });
    await whole.ask();
    expect(whole.requests).toEqual(["p0 AAPL"]);
    const short = liveFeed(
      { past: false, respond: headlines([headline("a", 1)], NOW - HOUR) },
      { serves: ["equity"], respond: headlines([headline("c", 95)]) },
    );
    expect(await short.ask("AAPL", 24, NOW - 90 * HOUR)).toMatchObject({
      source: "p1",
      headlines: [{ id: "c" }],
    });
  });

  it("requests an older window only from providers with an archive, and names the setting that connects one", async () => {
    const long = NOW - 240 * HOUR;
    const some = liveFeed(
      { past: false, respond: headlines([headline("a", 1)]) },
      { respond: headlines([headline("b", 250)]) },
    );
    expect(await some.ask("AAPL", 24, long)).toMatchObject({
      source: "p1",
      headlines: [{ id: "b" }],
      asOf: long,
    });
    expect(some.requests).toEqual(["p1 AAPL"]);
    const none = liveFeed({ past: false, respond: headlines([]) });
    expect(await none.ask("AAPL", 24, long)).toMatchObject({
      headlines: [],
      uncovered: "The connected providers supply only the newest headlines; ACME_KEY connects an archive",
    });
    expect(none.requests).toEqual([]);
  });

  it("requests a past moment once for all windows, and caches it for a day", async () => {
    const until = NOW - 240 * HOUR;
    const { ask, requests, clock } = liveFeed({
      respond: headlines([headline("a", 250), headline("b", 300)]),
    });
    expect((await ask("AAPL", 24, until))!.headlines).toHaveLength(1);
    clock.pass(23 * HOUR);
    expect((await ask("AAPL", 168, until))!.headlines).toHaveLength(2);
    expect(requests).toEqual(["p0 AAPL"]);
  });

  it("makes no request for days that no provider reaches", async () => {
    const { ask, requests } = liveFeed(
      { reachMs: 89 * 24 * HOUR, respond: headlines([]) },
      { past: false, respond: headlines([]) },
    );
    expect(await ask("AAPL", 24, NOW - 90 * 24 * HOUR)).toMatchObject({
      source: null,
      uncovered: "No connected provider has news that old; ACME_KEY connects a longer archive",
    });
    expect(requests).toEqual([]);
    expect(await ask("AAPL", 24, NOW - 88 * 24 * HOUR)).toMatchObject({ source: "p0", uncovered: null });
  });

  it("does not report an empty list for days years ago as days without news", async () => {
    const { ask } = liveFeed({ respond: headlines([]) });
    const far = NOW - 400 * 24 * HOUR;
    expect(await ask("AAPL", 24, far)).toMatchObject({
      source: null,
      completeFrom: null,
      uncovered: "p0 has no headlines of these days, but some may exist; ACME_KEY connects a longer archive",
    });
    expect(await ask("AAPL", 24, NOW - 300 * 24 * HOUR)).toMatchObject({
      source: "p0",
      uncovered: null,
      completeFrom: null,
    });
    const refusing = liveFeed({ respond: () => new ProviderFailure("unknown_symbol", "so") });
    expect(await refusing.ask("AAPL", 24, far)).toMatchObject({
      source: null,
      fetchedAt: null,
      uncovered: "No connected provider has news of this symbol for those days",
    });
  });

  it("does not report an empty list if its provider states that headlines may be missing", async () => {
    const { ask } = liveFeed({ respond: ({ until }) => ({ headlines: [], completeFrom: until }) });
    expect(await ask()).toMatchObject({
      source: null,
      headlines: [],
      uncovered: "p0 has no headlines of these days, but some may exist",
    });
    const half = liveFeed({ respond: ({ until }) => ({ headlines: [], completeFrom: until - 12 * HOUR }) });
    expect(await half.ask()).toMatchObject({ uncovered: null, completeFrom: NOW - 12 * HOUR });
  });

  it("is an empty list with a reason if no provider covers the instrument", async () => {
    const unknown = liveFeed({ respond: () => new ProviderFailure("unknown_symbol", "so") });
    expect(await unknown.ask()).toMatchObject({
      headlines: [],
      uncovered: "No connected provider covers this symbol",
    });
    const stocks = liveFeed({ serves: ["equity"], respond: headlines([]) });
    expect(await stocks.ask("BTC-USD")).toMatchObject({
      uncovered: "No connected provider covers this asset class",
    });
    expect(await liveFeed({ respond: headlines([]) }).ask()).toMatchObject({
      headlines: [],
      uncovered: null,
    });
  });

  it("falls back in order, returns an older answer only as stale, and rejects without one", async () => {
    const second = liveFeed({ respond: down }, { respond: headlines([headline("a", 1)]) });
    expect(await second.ask()).toMatchObject({
      source: "p1",
      tried: [{ outcome: "down" }, { outcome: "answered" }],
    });
    let up = true;
    const { ask, clock } = liveFeed({
      respond: () => (up ? { headlines: [headline("a", 1)], completeFrom: null } : down()),
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

  it("names a rejected key, and recommends no retry", async () => {
    const { ask, clock } = liveFeed(
      { respond: () => new ProviderFailure("auth", "so") },
      { respond: headlines([headline("a", 1)]) },
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

  it("is null if every provider is switched off", async () => {
    const { news, ask } = liveFeed();
    expect(await ask()).toBeNull();
    expect(news.missing).toContain("PROVIDERS_OFF");
    expect(liveFeed({ respond: headlines([]) }).news.missing).toBeNull();
  });

  describe("with wires", () => {
    const wired = (main: Way["respond"], ...wires: readonly Way["respond"][]) => {
      const clock = movingClock(new Date(NOW));
      const requests: string[] = [];
      const providerOf = (name: string, respond: Way["respond"]) =>
        respondingProvider(
          name,
          clock,
          (question: NewsRequest) => {
            requests.push(name);
            return respond(question);
          },
          { serves: new Set<AssetClass>(["equity"]), past: false },
        );
      const news = liveNews({
        providers: [providerOf("main", main)],
        wires: wires.map((respond, i) => providerOf(`wire${i}`, respond)),
        clock,
        pastSettings: "ACME_KEY",
      });
      const ask = (until = NOW) => news.headlines(fixed("AAPL"), { from: until - 24 * HOUR, until });
      return { ask, requests };
    };
    const release = headlines([headline("r", 2)], NOW - 3 * HOUR);

    it("completes the list of a provider, each headline with its source", async () => {
      const { ask } = wired(headlines([headline("a", 3)]), release, headlines([headline("s", 1)]));
      const feed = (await ask())!;
      expect(feed.headlines.map(({ id, source }) => [id, source])).toEqual([
        ["s", "wire1"],
        ["r", "wire0"],
        ["a", undefined],
      ]);
      expect(feed).toMatchObject({ source: "main", completeFrom: null, uncovered: null });
      expect(feed.tried.map(({ provider }) => provider)).toEqual(["main"]);
    });

    it("has the list of a provider without a wire that fails, and says so", async () => {
      const feed = (await wired(headlines([headline("a", 3)]), down).ask())!;
      expect(feed.headlines.map(({ id }) => id)).toEqual(["a"]);
      expect(feed.tried).toMatchObject([
        { provider: "main", outcome: "answered" },
        { provider: "wire0", outcome: "down" },
      ]);
    });

    it("has the wires alone if no provider answers; others may be missing at any time", async () => {
      const feed = (await wired(down, release).ask())!;
      expect(feed).toMatchObject({ source: "wire0", completeFrom: NOW, uncovered: null });
      expect(feed.headlines.map(({ id }) => id)).toEqual(["r"]);
      expect(feed.tried.map(({ provider }) => provider)).toContain("main");
      const unknown = () => new ProviderFailure("unknown_symbol", "no");
      expect(await wired(unknown, release).ask()).toMatchObject({ source: "wire0" });
      expect(await wired(unknown, headlines([])).ask()).toMatchObject({
        source: null,
        uncovered: "No connected provider covers this symbol",
      });
    });

    it("fails if no provider answers and the wires have nothing", async () => {
      await expect(wired(down, headlines([])).ask()).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    });

    it("requests no wire for a window that ended more than a week ago, and cuts one of the last week", async () => {
      const long = wired(headlines([headline("a", 3)]), release);
      await long.ask(NOW - 8 * 24 * HOUR);
      expect(long.requests).not.toContain("wire0");
      const feed = (await long.ask(NOW - 2.5 * HOUR))!;
      expect(feed.headlines.map(({ id }) => id)).toEqual(["a"]);
    });
  });
});
