import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastClose } from "../../../src/analytics/conviction/session-close.ts";
import { blockFact } from "../../../src/analytics/drivers/off-exchange-facts.ts";
import { sliceBars } from "../../../src/domain/market/bars.ts";
import type { Print } from "../../../src/domain/off-exchange/prints.ts";
import { scaled } from "../../support/consensus-input.ts";
import { printAt, printsWithin } from "../../support/prints.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";

const HOUR = 3_600_000;
/** Five UTC days at 100 that trade $200M each: $2M is 1% of a day. */
const bars = barsAround(new Array(5).fill(100), { volume: new Array(5).fill(2e6) });
const noon = bars.time[4]! + 12 * HOUR;
let count = 0;
const print = (price: number, nbbo: Print["nbbo"], more: Partial<Print> = {}): Print =>
  printAt(noon + count, { id: `${count++}`, price, size: 2e6 / price, nbbo, ...more });
const quotes = { bid: 99, ask: 101 };

describe("blockFact", () => {
  it("signs by quotes: above their midpoint is a buy, below it a sell", () => {
    const prints = [print(100.5, quotes), print(100.75, quotes), print(99.5, quotes), print(101, quotes)];
    expect(blockFact(prints, bars)).toEqual({
      value: expect.closeTo(0.02 / 0.05, 10),
      time: prints[3]!.reportedAt,
      inputs: { blocks: 4, unsigned: 0, bought: expect.closeTo(6e6, 3), sold: expect.closeTo(2e6, 3) },
    });
  });

  it("signs by the last different price at the midpoint, and without valid quotes", () => {
    const sold = [print(101, null), print(100, quotes), print(100, null)];
    expect(blockFact(sold, bars)).toMatchObject({
      value: expect.closeTo(-0.02 / 0.05, 10),
      inputs: { blocks: 3, unsigned: 1 },
    });
    const bought = [print(100, null), print(101, { bid: 103, ask: 102 }), print(102, { bid: 0, ask: 300 })];
    expect(blockFact(bought, bars)!.value).toBeCloseTo(0.02 / 0.05, 10);
  });

  it("uses small prints and earlier days for the tick comparison", () => {
    const small = print(101, null, { size: 1 });
    const old = print(102, null, { reportedAt: noon - 48 * HOUR });
    expect(blockFact([small, print(100, null)], bars)!.value).toBeCloseTo(-0.01 / 0.05, 10);
    expect(blockFact([old, print(100, null)], bars)).toMatchObject({
      value: expect.closeTo(-0.01 / 0.05, 10),
      inputs: { blocks: 1 },
    });
  });

  it("counts only prints after the previous close", () => {
    const at = (reportedAt: number) => blockFact([print(100.5, quotes, { reportedAt })], bars);
    expect(at(bars.time[4]!)).toBeNull();
    expect(at(bars.time[4]! + 1)).not.toBeNull();
    expect(at(bars.time[4]! + 24 * HOUR)).not.toBeNull();
    expect(at(bars.time[4]! + 24 * HOUR + 1)).toBeNull();
  });

  it("counts a day back from the last bar on hourly bars too", () => {
    const time = Float64Array.from({ length: 80 }, (_, i) => bars.time[0]! + i * HOUR);
    const hours = barsAround(new Array(80).fill(100), { volume: new Array(80).fill(1e5) });
    const intraday = { ...hours, time, timeframe: "1h" as const };
    const at = (reportedAt: number) => blockFact([print(100.5, quotes, { reportedAt })], intraday);
    expect(at(time[55]! + HOUR)).toBeNull(); // the bar before began 24 hours before the last, at 79
    expect(at(time[55]! + HOUR + 1)).not.toBeNull();
  });

  it("stays within [-1, 1]", () => {
    expect(blockFact([print(99.5, quotes, { size: 1e6 })], bars)!.value).toBe(-1);
  });

  it("is null, not 0, if no large print has a sign", () => {
    expect(blockFact([], bars)).toBeNull();
    expect(blockFact([print(100, null)], bars)).toBeNull();
    expect(blockFact([print(100.5, quotes, { size: 1 })], bars)).toBeNull();
    expect(blockFact([print(100.5, quotes, { conditions: ["late"] })], bars)).toBeNull();
    expect(blockFact([print(100.5, quotes)], barsAround([]))).toBeNull();
  });

  it("does not depend on later prints, print order or price unit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 20, max: 59 }), (seed, at) => {
        const market = syntheticBars(seed, 60);
        const prints = printsWithin(market, seed, 120);
        const now = sliceBars(market, 0, at + 1);
        const fact = blockFact(prints, now);
        const known = prints.filter(({ reportedAt }) => reportedAt <= lastClose(now));
        expect(blockFact(known, now)).toEqual(fact);
        expect(blockFact(prints.toReversed(), now)).toEqual(fact);
        const split = prints.map((one) => ({ ...one, price: 2 * one.price, size: one.size / 2 }));
        const halved = { ...scaled(now, 2), volume: now.volume.map((volume) => volume / 2) };
        expect(blockFact(split, halved)).toEqual(fact);
      }),
      { numRuns: 60 },
    );
  });
});
