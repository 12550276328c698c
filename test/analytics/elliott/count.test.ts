import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type CountedWaves,
  countsOf,
  countWaves,
  type WaveCount,
} from "../../../src/analytics/elliott/count.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { readDailyBars } from "../../support/daily-bars.ts";
import { draws } from "../../support/draws.ts";
import { barsAround } from "../../support/synthetic-bars.ts";
import { describeWithData } from "../../support/test-data.ts";
import { upsideDown, waveTape } from "./wave-tape.ts";

const IMPULSE = [120, 100, 130, 115, 165, 147, 177];
const describeCount = (count: WaveCount) =>
  count.available ? `${count.label}, ${count.pattern} ${count.direction}` : count.reason;
const read = (...turns: number[]) => describeCount(countWaves(waveTape(...turns)));

describe("wave count", () => {
  it("returns the label, path, targets, invalidation, score and margin of wave 3", () => {
    const { score, targets, ...count } = countWaves(waveTape(120, 100, 130, 115, 140)) as CountedWaves;
    expect(count).toEqual({
      available: true,
      pattern: "impulse",
      direction: "up",
      label: "Wave 3 of 5",
      wave: "3",
      complete: false,
      path: [
        { wave: "0", bar: 20, price: 99.5, confirmedAt: 24 },
        { wave: "1", bar: 50, price: 130.5, confirmedAt: 54 },
        { wave: "2", bar: 65, price: 114.5, confirmedAt: 69 },
      ],
      target: 145.5, // 114.5 + 31
      invalidation: 114.5,
      rivals: 0,
      margin: 10 / 1.5, // 140.5 is 10 beyond wave 1
    });
    expect(targets.map(({ ratio }) => ratio)).toEqual([1, 1.618, 2.618, 4.236]);
    // Wave 2 retraces ln(130.5/114.5) / ln(130.5/99.5) = .13080 / .27122 = .48226 of wave 1, short of .5.
    expect(score).toBeCloseTo(1 - Math.log(0.5 / 0.48226) / Math.log(1.618), 4);
  });

  it("follows an impulse and its correction wave by wave", () => {
    expect(read(120, 100, 130, 115, 130)).toBe(
      "Wave 3 of 5 up is invalid: wave 3 does not go beyond the end of wave 1",
    );
    expect(read(120, 100, 130, 115, 131)).toBe("Wave 3 of 5, impulse up");
    expect(read(120, 100, 130, 115, 165, 160)).toBe("Wave 4 of 5, impulse up");
    expect(read(120, 100, 130, 115, 165, 147, 160)).toBe("Wave 5 of 5, impulse up");
    expect(read(...IMPULSE, 170)).toBe("Wave 5 of 5, complete, impulse up");
    expect(read(...IMPULSE, 150, 165, 155)).toBe("Wave C of ABC, zigzag down");
    expect(read(...IMPULSE, 150, 180, 160)).toBe("Wave C of ABC, flat down");
  });

  it("labels the waves of a correction", () => {
    const { path, rivals } = countWaves(waveTape(...IMPULSE, 150, 165, 155)) as CountedWaves;
    expect(path.map(({ wave, price }) => [wave, price])).toEqual([
      ["0", 177.5],
      ["A", 149.5],
      ["B", 165.5],
    ]);
    expect(rivals).toBe(0);
  });

  it("returns no count and reports the rule if one is broken", () => {
    const refused = (...turns: number[]) => countWaves(waveTape(...turns));
    expect(refused(120, 100, 130, 115, 165, 130)).toEqual({
      available: false,
      reason: "Wave 4 of 5 up is invalid: wave 4 enters the territory of wave 1",
      violated: ["R3_W4_NO_OVERLAP"],
      rivals: 0,
    });
    expect(refused(120, 100, 130, 99, 140)).toMatchObject({ violated: ["R1_W2_LT_100"] });
  });

  it("requires rules to hold by one tick if a tick is more than .05 ATR14", () => {
    const bars = waveTape(120, 100, 130, 115, 132); // 2 beyond wave 1, at an ATR14 of 1.5
    expect(countWaves(bars, 2).available).toBe(true);
    expect(countWaves(bars, 2.5)).toMatchObject({ available: false, violated: ["R4_W3_BEYOND_W1"] });
  });

  it("returns no count if a count in the other direction is also valid", () => {
    const down = [180, 200, 150, 170, 100, 140, 110]; // a fifth wave that falls short of the third
    expect(read(...down, 135)).toBe("Wave 5 of 5, complete, impulse down");
    // Above 140, wave 3 of an impulse up from 100 is valid too: fewer waves, but a better score.
    expect(countWaves(waveTape(...down, 145))).toEqual({
      available: false,
      reason: "Wave 5 of 5, complete down and Wave 3 of 5 up are both valid",
      violated: [],
      rivals: 2,
    });
  });

  it("returns a count if the opposite one explains fewer waves and scores lower", () => {
    // Wave 2 of the impulse up retraces 10 of 40: a lower score than the impulse down.
    const shallow = [180, 200, 150, 175, 100, 140, 130];
    const count = countWaves(waveTape(...shallow, 145));
    expect(describeCount(count)).toBe("Wave 5 of 5, complete, impulse down");
    expect(count.rivals).toBe(1);
  });
});

