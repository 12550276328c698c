import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { ProviderFailure, type ProviderQuote } from "../../../src/domain/providers/price-provider.ts";
import { liveQuotes } from "../../../src/market/prices/quotes.ts";
import {
  fakeProvider,
  INSTRUMENTS,
  providerQuote,
  settableClock,
  shortMemory,
} from "../../support/providers.ts";

const named = (symbol: string): Instrument => ({ ...INSTRUMENTS.us, symbol });
const FIVE = ["A", "B", "C", "D", "E"].map(named);

/** Quotes of a provider with batches of two behind one that has only single quotes. */
function setup({ ageMs = 1_000, fail = false, unlisted = "" } = {}) {
  const clock = settableClock("2026-01-15T15:00:00Z");
  const batches: string[][] = [];
  const singles: string[] = [];
  const quoteNow = (): ProviderQuote =>
    providerQuote({ tradedAt: clock.at() - ageMs, bid: 99.9, ask: 100.1, high: null, low: null });
  const guards = [
    fakeProvider("single", {
      clock,
      latest: async () => {
        singles.push("single");
        return providerQuote({ tradedAt: clock.at(), high: null, low: null });
      },
    }),
    fakeProvider("batch", {
      clock,
      batchSize: 2,
      latestOf: async (instruments) => {
        batches.push(instruments.map(({ symbol }) => symbol));
        if (fail) throw new ProviderFailure("down", "no");
        const listed = instruments.filter(({ symbol }) => symbol !== unlisted);
        return new Map(listed.map(({ symbol }) => [symbol, quoteNow()]));
      },
    }),
  ];
  const { memory } = shortMemory();
  const quotes = liveQuotes({ chain: () => guards, memory, clock });
  return { quotes, batches, singles, clock, memory };
}

describe("quotes fetched in batches", () => {
  it("take one call per batch, and are then served from memory with their provider and bid and ask", async () => {
    const { quotes, batches, singles, memory } = setup();
    await quotes.prefetch!(FIVE);
    expect(batches).toEqual([["A", "B"], ["C", "D"], ["E"]]);
    for (const instrument of FIVE)
      expect(await quotes.latest(instrument)).toMatchObject({
        source: "batch",
        bid: 99.9,
        ask: 100.1,
        price_source: "live_quote",
        origin: { served_from: "memory", tried: [{ provider: "batch", outcome: "answered" }] },
      });
    expect(singles).toEqual([]);
    expect(await memory.quote("E")).toMatchObject({ source: "batch", bid: 99.9 });
  });

  it("are not fetched again while they are fresh, nor for a single instrument", async () => {
    const { quotes, batches } = setup();
    await quotes.prefetch!(FIVE.slice(0, 2));
    await quotes.prefetch!(FIVE.slice(0, 2));
    await quotes.prefetch!(FIVE.slice(4));
    expect(batches).toEqual([["A", "B"]]);
  });

  it.each([
    ["the batch fails", { fail: true }, 2],
    ["its prices are not live", { ageMs: 600_000 }, 2],
    ["an instrument is missing", { unlisted: "B" }, 1],
  ])("leave the rest to single calls if %s", async (_, options, expected) => {
    const { quotes, singles } = setup(options);
    await quotes.prefetch!(FIVE.slice(0, 2));
    for (const instrument of FIVE.slice(0, 2)) await quotes.latest(instrument);
    expect(singles).toHaveLength(expected);
  });

  it("come from the next provider with batches where the first lacks them or is not live", async () => {
    const clock = settableClock("2026-01-15T15:00:00Z");
    const batches: string[] = [];
    const provider = (name: string, ages: Readonly<Record<string, number>>) =>
      fakeProvider(name, {
        clock,
        batchSize: 50,
        latestOf: async (instruments) => {
          batches.push(`${name} ${instruments.map(({ symbol }) => symbol).join("")}`);
          const listed = instruments.filter(({ symbol }) => ages[symbol] !== undefined);
          return new Map(
            listed.map(({ symbol }) => [
              symbol,
              providerQuote({ tradedAt: clock.at() - ages[symbol]!, high: null, low: null }),
            ]),
          );
        },
      });
    const guards = [provider("first", { A: 1_000, B: 900_000 }), provider("second", { B: 2_000, C: 3_000 })];
    const quotes = liveQuotes({ chain: () => guards, memory: shortMemory().memory, clock });
    await quotes.prefetch!(FIVE.slice(0, 3));
    expect(batches).toEqual(["first ABC", "second BC"]);
    const found = await Promise.all(FIVE.slice(0, 3).map((instrument) => quotes.latest(instrument)));
    expect(found.map(({ source }) => source)).toEqual(["first", "second", "second"]);
  });

  it.each([
    ["before the open", "2026-01-15T13:00:00Z", ["A", "B"]],
    ["in the session", "2026-01-15T15:00:00Z", []],
  ])("are served %s though the last trade of all venues is minutes old: %s", async (_, at, served) => {
    const clock = settableClock(at);
    const old = () =>
      providerQuote({ tradedAt: clock.at() - 600_000, volumeScope: "all_venues", high: null, low: null });
    const { memory } = shortMemory();
    const guard = fakeProvider("batch", {
      clock,
      batchSize: 50,
      latestOf: async (instruments) => new Map(instruments.map(({ symbol }) => [symbol, old()])),
    });
    const quotes = liveQuotes({ chain: () => [guard], memory, clock });
    await quotes.prefetch!(FIVE.slice(0, 2));
    const stored = await Promise.all(["A", "B"].map((symbol) => memory.quote(symbol)));
    expect(["A", "B"].filter((_symbol, i) => stored[i] !== null)).toEqual(served);
  });

  it("stop if the caller aborts", async () => {
    const { quotes, batches } = setup();
    const stop = new AbortController();
    stop.abort(new Error("gone"));
    await expect(quotes.prefetch!(FIVE, { signal: stop.signal })).rejects.toThrow("gone");
    expect(batches).toEqual([]);
  });
});
