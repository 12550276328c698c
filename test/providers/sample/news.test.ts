import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lexiconScore } from "../../../src/analytics/news/lexicon.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15, 15);
const marketAt = (now: number) => sampleMarket({ clock: { now: () => new Date(now) } });
const named = (symbol: string) => LISTINGS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;
const read = async (symbol: string, from: number, until: number, now = NOW) =>
  (await marketAt(now).news.headlines(named(symbol), { from, until }))!.headlines;

describe("sample news", () => {
  it("is told by sample wires, newest first, without links, filed under its symbol", async () => {
    const year = await read("NVDA", NOW - 365 * DAY, NOW);
    expect(year.length).toBeGreaterThan(400);
    expect(year.length).toBeLessThan(1_200);
    const times = year.map(({ publishedAt }) => publishedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(new Set(year.map(({ id }) => id)).size).toBe(year.length);
    expect(new Set(year.map(({ publisher }) => publisher))).toEqual(
      new Set(["A", "B", "C", "D", "E"].map((letter) => `Sample Wire ${letter}`)),
    );
    for (const { title, url, tags } of year) {
      expect(title).toMatch(/\$NVDA/);
      expect(title).not.toMatch(/[{}]|undefined|null/);
      expect([url, tags[0]]).toEqual([null, "NVDA"]);
    }
  });

  it("is right about the day's own move so far with a known strength", async () => {
    let [agree, told] = [0, 0];
    const spy = (await marketAt(NOW).bars.history(named("SPY"), { timeframe: "1d", limit: 400 })).bars;
    for (const { instrument, beta } of LISTINGS.filter(
      ({ instrument: { asset_class } }) => asset_class === "equity",
    )) {
      const { bars } = await marketAt(NOW).bars.history(instrument, { timeframe: "1d", limit: 400 });
      for (const { title, publishedAt, id } of await read(instrument.symbol, bars.time[1]!, NOW - DAY)) {
        // the last quarter of a day has seen most of its move
        if (id.endsWith("b") || publishedAt % DAY < 0.75 * DAY) continue;
        const day = bars.time.indexOf(Math.floor((publishedAt - 1) / DAY) * DAY);
        const own =
          bars.close[day]! / bars.close[day - 1]! - 1 - beta * (spy.close[day]! / spy.close[day - 1]! - 1);
        const tone = lexiconScore(tokensOf(title, { own: [], others: [] }));
        if (tone === null || tone === 0) continue;
        told++;
        if (Math.sign(tone) === Math.sign(own)) agree++;
      }
    }
    expect(told).toBeGreaterThan(2_000);
    expect(agree / told).toBeGreaterThan(0.72);
    expect(agree / told).toBeLessThan(0.9);
  });

  it("says from when on there is a simulated market, and that before it there is none", async () => {
    const ask = (from: string, until: string) =>
      marketAt(NOW).news.headlines(named("AAPL"), { from: Date.parse(from), until: Date.parse(until) });
    expect(await ask("1990-01-01", "1990-01-04")).toMatchObject({
      headlines: [],
      uncovered: "The sample market begins on 2017-01-02",
    });
    expect(await ask("2016-12-30", "2017-01-05")).toMatchObject({
      uncovered: null,
      completeFrom: Date.UTC(2017, 0, 2),
    });
    expect(await ask("2017-01-02", "2017-01-05")).toMatchObject({ uncovered: null, completeFrom: null });
  });

  it("tells nothing later than the clock, and the rest as it will always be told", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("AAPL", "DOGE-USD", "SPY"),
        fc.integer({ min: Date.UTC(2017, 0, 2), max: NOW }),
        fc.nat({ max: 20 * DAY }),
        async (symbol, now, back) => {
          const then = await read(symbol, now - back, now + 9 * DAY, now);
          expect(then).toEqual(await read(symbol, now - back, now, NOW + DAY));
          expect(then.every(({ publishedAt }) => publishedAt >= now - back && publishedAt <= now)).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is none of what is not listed, and says so", async () => {
    const stranger = { ...named("AAPL"), symbol: "ZZZZ" };
    expect(await marketAt(NOW).news.headlines(stranger, { from: 0, until: NOW })).toMatchObject({
      headlines: [],
      uncovered: "The sample market makes up no news of it",
    });
    expect(await read("AAPL", 0, Date.UTC(2016, 11, 31))).toEqual([]);
  });
});
