import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TIMEFRAME_MS, TIMEFRAMES } from "../../src/domain/market/bars.ts";
import { newYorkDate } from "../../src/lib/newyork.ts";
import { barCloseMs, sessionOf } from "../../src/market/calendar/calendar.ts";
import { EPOCH } from "../../src/providers/sample/time.ts";
import { recordings } from "./market.ts";
import { createWorld } from "./shared-world.ts";
import type { WorldBar } from "./world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SATURDAY = Date.parse("2026-11-21T08:00:00Z");

/** A world created on a Saturday, whose clock a test sets. */
function worldAt(at: number) {
  const clock = { at: SATURDAY };
  const world = createWorld({ now: () => clock.at });
  clock.at = at;
  return { clock, world };
}

const { clock, world } = worldAt(SATURDAY);
const crypto = (symbol: string) => symbol.endsWith("-USD");
const symbols = fc.constantFrom("AAPL", "BRK.B", "LINK", "XLK", "LINK-USD", "SHIB-USD", "USDT-USD");
const instants = fc.integer({ min: Date.UTC(2024, 5, 1), max: Date.UTC(2027, 5, 30) });
const timeframes = fc.constantFrom(...TIMEFRAMES);
const hours = fc.constantFrom("regular", "extended");
const within = { numRuns: 60 };

/** Start of the bar of a timeframe that contains an instant of regular trading. */
function startOf(
  symbol: string,
  time: number,
  timeframe: (typeof TIMEFRAMES)[number],
  origin: "regular" | "extended",
) {
  const length = TIMEFRAME_MS[timeframe];
  if (crypto(symbol)) return time - (time % length);
  const date = newYorkDate(time);
  if (timeframe === "1d") return Date.parse(date);
  const { open } = sessionOf(date)!;
  const first = origin === "regular" ? open : open - 5.5 * HOUR;
  return first + Math.floor((time - first) / length) * length;
}

function joined(bars: readonly WorldBar[], start: (bar: WorldBar) => number): WorldBar[] {
  const groups = new Map<number, WorldBar[]>();
  for (const bar of bars) groups.set(start(bar), [...(groups.get(start(bar)) ?? []), bar]);
  return [...groups].map(([time, parts]) => ({
    time,
    open: parts[0]!.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: parts.at(-1)!.close,
    volume: parts.reduce((sum, { volume }) => sum + volume, 0),
  }));
}