describe("wave count, fail-closed", () => {
  const reasonOf = (bars: Bars) => describeCount(countWaves(bars));
  const spoiled = (column: "high" | "low" | "close", bar: number, value: number): Bars => {
    const bars = waveTape(...IMPULSE, 170);
    return { ...bars, [column]: bars[column].map((price, i) => (i === bar ? value : price)) };
  };

  it("reports what is missing", () => {
    expect(reasonOf(barsAround([]))).toBe("There are no bars");
    expect(reasonOf(barsAround([100]))).toBe("Needs 15 bars without a gap, has 1");
    expect(reasonOf(barsAround(Array(40).fill(100)))).toBe("Prices do not move: the average true range is 0");
    expect(reasonOf(waveTape(100, 140))).toBe("Needs 3 confirmed swings, has 1");
    for (const column of ["high", "low", "close"] as const)
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
        expect(reasonOf(spoiled(column, 30, value))).toBe("A price of the series is not a number");
    expect(reasonOf(upsideDown(waveTape(...IMPULSE, 170), 150))).toBe("Fibonacci ratios need prices above 0");
  });

  it("does not count across a gap, and resumes after it", () => {
    const [before, after] = [waveTape(...IMPULSE, 170), waveTape(...IMPULSE, 150, 165, 155)];
    const hole = after.time.map((time) => time + 2 * 365 * 86_400_000);
    const joined = (column: "time" | "open" | "high" | "low" | "close" | "volume") =>
      Float64Array.from([...before[column], ...(column === "time" ? hole : after[column])]);
    const bars: Bars = {
      ...before,
      time: joined("time"),
      open: joined("open"),
      high: joined("high"),
      low: joined("low"),
      close: joined("close"),
      volume: joined("volume"),
    };
    const start = before.time.length;
    const alone = countWaves(after) as CountedWaves;
    expect(countWaves(bars)).toEqual({
      ...alone,
      path: alone.path.map((point) => ({
        ...point,
        bar: point.bar + start,
        confirmedAt: point.confirmedAt + start,
      })),
    });
    expect(reasonOf(sliceBars(bars, 0, start + 3))).toBe("Needs 15 bars without a gap, has 3");
    expect(countsOf(bars).at(-1)).toEqual(countWaves(bars));
  });
});

