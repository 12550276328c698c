import { describe, expect, it } from "vitest";
import { LISTINGS } from "../../../src/providers/sample/listing.ts";
import { DAY, HOUR, listed, marketAt, mean } from "./fixture.ts";

const NOW = Date.UTC(2026, 0, 1, 12);
const daysOf = async (symbol: string, from: number, until: number, now = NOW) =>
  (await marketAt(now).offExchange.days(listed(symbol), { from, until }))!;
const stocks = LISTINGS.filter(({ instrument }) => instrument.asset_class !== "crypto");

describe("sample off-exchange volume", () => {
  it("is a share of each day's volume that includes every print of the day", async () => {
    for (const symbol of ["AAPL", "COST", "SPY"]) {
      const { bars, prints } = marketAt(NOW);
      const { bars: daily } = await bars.history(listed(symbol), { timeframe: "1d", limit: 400 });
      const tape = await prints.tape(listed(symbol), { from: NOW - 400 * DAY, until: NOW });
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

  it("has more short sales on rising days: the planted effect, within three standard deviations", async () => {
    const pairs: [number, number][] = [];
    for (const { instrument } of stocks.slice(0, 20)) {
      const { bars } = await marketAt(NOW).bars.history(instrument, { timeframe: "1d", limit: 300 });
      const { rows } = await daysOf(instrument.symbol, NOW - 299 * DAY, NOW);
      for (const { day, short, total } of rows) {
        const i = bars.time.indexOf(day);
        pairs.push([Math.sign(bars.close[i]! - bars.open[i]!), short / total]);
      }
    }
    const shareOn = (of: number) => mean(pairs.filter(([sign]) => sign === of).map(([, share]) => share));
    // The mean of a normal move is .8 of its standard deviation: .8 x .03 in either direction, .050 apart as measured.
    expect(shareOn(1) - shareOn(-1)).toBeGreaterThan(0.03);
    expect(shareOn(1) - shareOn(-1)).toBeLessThan(0.06);
  });

  it("is published two hours after its day, never earlier", async () => {
    const midnight = Date.UTC(2026, 0, 1);
    const early = await daysOf("AAPL", midnight - 3 * DAY, NOW, midnight + 2 * HOUR - 1);
    const late = await daysOf("AAPL", midnight - 3 * DAY, NOW, midnight + 2 * HOUR);
    expect(late.rows.map(({ day }) => day)).toEqual([-4, -3, -2, -1].map((i) => midnight + i * DAY));
    expect(early.rows).toEqual(late.rows.slice(0, -1));
    expect(late).toMatchObject({ asOf: midnight + 2 * HOUR, gap: null, stale: false, source: "sample" });
  });

  it("is summed by week, published 17 days after the week's Sunday", async () => {
    const { offExchange } = marketAt(NOW);
    const answer = (await offExchange.weeks(listed("AAPL"), { from: NOW - 60 * DAY, until: NOW }))!;
    // two rows for each Thursday from 2025-11-06 to 2026-01-01
    expect(answer.rows.length).toBe(18);
    const { rows: days } = await daysOf("AAPL", NOW - 120 * DAY, NOW);
    for (const { week, knownAt } of answer.rows) {
      expect(new Date(week).getUTCDay()).toBe(1);
      expect(knownAt).toBe(week + 24 * DAY);
      expect(knownAt > NOW - 60 * DAY - 1 && knownAt <= NOW).toBe(true);
      const own = answer.rows.filter((row) => row.week === week);
      expect(own.map(({ kind }) => kind)).toEqual(["ats", "otc"]);
      const total = days
        .filter(({ day }) => day >= week && day < week + 7 * DAY)
        .reduce((sum, day) => sum + day.total, 0);
      expect(own.reduce((sum, { shares }) => sum + shares, 0)).toBe(total);
    }
  });

  it("distributes the newest day over its prices, highest first", async () => {
    const { offExchange, bars } = marketAt(NOW);
    const { rows, asOf } = (await offExchange.byPrice(listed("AAPL"), { from: 0, until: NOW }))!;
    const day = Date.UTC(2025, 11, 31);
    expect(asOf).toBe(day + DAY + 2 * HOUR);
    const { bars: daily } = await bars.history(listed("AAPL"), { timeframe: "1d", limit: 2 });
    const i = daily.time.indexOf(day);
    expect(rows.length).toBeGreaterThan(5);
    expect(rows.map(({ price }) => price)).toEqual(rows.map(({ price }) => price).toSorted((a, b) => b - a));
    const sum = rows.reduce((all, { offExchange: off, onExchange: on }) => all + off + on, 0);
    expect(sum).toBe(daily.volume[i]);
    const { rows: days } = await daysOf("AAPL", day, NOW);
    const off = rows.reduce((all, row) => all + row.offExchange, 0);
    expect(Math.abs(off - days.at(-1)!.total)).toBeLessThan(rows.length);
  });

  it("covers no coin, with the reason", async () => {
    const { offExchange } = marketAt(NOW);
    const gap = "Off-exchange volume is reported only for US stocks and funds";
    for (const kind of ["days", "weeks", "byPrice"] as const)
      expect(await offExchange[kind](listed("BTC-USD"), { from: 0, until: NOW })).toMatchObject({
        rows: [],
        gap,
      });
  });
});

const dayAt = (instant: number): number => Math.floor((instant - 1) / DAY) * DAY;
