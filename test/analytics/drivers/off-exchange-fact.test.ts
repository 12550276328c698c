import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convictionOf } from "../../../src/analytics/conviction/conviction.ts";
import { factDrivers } from "../../../src/analytics/drivers/facts.ts";
import { offExchangeFact, shortShare } from "../../../src/analytics/drivers/off-exchange-facts.ts";
import type { OffExchangeDay } from "../../../src/domain/off-exchange/off-exchange.ts";
import { barsAround } from "../../support/synthetic-bars.ts";

const DAY = 86_400_000;
const EVENING = 23 * 3_600_000;
const START = Date.UTC(2026, 0, 1);

/** A day with 1000 shares, published at 23:00. */
const day = (i: number, short: number, more: Partial<OffExchangeDay> = {}): OffExchangeDay => ({
  day: START + i * DAY,
  short,
  shortExempt: 0,
  total: 1000,
  knownAt: START + i * DAY + EVENING,
  ...more,
});
/** 30 days alternating between .4 and .6, then the last one. */
const turns = (last: number) => [
  ...Array.from({ length: 59 }, (_, i) => day(i, i % 2 === 0 ? 400 : 600)),
  day(59, last),
];
const after = START + 60 * DAY;

describe("offExchangeFact", () => {
  it("is half the z-score of the newest share over 60 days", () => {
    // 30 shares of .4 and 30 of .6: mean .5, deviation .1, so .6 is 1 deviation above.
    expect(offExchangeFact(turns(600), after)).toEqual({
      value: expect.closeTo(0.5, 12),
      time: START + 59 * DAY + EVENING,
      inputs: {
        date: "2026-03-01",
        short_share: 0.6,
        mean_60: expect.closeTo(0.5, 12),
        z_60: expect.closeTo(1, 10),
        sign: "contested",
      },
    });
  });

  it("is negative below the mean and limited to [-1, 1]", () => {
    expect(offExchangeFact(turns(200), after)!.value).toBe(-1);
    expect(offExchangeFact(turns(900), after)!.value).toBe(1);
  });

  it("ignores data published later", () => {
    const published = START + 59 * DAY + EVENING;
    const sixty = [day(-1, 500), ...turns(600)];
    expect(offExchangeFact(sixty, published)!.time).toBe(published);
    expect(offExchangeFact(sixty, published - 1)!.time).toBe(published - DAY);
    expect(offExchangeFact(turns(600), published - 1)).toBeNull();
  });

  it("is null below 60 days with volume, for a constant share, and if the newest day is old", () => {
    expect(offExchangeFact(turns(600).slice(1), after)).toBeNull();
    expect(offExchangeFact([...turns(600).slice(1), day(60, 0, { total: 0 })], after + DAY)).toBeNull();
    expect(
      offExchangeFact(
        turns(600).map((one) => ({ ...one, short: 450 })),
        after,
      ),
    ).toBeNull();
    const published = START + 59 * DAY + EVENING;
    expect(offExchangeFact(turns(600), published + 9 * DAY)).not.toBeNull();
    expect(offExchangeFact(turns(600), published + 9 * DAY + 1)).toBeNull();
  });

  it("has no share for a day without volume, or with more short volume than total volume", () => {
    expect(shortShare(day(0, 250))).toBe(0.25);
    expect(shortShare(day(0, 0, { total: 0 }))).toBeNull();
    expect(shortShare(day(0, 1001))).toBeNull();
  });

  it("does not depend on later publications, nor on the order of days", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 60, maxLength: 90 }),
        fc.integer({ min: 59, max: 89 }),
        (shares, until) => {
          const all = shares.map((short, i) => day(i, short));
          const at = START + until * DAY + EVENING;
          const fact = offExchangeFact(all, at);
          expect(offExchangeFact(all.slice(0, until + 1), at)).toEqual(fact);
          expect(offExchangeFact(all.toReversed(), at)).toEqual(fact);
        },
      ),
    );
  });

  it("contributes to conviction if there is no tape", () => {
    const bars = barsAround(new Array(5).fill(100));
    const fact = offExchangeFact(turns(600), after)!;
    const drivers = factDrivers({ d_offex: fact });
    const without = convictionOf({ bars, prints: null, drivers: factDrivers({}), source: "x" });
    const read = convictionOf({ bars, prints: null, drivers, source: "x" });
    expect(without).toMatchObject({ score: null, volume_proxy: null });
    expect(read).toMatchObject({ conviction: "INSUFFICIENT", score: null });
    expect(read.volume_proxy).toBeCloseTo(75, 10);
  });
});
