import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Bars,
  type BarTimeframe,
  sliceBars,
  TIMEFRAME_MS,
  TIMEFRAMES,
  type Timeframe,
  weekStart,
} from "../../../src/domain/market/bars.ts";
import { SAMPLE_VERSION, sampleMarketId } from "../../../src/providers/sample/market.ts";
import { marketAt, listed as named, UNLISTED } from "./fixture.ts";

const DAY = TIMEFRAME_MS["1d"];
const START = Date.UTC(2017, 0, 1);
const { members } = marketAt(START);
const instruments = fc.constantFrom(...members);
const timeframes = fc.constantFrom(...TIMEFRAMES);
const moments = fc.integer({ min: Date.UTC(2017, 5, 1), max: Date.UTC(2031, 0, 1) });
const rows = ({ time, open, high, low, close, volume }: Bars) =>
  Array.from(time, (at, i) => [at, open[i]!, high[i]!, low[i]!, close[i]!, volume[i]!]);

/** Longer bars aggregated from shorter ones. */
function added(bars: Bars, timeframe: BarTimeframe): number[][] {
  const length = TIMEFRAME_MS[timeframe];
  const longer: number[][] = [];
  for (const [time, open, high, low, close, volume] of rows(bars)) {
    const last = longer.at(-1);
    if (last === undefined || time! >= last[0]! + length)
      longer.push([
        timeframe === "1w" ? weekStart(time!) : Math.floor(time! / length) * length,
        open!,
        high!,
        low!,
        close!,
        volume!,
      ]);
    else last.splice(2, 4, Math.max(last[2]!, high!), Math.min(last[3]!, low!), close!, last[5]! + volume!);
  }
  return longer;
}

