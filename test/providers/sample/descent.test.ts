import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossing, tickAt } from "../../../src/providers/sample/descent.ts";
import { DAY_TICKS, ticks } from "../../../src/providers/sample/intraday.ts";

const candles = fc
  .tuple(
    fc.tuple(...[0, 1, 2, 3].map(() => fc.integer({ min: 5_000, max: 6_000 }))),
    fc.double({ min: 1, max: 300, noNaN: true }),
  )
  .map(([prices, spread]) => {
    const [low, a, b, high] = [...prices].sort((x, y) => x - y);
    return { open: a!, high: high!, low: low!, close: b!, volume: 1_000, spread };
  });
const keys = fc.integer();

describe("descent", () => {
  it("returns a single tick equal to that of the whole day", () => {
    fc.assert(
      fc.property(candles, keys, fc.nat({ max: DAY_TICKS - 1 }), (candle, key, tick) => {
        const day = ticks(candle, key, 0, DAY_TICKS);
        for (const at of [tick, 0, DAY_TICKS - 1]) expect(tickAt(candle, key, at)).toBe(day[at]);
      }),
      { numRuns: 60 },
    );
  });

  it("finds a tick at which the day crosses a price, with no step of the day in between", () => {
    fc.assert(
      fc.property(candles, keys, fc.double({ min: 0, max: 1, noNaN: true }), (candle, key, share) => {
        const price = Math.round(candle.low + share * (candle.high - candle.low));
        const day = ticks(candle, key, 0, DAY_TICKS);
        const [tick, paid] = crossing(candle, key, price);
        expect(paid).toBe(day[tick]);
        const neighbours = [day[tick - 1], day[tick], day[tick + 1]].filter((one) => one !== undefined);
        expect(Math.min(...neighbours)).toBeLessThanOrEqual(price);
        expect(Math.max(...neighbours)).toBeGreaterThanOrEqual(price);
      }),
      {
        numRuns: 60,
        // a day that opens at the price and never returns to it
        examples: [
          [{ open: 5003, high: 5432, low: 5002, close: 5003, volume: 1_000, spread: 1 }, -504011666, 0.0011],
        ],
      },
    );
  });
});
