import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocksOf } from "../../../src/analytics/conviction/blocks.ts";
import { convictionOf, type PrintConviction } from "../../../src/analytics/conviction/conviction.ts";
import { levelsOf } from "../../../src/analytics/conviction/levels.ts";
import { lastClose } from "../../../src/analytics/conviction/session-close.ts";
import { testsIn } from "../../../src/analytics/conviction/tests.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import type { Print } from "../../../src/domain/off-exchange/prints.ts";
import { scaled } from "../../support/consensus-input.ts";
import { readDailyFolder } from "../../support/daily-bars.ts";
import { driverValues } from "../../support/driver-values.ts";
import { printAt, printsWithin } from "../../support/prints.ts";
import { barsAround, syntheticBars } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const drivers = driverValues({ volume: [0.4] });
const conviction = (bars: Bars, prints: readonly Print[] | null, ranges?: Float64Array) =>
  convictionOf({ bars, prints, drivers, source: "tape", ...(ranges && { atr: ranges }) });

/** UTC days that trade about $1bn each, with an average true range of 10: touch 1, hold 5, fail 2.5. */
function market(closes: readonly number[]) {
  const bars = barsAround(closes, { volume: closes.map(() => 1e7) });
  const noon = (bar: number) => bars.time[bar]! + 12 * HOUR;
  return { bars, noon, ranges: new Float64Array(closes.length).fill(10) };
}