/** Random walks in integers around 2000, so that differences and averages stay exact when mirrored and scaled. */
const walk = fc
  .array(
    fc.record({
      step: fc.integer({ min: -3, max: 3 }),
      up: fc.integer({ min: 0, max: 2 }),
      down: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 20, maxLength: 250, size: "max" },
  )
  .map((steps) => {
    let close = 2000;
    const closes = steps.map(({ step }) => (close += step));
    return barsAround(closes, {
      high: closes.map((price, i) => price + steps[i]!.up),
      low: closes.map((price, i) => price - steps[i]!.down),
    });
  });

describe("invariants of the wave count", () => {
  const prefixes = (bars: Bars) => {
    const all = countsOf(bars);
    expect(all).toHaveLength(bars.time.length);
    all.forEach((count, bar) => {
      expect(countWaves(sliceBars(bars, 0, bar + 1))).toEqual(count);
      if (count.available) for (const point of count.path) expect(point.confirmedAt).toBeLessThanOrEqual(bar);
    });
    return all.filter(({ available }) => available).length;
  };

  it("does not depend on later bars", () => {
    let counted = 0;
    fc.assert(
      fc.property(walk, (bars) => {
        counted += prefixes(bars);
      }),
      { numRuns: draws(60), seed: 5 },
    );
    expect(counted).toBeGreaterThan(draws(200));
  });

  it("is mirrored for a mirrored series", () => {
    let counted = 0;
    const sum = 4000;
    fc.assert(
      fc.property(walk, (bars) => {
        const [up, down] = [countsOf(bars), countsOf(upsideDown(bars, sum))];
        up.forEach((count, bar) => {
          if (!count.available) return;
          if (count.rivals > 0) return; // which of rivals scores best, in logarithms, is not the same upside down
          counted++;
          expect(down[bar]).toEqual({
            ...count,
            direction: count.direction === "up" ? "down" : "up",
            path: count.path.map((point) => ({ ...point, price: sum - point.price })),
            invalidation: sum - count.invalidation,
            target: count.target === null ? null : expect.closeTo(sum - count.target, 6),
            targets: count.targets.map(({ ratio, price }) => ({
              ratio,
              price: expect.closeTo(sum - price, 6),
            })),
            score: expect.any(Number),
          });
        });
      }),
      { numRuns: draws(80), seed: 5 },
    );
    expect(counted).toBeGreaterThan(draws(200));
  });

  it("does not depend on price scale, time shift or volumes", () => {
    fc.assert(
      fc.property(walk, (bars) => {
        const scaled = (prices: Float64Array) => prices.map((price) => 4 * price);
        const other: Bars = {
          ...bars,
          time: bars.time.map((time) => time + 7 * 86_400_000),
          open: scaled(bars.open),
          high: scaled(bars.high),
          low: scaled(bars.low),
          close: scaled(bars.close),
          volume: bars.volume.map((volume) => 9 * volume),
        };
        const expected = countsOf(bars, 1).map((count) =>
          count.available
            ? {
                ...count,
                path: count.path.map((point) => ({ ...point, price: 4 * point.price })),
                invalidation: 4 * count.invalidation,
                target: count.target === null ? null : 4 * count.target,
                targets: count.targets.map(({ ratio, price }) => ({ ratio, price: 4 * price })),
              }
            : count,
        );
        expect(countsOf(other, 4)).toEqual(expected);
      }),
      { numRuns: draws(80) },
    );
  });

  it("has targets ahead of the price and an invalidation behind, and keeps its rules by the margin", () => {
    fc.assert(
      fc.property(walk, (bars) => {
        countsOf(bars).forEach((count, bar) => {
          if (!count.available) return;
          const legUp = (count.direction === "up") === (count.wave !== "4" && !count.complete);
          const sign = legUp ? 1 : -1;
          const price = bars.close[bar]!;
          const ahead = [sign * price, ...count.targets.map((target) => sign * target.price)];
          expect(ahead).toEqual(ahead.toSorted((a, b) => a - b));
          const off = count.wave === "4" ? -sign : sign; // wave 4 is off where its leg goes on
          expect(off * (price - count.invalidation)).toBeGreaterThanOrEqual(0);
          expect(count.margin).toBeGreaterThanOrEqual(0.05);
          expect(count.score).toBeGreaterThanOrEqual(0);
          expect(count.score).toBeLessThanOrEqual(1);
        });
      }),
      { numRuns: draws(80) },
    );
  });

  describeWithData("on a real file", ["ohlcv", "us_daily", "AAPL.csv"], (file) => {
    it("does not depend on later bars", () => {
      expect(prefixes(sliceBars(readDailyBars(file), 0, 400))).toBeGreaterThan(50);
    });
  });
});