describe("a replayed world", () => {
  it("aggregates bars of every length from the same five-minute bars", () => {
    fc.assert(
      fc.property(symbols, instants, timeframes, hours, (symbol, now, timeframe, included) => {
        clock.at = now;
        const day = timeframe === "1d" || included === "regular" ? "regular" : "extended";
        const from = Date.parse(newYorkDate(now - 5 * DAY));
        const fives = world.bars(symbol, "5m", { from: from - DAY, until: now, hours: day });
        const bars = world.bars(symbol, timeframe, { from, until: now, hours: included });
        const made = joined(fives, ({ time }) => startOf(symbol, time, timeframe, day));
        expect(bars).toEqual(made.filter(({ time }) => time >= from));
        expect(bars.length).toBeGreaterThan(0);
      }),
      within,
    );
  });

  it("has minutes that add up to its five-minute bars", () => {
    fc.assert(
      fc.property(symbols, instants, hours, (symbol, now, included) => {
        clock.at = now;
        const range = { from: now - 2 * DAY, until: now, hours: included };
        const minutes = world.bars(symbol, "1m", { ...range, from: range.from - DAY });
        const made = joined(minutes, ({ time }) => time - (time % 300_000));
        expect(made.filter(({ time }) => time >= range.from)).toEqual(world.bars(symbol, "5m", range));
      }),
      { numRuns: 20 },
    );
  });

  it("never changes a closed bar, in any order of requests", () => {
    fc.assert(
      fc.property(
        symbols,
        instants,
        timeframes,
        fc.integer({ min: 0, max: 9 * DAY }),
        (symbol, now, timeframe, later) => {
          const zone = crypto(symbol) ? "UTC" : "America/New_York";
          const range = { from: now - 6 * DAY, until: now };
          clock.at = now;
          const before = world.bars(symbol, timeframe, range);
          const closed = before.filter(({ time }) => barCloseMs(time, timeframe, zone) <= now);
          expect(closed.length).toBeGreaterThanOrEqual(before.length - 1);
          clock.at = now + later;
          expect(world.bars(symbol, timeframe, range).slice(0, closed.length)).toEqual(closed);
          const other = worldAt(now + later).world;
          expect(other.bars(symbol, timeframe, range).slice(0, closed.length)).toEqual(closed);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("reports nothing later than its clock, and only day figures that later trades do not contradict", () => {
    fc.assert(
      fc.property(symbols, instants, fc.integer({ min: 0, max: 5 * HOUR }), (symbol, now, later) => {
        clock.at = now;
        const ask = { from: now - 7 * DAY, until: now + DAY };
        for (const timeframe of TIMEFRAMES)
          expect(
            world.bars(symbol, timeframe, { ...ask, hours: "extended" }).every(({ time }) => time <= now),
          ).toBe(true);
        const so = world.bars(symbol, "1d", ask).at(-1)!;
        const newest = world.bars(symbol, "5m", { ...ask, hours: "extended" }).at(-1)!;
        const { price, at } = world.trade(symbol)!;
        expect(at).toBeLessThanOrEqual(now);
        expect(price).toBe(newest.close);
        clock.at = now + later;
        const then = world.bars(symbol, "1d", ask).find(({ time }) => time === so.time)!;
        expect(then.open).toBe(so.open);
        expect(then.high).toBeGreaterThanOrEqual(so.high);
        expect(then.low).toBeLessThanOrEqual(so.low);
        expect(then.volume).toBeGreaterThanOrEqual(so.volume);
      }),
      within,
    );
  });

  it("reports the newest trade with its day's figures, and the close of the day before", () => {
    fc.assert(
      fc.property(symbols, instants, (symbol, now) => {
        clock.at = now;
        const trade = world.trade(symbol)!;
        const days = world.bars(symbol, "1d", { from: now - 10 * DAY, until: now });
        const day = crypto(symbol)
          ? trade.at - 1 - ((trade.at - 1) % DAY)
          : Date.parse(newYorkDate(trade.at - 1));
        expect(trade.price).toBeLessThanOrEqual(trade.high);
        expect(trade.price).toBeGreaterThanOrEqual(trade.low);
        expect(trade.previousClose).toBe(days.findLast(({ time }) => time < day)!.close);
        if (crypto(symbol)) expect(now - trade.at).toBeLessThan(5_000);
      }),
      within,
    );
  });

  it("closes after 42 five-minute bars on the day after Thanksgiving, and has no session on Thanksgiving", () => {
    const { world } = worldAt(Date.parse("2026-11-30T12:00:00Z"));
    const range = { from: Date.parse("2026-11-26T05:00:00Z"), until: Date.parse("2026-11-28T23:59:00Z") };
    const fives = world.bars("LINK", "5m", range);
    expect(fives).toHaveLength(42);
    expect(fives[0]!.time).toBe(Date.parse("2026-11-27T14:30:00Z"));
    expect(fives.at(-1)!.time).toBe(Date.parse("2026-11-27T17:55:00Z"));
    const all = world.bars("LINK", "1h", { ...range, hours: "extended" });
    expect(all[0]!.time).toBe(Date.parse("2026-11-27T09:00:00Z"));
    expect(all.at(-1)!.time).toBe(Date.parse("2026-11-27T21:00:00Z"));
    expect(world.bars("LINK", "1d", range).map(({ time }) => time)).toEqual([Date.UTC(2026, 10, 27)]);
    expect(world.bars("LINK-USD", "1d", range)).toHaveLength(2);
  });

  it("opens at 09:30 New York time before and after a daylight-saving change", () => {
    const { world } = worldAt(Date.parse("2026-03-10T04:00:00Z"));
    const range = { from: Date.parse("2026-03-06T05:00:00Z"), until: Date.parse("2026-03-10T04:00:00Z") };
    expect(
      world.bars("AAPL", "4h", range).map(({ time }) => new Date(time).toISOString().slice(0, 16)),
    ).toEqual(["2026-03-06T14:30", "2026-03-06T18:30", "2026-03-09T13:30", "2026-03-09T17:30"]);
    expect(world.bars("AAPL", "1h", range)).toHaveLength(14);
  });

  it("starts after-hours trading at the close and ends pre-market trading at the open", () => {
    const { world } = worldAt(Date.parse("2026-11-20T20:59:59Z"));
    const ask = { from: Date.parse("2026-11-19T05:00:00Z"), until: SATURDAY, hours: "extended" } as const;
    const bars = world.bars("XOM", "30m", ask);
    const at = (time: string) => bars.find((bar) => bar.time === Date.parse(time))!;
    expect(at("2026-11-19T21:00:00Z").open).toBe(at("2026-11-19T20:30:00Z").close);
    expect(at("2026-11-20T09:00:00Z").open).toBe(at("2026-11-20T00:30:00Z").close);
    expect(at("2026-11-20T14:00:00Z").close).toBe(at("2026-11-20T14:30:00Z").open);
    expect(at("2026-11-20T14:00:00Z").volume).toBeLessThan(at("2026-11-20T14:30:00Z").volume / 10);
  });

  it("lists exactly the instruments of the directory", () => {
    const { world } = worldAt(SATURDAY);
    expect(world.instrument("LINK")?.name).toBe("Interlink Electronics");
    expect(world.instrument("LINK-USD")?.name).toBe("Chainlink");
    expect(world.instruments().length).toBeGreaterThan(1_000);
    const odd = world.instruments().filter(({ symbol }) => !(world.trade(symbol)!.price > 0));
    expect(odd).toEqual([]);
    for (const unknown of ["ZZZZ", "BRK-B", "BTC"]) {
      expect(world.instrument(unknown)).toBeNull();
      expect(world.trade(unknown)).toBeNull();
      expect(world.bars(unknown, "1d", { from: 0, until: SATURDAY })).toEqual([]);
      expect(world.splits(unknown)).toEqual([]);
    }
  });

  it("adjusts prices for a split from its date on", () => {
    const split = { day: Date.parse("2025-11-17"), factor: 10 };
    expect(worldAt(SATURDAY).world.splits("NFLX")).toEqual([split]);
    expect(worldAt(Date.parse("2025-11-16T20:00:00Z")).world.splits("NFLX")).toEqual([]);
    expect(worldAt(SATURDAY).world.splits("AAPL")).toEqual([]);
  });

  it("has its first trade in early January 2017", () => {
    const { world } = worldAt(Date.UTC(2016, 5, 1));
    expect(world.trade("AAPL")).toBeNull();
    expect(world.bars("BTC-USD", "5m", { from: 0, until: SATURDAY })).toEqual([]);
  });
});

describe("prices of a replayed world", () => {
  const sunday = Date.UTC(2026, 10, 22);
  const { world } = worldAt(sunday);

  it("equal the simulator's daily candles for stocks", () => {
    const friday = Date.UTC(2026, 10, 20);
    const { path, listing } = recordings("AAPL")!;
    const { open, high, low, close, volume } = path.candle((friday - EPOCH) / DAY);
    expect(world.bars("AAPL", "1d", { from: friday, until: friday })).toEqual([
      {
        time: friday,
        open: open / listing.scale,
        high: high / listing.scale,
        low: low / listing.scale,
        close: close / listing.scale,
        volume,
      },
    ]);
  });

  it("equal the simulator's ticks for coins", () => {
    const from = sunday - DAY;
    const { tape } = recordings("BTC-USD")!;
    const bars = world.bars("BTC-USD", "1h", { from, until: sunday - 1 });
    expect(bars).toEqual(
      Array.from({ length: 24 }, (_, hour) => ({
        time: from + hour * HOUR,
        ...tape((from - EPOCH) / DAY, hour * 720, (hour + 1) * 720),
      })),
    );
  });
});