describe("convictionOf", () => {
  it("scores the tests of one level, checked by hand: three holds, settled 5, 3 and 1 bars ago", () => {
    const { bars, noon, ranges } = market([110, 110, 101, 105, 101, 105, 101, 105, 101]);
    const weight = 2 ** (-5 / 60) + 2 ** (-3 / 60) + 2 ** (-1 / 60);
    const result = conviction(bars, [printAt(noon(0))], ranges);
    expect(result).toEqual({
      volume_proxy: 70,
      score: expect.closeTo((100 * (2 + weight)) / (4 + weight), 10), // 70.85
      conviction: "HIGH",
      source: "tape",
      tests: 3,
      hold_rate: 1,
      control_rate: null,
      levels: [{ price: 100, notional: 2e6, first_seen: Date.UTC(2020, 0, 1, 12), holds: 3, fails: 0 }],
      reason: null,
    });
  });

  it("scores a level against its controls, checked by hand", () => {
    // Print of bar 10 at 100, 1 ATR below its close: controls 120 from bar 1 on, 105 from bar 21 on.
    const { bars, noon, ranges } = market([
      130, 121, 117.5, 115, 115, 115, 115, 115, 115, 115, 110, 101, 105, 101, 105, 101, 97, 103, 110, 112,
      115, 106, 110, 110,
    ]);
    const left = (bar: number) => 2 ** ((bar - 23) / 60);
    const rate = (2 + left(22)) / (4 + left(22) + left(2)); // 105 held at bar 22, 120 failed at bar 2
    const h = (left(12) + left(14)) / (2 * rate);
    const f = left(16) / (2 * (1 - rate));
    expect(conviction(bars, [printAt(noon(10))], ranges)).toMatchObject({
      score: expect.closeTo((100 * (2 + h)) / (4 + h + f), 10),
      conviction: "NEUTRAL",
      tests: 3,
      hold_rate: 2 / 3,
      control_rate: 0.5,
      levels: [{ holds: 2, fails: 1 }],
    });
  });

  it("gives a larger level more weight", () => {
    // 100 fails once, 120 holds twice; the sizes are 1:1 or 1:4.
    const { bars, noon, ranges } = market([130, 130, 121, 125, 121, 125, 101, 97]);
    const score = (size: number) =>
      conviction(bars, [printAt(noon(0)), printAt(noon(0), { id: "b", price: 120, size })], ranges).score!;
    const left = (bar: number) => 2 ** ((bar - 7) / 60);
    const by = (days: number) => {
      const unit = (1 + 2 * days) / (1 + 2 * days * days);
      const [h, f] = [unit * days * (left(3) + left(5)), unit * left(7)];
      return (100 * (2 + h)) / (4 + h + f);
    };
    expect(score(20_000 / 1.2)).toBeCloseTo(by(1), 3);
    expect(score(80_000 / 1.2)).toBeCloseTo(by(4), 3);
    expect(by(4)).toBeGreaterThan(by(1));
  });

  it("uses the volume proxy below three tests, and reports their number", () => {
    const { bars, noon, ranges } = market([110, 110, 101, 105, 101, 105, 101]);
    expect(conviction(bars, [printAt(noon(0))], ranges)).toEqual({
      score: null,
      conviction: "INSUFFICIENT",
      source: "none",
      volume_proxy: 70,
      tests: 2,
      hold_rate: 1,
      control_rate: null,
      levels: [{ price: 100, notional: 2e6, first_seen: Date.UTC(2020, 0, 1, 12), holds: 2, fails: 0 }],
      reason: "Needs 3 tests of print levels, has 2",
    });
  });

  it("has no score without a provider of prints, and the volume proxy under its own name", () => {
    expect(conviction(market([1, 2, 3]).bars, null)).toEqual({
      score: null,
      conviction: "INSUFFICIENT",
      source: "none",
      volume_proxy: 70,
      tests: 0,
      hold_rate: null,
      control_rate: null,
      levels: [],
      reason: "No provider of off-exchange prints is connected",
    });
  });

  it("returns no score for a market without range, volume, numbers or history", () => {
    const prints = Array.from({ length: 20 }, (_, i) => printAt(Date.UTC(2020, 0, 1 + i, 12)));
    const flat = new Array(40).fill(100);
    for (const bars of [
      barsAround([]),
      barsAround([100]),
      barsAround(flat),
      barsAround(flat, { volume: flat.map(() => 0) }),
      barsAround(flat.map(() => Number.NaN)),
      { ...syntheticBars(1, 60, "UTC"), volume: new Float64Array(60) },
    ])
      expect(conviction(bars, prints)).toMatchObject({ conviction: "INSUFFICIENT", levels: [], tests: 0 });
  });

  const arbitrary = fc.record({
    seed: fc.integer({ min: 1, max: 1e6 }),
    zone: fc.constantFrom("UTC" as const, "America/New_York" as const),
    count: fc.integer({ min: 0, max: 60 }),
    at: fc.integer({ min: 0, max: 219 }),
  });
  const law = (holds: (bars: Bars, prints: readonly Print[], at: number) => void) =>
    fc.assert(
      fc.property(arbitrary, ({ seed, zone, count, at }) => {
        const bars = syntheticBars(seed, 220, zone);
        holds(bars, printsWithin(bars, seed, count), at);
      }),
      { numRuns: 60 },
    );

  it("ignores prints reported and bars opened after the decision", () =>
    law((bars, prints, at) => {
      const now = sliceBars(bars, 0, at + 1);
      const known = prints.filter(({ reportedAt }) => reportedAt <= lastClose(now));
      expect(conviction(now, prints)).toEqual(conviction(now, known));
      const ranges = atr(bars.high, bars.low, bars.close);
      expect(conviction(now, prints, ranges)).toEqual(conviction(now, known));
    }));

  it("never revokes a settled test as bars are added", () =>
    law((bars, prints, at) => {
      const settled = (market: Bars) => {
        const ranges = atr(market.high, market.low, market.close);
        const testsOf = testsIn(market, ranges);
        return levelsOf(blocksOf(prints, market), ranges)
          .map(({ firstSeen, steps }) => ({
            firstSeen,
            tests: testsOf(steps, []).filter((test) => test.settled <= at),
          }))
          .filter(({ tests }) => tests.length > 0);
      };
      expect(settled(sliceBars(bars, 0, at + 1))).toEqual(settled(bars));
    }));

  it("does not depend on the price unit, for example after a split", () =>
    law((bars, prints, at) => {
      const split = { ...scaled(bars, 4), volume: bars.volume.map((volume) => volume / 4) };
      const moved = prints.map((print) => ({ ...print, price: 4 * print.price, size: print.size / 4 }));
      const [one, other] = [bars, split].map((whole) => sliceBars(whole, 0, at + 1));
      const { levels, ...rest } = conviction(one!, prints);
      expect(conviction(other!, moved)).toEqual({
        ...rest,
        levels: levels.map((level) => ({ ...level, price: 4 * level.price })),
      });
    }));

  it("does not depend on the date", () =>
    law((bars, prints) => {
      if (bars.zone !== "UTC") return;
      const later = { ...bars, time: bars.time.map((time) => time + 1000 * DAY) };
      const moved = prints.map((print) => ({ ...print, reportedAt: print.reportedAt + 1000 * DAY }));
      const undated = ({ levels, ...rest }: PrintConviction) => ({
        ...rest,
        levels: levels.map(({ first_seen, ...level }) => level),
      });
      expect(undated(conviction(later, moved))).toEqual(undated(conviction(bars, prints)));
    }));

  it("does not depend on print order, nor on cancelled, late and average-price prints", () =>
    law((bars, prints) => {
      const worthless = prints.map((print, i) => ({
        ...print,
        id: `void ${print.id}`,
        conditions: [(["cancelled", "late", "average_price"] as const)[i % 3]!],
      }));
      expect(conviction(bars, [...worthless, ...prints].toReversed())).toEqual(conviction(bars, prints));
    }));

  it("returns a score between 0 and 100 that is consistent with its levels", () => {
    let scored = 0;
    law((bars, prints) => {
      const { score, source, tests, hold_rate, levels } = conviction(bars, prints);
      const holds = levels.reduce((sum, level) => sum + level.holds, 0);
      expect(holds + levels.reduce((sum, level) => sum + level.fails, 0)).toBe(tests);
      expect(hold_rate).toBe(tests === 0 ? null : holds / tests);
      expect(source).toBe(tests < 3 ? "none" : "tape");
      expect(score === null).toBe(tests < 3);
      expect(score ?? 50).toBeGreaterThan(0);
      expect(score ?? 50).toBeLessThan(100);
      if (source === "tape") scored++;
    });
    expect(scored).toBeGreaterThan(20);
  });

  const mean = (scores: readonly number[]) => scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1);

  it("is about 50 if prints carry no information", () => {
    const scores = SEEDS.map((seed) => {
      const bars = syntheticBars(seed, 500);
      return conviction(bars, printsWithin(bars, seed, 100)).score!;
    });
    expect(Math.abs(mean(scores) - 50)).toBeLessThan(2);
  });

  it("is high if prints were planted just above future lows", () => {
    const scores = SEEDS.map((seed) => {
      const bars = syntheticBars(seed, 500);
      const prints = Array.from({ length: 18 }, (_, i) => 40 + 25 * i).map((bar) =>
        printAt(bars.time[bar]! + 15 * HOUR, {
          price: 1.01 * Math.min(...bars.low.subarray(bar + 1, bar + 120)),
          size: 1e5,
        }),
      );
      return conviction(bars, prints).score!;
    });
    expect(mean(scores)).toBeGreaterThan(60);
  });
});

describeWithData("conviction on real daily bars", ["ohlcv", "us_daily"], (folder) => {
  it("is about 50 on random prints", () => {
    const scores = [...readDailyFolder(folder).values()].map((bars, seed) => {
      const recent = sliceBars(bars, Math.max(0, bars.time.length - 500));
      return conviction(recent, printsWithin(recent, seed + 1, 100)).score!;
    });
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    expect(Math.abs(mean - 50)).toBeLessThan(2);
  });
});
