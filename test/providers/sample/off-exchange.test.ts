import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1, 12);
const marketAt = (now: number) => sampleMarket({ clock: { now: () => new Date(now) } });
const named = (symbol: string) => LISTINGS.find(({ instrument }) => instrument.symbol === symbol)!.instrument;
const daysOf = async (symbol: string, from: number, until: number, now = NOW) =>
  (await marketAt(now).offExchange.days(named(symbol), { from, until }))!;
const stocks = LISTINGS.filter(({ instrument }) => instrument.asset_class !== "crypto");

describe("sample off-exchange volume", () => {
  it("is a part of each day's volume, and holds every print of the day", async () => {
    for (const symbol of ["AAPL", "COST", "SPY"]) {
      const { bars, prints } = marketAt(NOW);
      const { bars: daily } = await bars.history(named(symbol), { timeframe: "1d", limit: 400 });
      const tape = await prints.tape(named(symbol), { from: NOW - 400 * DAY, until: NOW });
      const { rows } = await daysOf(symbol, NOW - 390 * DAY, NOW);
      expect(rows.length).toBe(390);
      for (const { day, short, shortExempt, total } of rows) {
        const volume = daily.volume[daily.time.indexOf(day)]!;
        expect(total / volume).toBeGreaterThan(0.24);
        expect(total / volume).toBeLessThan(0.61);
        expect(0 <= shortExempt && shortExempt <= short && short <= total).toBe(true);
        const printed = tape!.prints
          .filter(({ conditions, executedAt }) => conditions.length === 0 && dayAt(executedAt) === day)
          .reduce((sum, { size }) => sum + size, 0);
        expect(printed).toBeLessThan(total);
      }
    }
  });

  it("sells more short on days that rise: the planted effect, within three deviations", async () => {
    const pairs: [number, number][] = [];
    for (const { instrument } of stocks.slice(0, 20)) {
      const { bars } = await marketAt(NOW).bars.history(instrument, { timeframe: "1d", limit: 300 });
      const { rows } = await daysOf(instrument.symbol, NOW - 299 * DAY, NOW);
      for (const { day, short, total } of rows) {
        const i = bars.time.indexOf(day);
        pairs.push([Math.sign(bars.close[i]! - bars.open[i]!), short / total]);
      }
    }
    const mean = (of: number) => {
      const own = pairs.filter(([sign]) => sign === of).map(([, share]) => share);
      return own.reduce((sum, share) => sum + share, 0) / own.length;
    };
    // a normal move is .8 of its spread in the mean: .8 x .03 either way, measured .050 apart
    expect(mean(1) - mean(-1)).toBeGreaterThan(0.03);
    expect(mean(1) - mean(-1)).toBeLessThan(0.06);
  });

  it("is published two hours after its day, never before", async () => {
    const midnight = Date.UTC(2026, 0, 1);
    const early = await daysOf("AAPL", midnight - 3 * DAY, NOW, midnight + 2 * HOUR - 1);
    const late = await daysOf("AAPL", midnight - 3 * DAY, NOW, midnight + 2 * HOUR);
    expect(late.rows.map(({ day }) => day)).toEqual([-4, -3, -2, -1].map((i) => midnight + i * DAY));
    expect(early.rows).toEqual(late.rows.slice(0, -1));
    expect(late).toMatchObject({ asOf: midnight + 2 * HOUR, gap: null, stale: false, source: "sample" });
  });

  it("tells the past alike whenever it is asked", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: Date.UTC(2018, 0, 1), max: NOW }), async (now) => {
        const then = await daysOf("NVDA", now - 9 * DAY, NOW, now);
        expect(then.rows.every(({ knownAt }) => knownAt <= now)).toBe(true);
        expect(await daysOf("NVDA", now - 9 * DAY, now)).toMatchObject({ rows: then.rows });
      }),
      { numRuns: 20 },
    );
  });

  it("adds up by weeks, known 17 days after their Sunday", async () => {
    const { offExchange } = marketAt(NOW);
    const told = (await offExchange.weeks(named("AAPL"), { from: NOW - 60 * DAY, until: NOW }))!;
    // two rows for each Thursday from 2025-11-06 to 2026-01-01
    expect(told.rows.length).toBe(18);
    const { rows: days } = await daysOf("AAPL", NOW - 120 * DAY, NOW);
    for (const { week, knownAt } of told.rows) {
      expect(new Date(week).getUTCDay()).toBe(1);
      expect(knownAt).toBe(week + 24 * DAY);
      expect(knownAt > NOW - 60 * DAY - 1 && knownAt <= NOW).toBe(true);
      const own = told.rows.filter((row) => row.week === week);
      expect(own.map(({ kind }) => kind)).toEqual(["ats", "otc"]);
      const total = days
        .filter(({ day }) => day >= week && day < week + 7 * DAY)
        .reduce((sum, one) => sum + one.total, 0);
      expect(own.reduce((sum, { shares }) => sum + shares, 0)).toBe(total);
    }
  });

  it("spreads the newest day over its prices, highest first", async () => {
    const { offExchange, bars } = marketAt(NOW);
    const { rows, asOf } = (await offExchange.byPrice(named("AAPL"), { from: 0, until: NOW }))!;
    const day = Date.UTC(2025, 11, 31);
    expect(asOf).toBe(day + DAY + 2 * HOUR);
    const { bars: daily } = await bars.history(named("AAPL"), { timeframe: "1d", limit: 2 });
    const i = daily.time.indexOf(day);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(({ price }) => price)).toEqual(rows.map(({ price }) => price).toSorted((a, b) => b - a));
    const sum = rows.reduce((all, { offExchange: off, onExchange: on }) => all + off + on, 0);
    expect(sum).toBe(daily.volume[i]);
    const { rows: days } = await daysOf("AAPL", day, NOW);
    const off = rows.reduce((all, row) => all + row.offExchange, 0);
    expect(Math.abs(off - days.at(-1)!.total)).toBeLessThan(rows.length);
  });

  it("covers no coin and nothing unlisted, and says so", async () => {
    const { offExchange } = marketAt(NOW);
    for (const [instrument, gap] of [
      [named("BTC-USD"), "Off-exchange volume is reported of US stocks and funds alone"],
      [{ ...named("AAPL"), symbol: "ZZZZ" }, "The simulated market does not list ZZZZ"],
    ] as const)
      for (const kind of ["days", "weeks", "byPrice"] as const)
        expect(await offExchange[kind](instrument, { from: 0, until: NOW })).toMatchObject({ rows: [], gap });
  });
});

const dayAt = (instant: number): number => Math.floor((instant - 1) / DAY) * DAY;