describe("history", () => {
  it("never changes as the clock moves on, in any order of requests", async () => {
    const request = fc.tuple(instruments, timeframes, fc.integer({ min: 1, max: 40 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 4 }),
        moments,
        fc.nat({ max: 900 * DAY }),
        async (requests, asOf, later) => {
          const then = marketAt(asOf);
          const now = marketAt(asOf + later);
          await now.quotes.latest(named("SPY"));
          for (const [instrument, timeframe, limit] of requests.toReversed())
            await now.bars.history(instrument, { timeframe, limit });
          for (const [instrument, timeframe, limit] of requests)
            expect((await now.bars.history(instrument, { timeframe, limit, asOf })).bars).toEqual(
              (await then.bars.history(instrument, { timeframe, limit })).bars,
            );
        },
      ),
      { numRuns: 30 },
    );
  });

  it("has weeks from Monday to Sunday that contain their days exactly", async () => {
    await fc.assert(
      fc.asyncProperty(instruments, moments, async (instrument, now) => {
        const { bars } = marketAt(now);
        const weeks = await bars.history(instrument, { timeframe: "1w", limit: 3 });
        const monday = weekStart(now);
        expect([...weeks.bars.time]).toEqual([3, 2, 1].map((ago) => monday - 7 * ago * DAY));
        expect(weeks).toMatchObject({ as_of: new Date(monday).toISOString() });
        const days = await bars.history(instrument, { timeframe: "1d", limit: 21, asOf: monday });
        const built = [0, 7, 14].map((first) => added(sliceBars(days.bars, first, first + 7), "1w"));
        expect(rows(weeks.bars)).toEqual(built.map(([week]) => week));
        const begun = await bars.history(instrument, { timeframe: "1d", limit: 7 });
        const own = rows(begun.bars).filter(([time]) => time! >= monday);
        const all = begun.forming === null ? own : [...own, Object.values(begun.forming)];
        const column = (index: number) => all.map((row) => row[index]!);
        expect(weeks.forming).toEqual(
          all.length === 0
            ? null
            : {
                time: monday,
                open: column(1)[0],
                high: Math.max(...column(2)),
                low: Math.min(...column(3)),
                close: column(4).at(-1),
                volume: column(5).reduce((sum, units) => sum + units, 0),
              },
        );
      }),
      { numRuns: 20 },
    );
  });

  it("has minutes from which its five-minute bars are aggregated exactly", async () => {
    await fc.assert(
      fc.asyncProperty(instruments, moments, async (instrument, now) => {
        const { bars } = marketAt(now);
        const end = Math.floor(now / 300_000) * 300_000;
        const read = async (timeframe: BarTimeframe, limit: number) =>
          (await bars.history(instrument, { timeframe, limit, asOf: end })).bars;
        expect(rows(await read("5m", 6))).toEqual(added(await read("1m", 30), "5m"));
        const minutes = await bars.history(instrument, { timeframe: "1m", limit: 2 });
        const minute = Math.floor(now / 60_000) * 60_000;
        expect([...minutes.bars.time]).toEqual([minute - 120_000, minute - 60_000]);
        expect(minutes.as_of).toBe(new Date(minute).toISOString());
        if (minutes.forming !== null) expect(minutes.forming.time).toBe(minute);
        expect(minutes.forming === null).toBe(now - minute < 5_000);
      }),
      { numRuns: 20 },
    );
  });

  it("has no extended hours, because it never closes", async () => {
    const { bars } = marketAt(Date.UTC(2026, 0, 15));
    const request = { timeframe: "30m", limit: 3, extendedHours: true } as const;
    await expect(bars.history(members[0]!, request)).rejects.toMatchObject({
      code: "NOT_ENOUGH_DATA",
      message: "The sample market trades around the clock: it has no extended hours",
    });
  });

  it("has no week before 2017-01-02, and none that has not closed", async () => {
    const { bars } = marketAt(Date.UTC(2017, 0, 15, 23, 59));
    const [apple] = members;
    const { bars: weeks } = await bars.history(apple!, { timeframe: "1w", limit: 9 });
    expect([...weeks.time]).toEqual([Date.UTC(2017, 0, 2)]);
    const early = await marketAt(Date.UTC(2017, 0, 1, 12)).bars.history(apple!, {
      timeframe: "1w",
      limit: 9,
    });
    expect(early).toMatchObject({ as_of: null, forming: null });
  });

  it("aggregates exactly from each timeframe to the next", async () => {
    await fc.assert(
      fc.asyncProperty(instruments, fc.integer({ min: 1, max: 5_000 }), async (instrument, day) => {
        const { bars } = marketAt(START + day * DAY);
        const read = async (timeframe: Timeframe) =>
          (await bars.history(instrument, { timeframe, limit: DAY / TIMEFRAME_MS[timeframe] })).bars;
        let shorter = await read("5m");
        for (const timeframe of ["15m", "30m", "1h", "4h", "1d"] as const) {
          const longer = await read(timeframe);
          expect(rows(longer)).toEqual(added(shorter, timeframe));
          shorter = longer;
        }
      }),
      { numRuns: 40 },
    );
  });

  it("contains the newest closed bars, ascending and on the grid, as of the last close", async () => {
    await fc.assert(
      fc.asyncProperty(
        instruments,
        timeframes,
        moments,
        fc.integer({ min: 1, max: 60 }),
        async (instrument, timeframe, now, limit) => {
          const length = TIMEFRAME_MS[timeframe];
          const series = await marketAt(now).bars.history(instrument, { timeframe, limit });
          const close = Math.floor(now / length) * length;
          expect([...series.bars.time]).toEqual(
            Array.from({ length: limit }, (_, i) => close - (limit - i) * length),
          );
          expect(series.as_of).toBe(new Date(close).toISOString());
        },
      ),
      { numRuns: 40 },
    );
  });

  it("names its provider, venue and time", async () => {
    const request = { timeframe: "4h", limit: 3 } as const;
    const { bars, ...series } = await marketAt("2026-01-15T14:50:02Z").bars.history(named("AAPL"), request);
    expect(bars).toMatchObject({ timeframe: "4h", adjustment: "raw", zone: "UTC" });
    expect(series).toMatchObject({
      source: "sample",
      venue: "SIM",
      adjustment: "raw",
      as_of: "2026-01-15T12:00:00.000Z",
    });
  });

  it("returns nothing later than the clock for a later time", async () => {
    const { bars } = marketAt("2026-01-15T12:00:00Z");
    const request = { timeframe: "1d", limit: 1, asOf: Date.UTC(2027, 0, 1) } as const;
    const { as_of, forming } = await bars.history(named("AAPL"), request);
    expect([as_of, forming]).toEqual(["2026-01-15T00:00:00.000Z", null]);
  });

  it("begins in 2017 and is empty before", async () => {
    const request = { timeframe: "1d", limit: 9 } as const;
    const early = await marketAt(START + 2 * DAY).bars.history(named("AAPL"), request);
    expect([...early.bars.time]).toEqual([START, START + DAY]);
    const before = await marketAt(START - 5 * DAY).bars.history(named("AAPL"), request);
    expect([before.bars.time.length, before.forming, before.as_of]).toEqual([0, null, null]);
  });

  it("is empty for an instrument that is not listed", async () => {
    const request = { timeframe: "5m", limit: 9 } as const;
    const series = await marketAt("2026-01-15T12:00:00Z").bars.history(UNLISTED, request);
    expect([series.bars.close.length, series.forming, series.as_of]).toEqual([0, null, null]);
  });
});

