import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_TICKS, intraday, ticks } from "../../../src/providers/sample/intraday.ts";

const key = fc.integer();
const candles = fc
  .tuple(
    fc.integer({ min: 500, max: 60_000 }),
    fc.integer({ min: -400, max: 400 }),
    fc.nat({ max: 300 }),
    fc.nat({ max: 300 }),
    fc.integer({ min: 0, max: 90_000_000 }),
    fc.nat({ max: 500 }),
  )
  .map(([open, move, above, below, volume, spread]) => {
    const close = open + move;
    return {
      open,
      high: Math.max(open, close) + above,
      low: Math.max(1, Math.min(open, close) - below),
      close,
      volume,
      spread,
    };
  });

describe("ticks", () => {
  it("begin at the open, end at the close, and touch both extremes without exceeding them", () => {
    fc.assert(
      fc.property(candles, key, (candle, k) => {
        const day = ticks(candle, k, 0, DAY_TICKS);
        expect(day).toHaveLength(DAY_TICKS);
        expect([day[0], day.at(-1)]).toEqual([candle.open, candle.close]);
        expect(day.reduce((a, b) => Math.max(a, b))).toBe(candle.high);
        expect(day.reduce((a, b) => Math.min(a, b))).toBe(candle.low);
        expect(day.every(Number.isInteger)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("are the same when computed alone or with the whole day", () => {
    fc.assert(
      fc.property(candles, key, fc.nat({ max: DAY_TICKS - 1 }), fc.nat({ max: 70 }), (candle, k, from, n) => {
        const to = Math.min(DAY_TICKS, from + n);
        expect(ticks(candle, k, from, to)).toEqual(ticks(candle, k, 0, DAY_TICKS).slice(from, to));
      }),
      { numRuns: 50 },
    );
  });
});

describe("intraday", () => {
  it("aggregates any part of a day from its ticks", () => {
    const bucket = fc.nat({ max: 287 });
    fc.assert(
      fc.property(candles, key, bucket, fc.nat({ max: 200 }), (candle, k, first, more) => {
        const from = first * 60;
        const to = Math.min(DAY_TICKS, from + 1 + more);
        const part = ticks(candle, k, from, to);
        expect(intraday(candle, k).span(from, to)).toMatchObject({
          open: part[0],
          high: Math.max(...part),
          low: Math.min(...part),
          close: part.at(-1),
        });
      }),
      { numRuns: 50 },
    );
  });

  it("divides a day's volume exactly, and cumulative volume never decreases", () => {
    fc.assert(
      fc.property(candles, key, fc.integer({ min: 1, max: DAY_TICKS - 1 }), (candle, k, tick) => {
        const day = intraday(candle, k);
        const spent = day.span(0, tick).volume;
        expect(spent).toBeGreaterThanOrEqual(0);
        expect(day.span(0, tick + 1).volume).toBeGreaterThanOrEqual(spent);
        expect(day.span(0, DAY_TICKS).volume).toBe(candle.volume);
      }),
      { numRuns: 50 },
    );
  });
});