describe("the forming bar", () => {
  it("contains exactly what has been traded since it began", async () => {
    await fc.assert(
      fc.asyncProperty(
        instruments,
        fc.constantFrom(...TIMEFRAMES.slice(0, -1)),
        moments,
        async (instrument, timeframe, moment) => {
          const now = Math.floor(moment / 300_000) * 300_000;
          const { bars } = marketAt(now);
          const { forming } = await bars.history(instrument, { timeframe, limit: 1 });
          const sinceBegun = (now % TIMEFRAME_MS[timeframe]) / 300_000;
          const parts = await bars.history(instrument, { timeframe: "5m", limit: sinceBegun });
          const [expected] = sinceBegun === 0 ? [null] : added(parts.bars, timeframe);
          expect(forming && Object.values(forming)).toEqual(expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("becomes its closed bar", async () => {
    await fc.assert(
      fc.asyncProperty(instruments, timeframes, moments, async (instrument, timeframe, now) => {
        const request = { timeframe, limit: 1 };
        const { forming } = await marketAt(now).bars.history(instrument, request);
        fc.pre(forming !== null);
        const later = await marketAt(now + TIMEFRAME_MS[timeframe]).bars.history(instrument, request);
        const [time, open, high, low, , volume] = rows(later.bars)[0]!;
        expect([forming!.time, forming!.open]).toEqual([time, open]);
        expect(forming!.high).toBeLessThanOrEqual(high!);
        expect(forming!.low).toBeGreaterThanOrEqual(low!);
        expect(forming!.volume).toBeLessThanOrEqual(volume!);
      }),
      { numRuns: 40 },
    );
  });

  it("is omitted from past requests and before a bar's first tick", async () => {
    const { bars } = marketAt("2026-01-15T12:00:04Z");
    const request = { timeframe: "5m", limit: 1 } as const;
    expect((await bars.history(named("SPY"), request)).forming).toBeNull();
    const past = { ...request, timeframe: "1d", asOf: Date.UTC(2026, 0, 14, 12) } as const;
    expect((await bars.history(named("SPY"), past)).forming).toBeNull();
    const present = { ...request, timeframe: "1d", asOf: Date.UTC(2026, 0, 15, 12, 0, 4) } as const;
    expect((await bars.history(named("SPY"), present)).forming).not.toBeNull();
  });
});

describe("the quote", () => {
  it("is the close of the five-minute bar that has just ended, with the figures of the day so far", async () => {
    await fc.assert(
      fc.asyncProperty(instruments, moments, async (instrument, moment) => {
        const now = Math.floor(moment / 300_000) * 300_000;
        const market = marketAt(now);
        const quote = await market.quotes.latest(instrument);
        const request = { timeframe: "5m", limit: (now % DAY) / 300_000 || 288 } as const;
        const { bars } = await market.bars.history(instrument, request);
        const [day] = added(bars, "1d");
        const { open, high, low, price, volume, timestamp } = quote;
        expect([open, high, low, price, volume]).toEqual(day!.slice(1));
        expect(timestamp).toBe(new Date(now).toISOString());
      }),
      { numRuns: 40 },
    );
  });

  it("uses the tick of its time and no later one", async () => {
    const within = await marketAt("2026-01-15T14:50:04.999Z").quotes.latest(named("NVDA"));
    expect(within).toEqual(await marketAt("2026-01-15T14:50:00Z").quotes.latest(named("NVDA")));
    expect(within.timestamp).toBe("2026-01-15T14:50:00.000Z");
  });

  it("measures its change from the previous day's close", async () => {
    const { bars, quotes } = marketAt("2026-01-15T14:50:00Z");
    const { price, change, changePercent } = await quotes.latest(named("TSLA"));
    const before = (await bars.history(named("TSLA"), { timeframe: "1d", limit: 1 })).bars.close[0]!;
    expect(change).toBeCloseTo(price - before, 8);
    expect(changePercent).toBeCloseTo((100 * (price - before)) / before, 4);
  });

  it("has no change on the first day and no price before it", async () => {
    const first = await marketAt(START + 3_600_000).quotes.latest(named("SPY"));
    expect([first.change, first.changePercent]).toEqual([null, null]);
    await expect(marketAt(START).quotes.latest(named("SPY"))).rejects.toMatchObject({ code: "NO_PRICE" });
  });

  it("comes from a venue that never closes and has no delay", async () => {
    expect(await marketAt("2026-11-21T03:00:00Z").quotes.latest(named("SPY"))).toMatchObject({
      source: "sample",
      venue: "SIM",
      price_source: "live_quote",
      market_state: "always_open",
      delayed_minutes: 0,
    });
  });

  it("rejects an unlisted instrument, naming some listed ones", async () => {
    await expect(marketAt("2026-01-15T12:00:00Z").quotes.latest(UNLISTED)).rejects.toMatchObject({
      code: "NO_PRICE",
      hint: expect.stringContaining("BTC-USD"),
      data: { symbol: "ZZZZ", price: null, data: { price: null } },
    });
  });
});

describe("the version", () => {
  it("pins every number: if this fails, raise SAMPLE_VERSION before updating the hash", async () => {
    const hash = createHash("sha256");
    for (const symbol of ["AAPL", "PFE", "SPY", "BTC-USD", "DOGE-USD"])
      for (const timeframe of TIMEFRAMES) {
        const market = marketAt("2026-11-20T16:07:33Z");
        const { bars, forming } = await market.bars.history(named(symbol), { timeframe, limit: 200 });
        const quote = await market.quotes.latest(named(symbol));
        hash.update(JSON.stringify([symbol, timeframe, rows(bars), forming, quote]));
      }
    expect([SAMPLE_VERSION, hash.digest("hex")]).toEqual([
      2,
      "81aa0105cb2a7a75d4c9dba1da082a6b5f2199c843623395c358bebf82293851",
    ]);
  });

  it("identifies the market; another seed gives another market with other prices", async () => {
    expect(marketAt(START).market).toEqual({ mode: "sample", id: "sample-v2" });
    expect(sampleMarketId("mine")).toBe("sample-v2-mine");
    const now = "2026-01-15T12:00:00Z";
    const [ours, mine] = [marketAt(now), marketAt(now, "mine")];
    expect(mine.market.id).toBe("sample-v2-mine");
    expect((await mine.quotes.latest(named("SPY"))).price).not.toBe(
      (await ours.quotes.latest(named("SPY"))).price,
    );
  });
});
