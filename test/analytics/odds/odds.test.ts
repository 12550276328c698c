import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import {
  type Odds,
  type OddsRequest,
  oddsFault,
  oddsOf,
  PATHS,
  shareAtLeast,
  shareAtMost,
} from "../../../src/analytics/odds/odds.ts";
import { simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { instrumentProfile } from "../../../src/analytics/odds/profile.ts";
import { QUANTILES } from "../../../src/analytics/odds/quantiles.ts";
import { rangeModel } from "../../../src/analytics/odds/range-model.ts";
import { oddsSeed } from "../../../src/analytics/odds/seed.ts";
import { type Bars, mapColumns, sliceBars } from "../../../src/domain/market/bars.ts";
import { draws } from "../../support/draws.ts";
import { splitAt, syntheticBars } from "../../support/synthetic-bars.ts";
import { wildBars } from "../../support/wild-bars.ts";
import {
  average,
  exponentials,
  type PlainBar,
  plainExit,
  plainModel,
  plainPaths,
  plainResult,
  plainVariances,
  usualOf,
} from "./plain.ts";

const requestOf = (bars: Bars, more: Partial<OddsRequest> = {}): OddsRequest => ({
  bars,
  symbol: "AAPL",
  assetClass: "equity",
  horizons: [5, 20],
  paths: 300,
  ...more,
});

function mustOdds(request: OddsRequest): Odds {
  const { odds, reason } = oddsOf(request);
  if (odds === null) throw new Error(reason);
  return odds;
}

/** Definition 7 of a quantile: linear between the values at ranks (n - 1) p. */
function plainQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return below + (above - below) * (rank % 1);
}

const shareOf = <T>(values: readonly T[], test: (value: T) => boolean) =>
  values.filter(test).length / values.length;

/** Returns the bars after each bar that has `count` after it, as ratios to its close. */
const windowsOf = (bars: Bars, count: number): PlainBar[][] =>
  Array.from({ length: Math.max(0, bars.close.length - count) }, (_, from) =>
    Array.from({ length: count }, (_, i) => {
      const at = (column: Float64Array) => column[from + 1 + i]! / bars.close[from]!;
      return { open: at(bars.open), high: at(bars.high), low: at(bars.low), close: at(bars.close) };
    }),
  );

describe("odds", () => {
  it("equal those of plain paths and plain past windows", () => {
    const cases = fc.record({
      seed: fc.nat(1_000_000),
      count: fc.integer({ min: 125, max: 700 }),
      side: fc.constantFrom("LONG" as const, "SHORT" as const),
      planBars: fc.constantFrom(3, 12, 25),
      assetClass: fc.constantFrom("equity" as const, "crypto" as const),
    });
    fc.assert(
      fc.property(cases, ({ seed, count, side, planBars, assetClass }) => {
        const bars = seed % 2 === 0 ? syntheticBars(seed, count) : wildBars(seed, count, [2, 5, 0.4]);
        const close = bars.close.at(-1)!;
        const away = side === "LONG" ? 1 : -1;
        const plan = { side, stop: close * (1 - 0.03 * away), target: close * (1 + 0.05 * away) };
        const ratios = [0.93, 0.99, 1.02, 1.1];
        const odds = mustOdds(
          requestOf(bars, {
            symbol: "XYZ",
            assetClass,
            horizons: [1, 12, 25],
            levels: ratios.map((ratio) => ratio * close),
            plan: { ...plan, bars: planBars },
            paths: 60,
          }),
        );
        const { drift, reversion } = instrumentProfile(bars, assetClass);
        const random = seededRandom(oddsSeed("XYZ", "1d", bars.time.at(-1)!));
        const paths = plainPaths(plainModel(bars, undefined, reversion), {
          paths: 60,
          bars: 25,
          drift,
          random,
        }).map((path) => path.map(exponentials));
        expect(odds).toMatchObject({ paths: 60, bars: count, close, profile: { drift } });
        expect(odds.horizons.map((horizon) => horizon.bars)).toEqual([1, 12, 25]);
        for (const horizon of odds.horizons) {
          const [parts, past] = [
            paths.map((path) => path.slice(0, horizon.bars)),
            windowsOf(bars, horizon.bars),
          ];
          const endsOf = (windows: readonly (readonly PlainBar[])[]) =>
            windows.map((window) => window.at(-1)!.close);
          const highsOf = (windows: readonly (readonly PlainBar[])[]) =>
            windows.map((window) => Math.max(...window.map((bar) => bar.high)));
          const lowsOf = (windows: readonly (readonly PlainBar[])[]) =>
            windows.map((window) => Math.min(...window.map((bar) => bar.low)));
          const logQuantile = (values: readonly number[], share: number) =>
            Math.exp(plainQuantile(values.map(Math.log), share));
          const logs = endsOf(parts).map(Math.log);
          const close7 = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 7));
          expect(horizon.quantiles.map((price) => price / close)).toEqual(
            close7(QUANTILES.map((share) => logQuantile(endsOf(parts), share))),
          );
          expect(horizon.baseQuantiles!.map((price) => price / close)).toEqual(
            close7(QUANTILES.map((share) => logQuantile(endsOf(past), share))),
          );
          const squares = logs.map((log) => (log - average(logs)) ** 2);
          expect(horizon.deviation).toBeCloseTo(Math.sqrt((average(squares) * 60) / 59), 7);
          expect(horizon.move).toBeCloseTo(average(endsOf(parts).map((end) => Math.abs(end - 1))), 7);
          expect(horizon.baseMove).toBeCloseTo(average(endsOf(past).map((end) => Math.abs(end - 1))), 7);
          for (const [i, ratio] of ratios.entries()) {
            const touches = (windows: readonly (readonly PlainBar[])[]) =>
              ratio > 1
                ? shareOf(highsOf(windows), (high) => high >= ratio)
                : shareOf(lowsOf(windows), (low) => low <= ratio);
            const touch = odds.levels[i]!.touch.find(({ bars: number }) => number === horizon.bars)!;
            expect(odds.levels[i]!.price).toBe(ratio * close);
            expect(touch.odds).toBeCloseTo(touches(parts), 12);
            expect(touch.base).toBeCloseTo(touches(past), 12);
          }
        }
        const relative = { side, stop: plan.stop / close, target: plan.target / close };
        const exits = paths.map((path) => plainExit(path.slice(0, planBars), relative));
        const past = windowsOf(bars, planBars).map((window) => plainExit(window, relative));
        const results = exits.map((exit, i) => plainResult(exit, relative, paths[i]!));
        for (const outcome of ["stop", "target", "neither"] as const) {
          expect(odds.plan!.odds[outcome]).toBeCloseTo(
            shareOf(exits, (exit) => exit.outcome === outcome),
            12,
          );
          expect(odds.plan!.base![outcome]).toBeCloseTo(
            shareOf(past, (exit) => exit.outcome === outcome),
            12,
          );
        }
        expect(odds.plan).toMatchObject({ ...plan, bars: planBars });
        expect(odds.plan!.expectedR).toBeCloseTo(average(results), 7);
        expect(odds.plan!.meanSquaredR).toBeCloseTo(average(results.map((r) => r * r)), 7);
      }),
      { numRuns: draws(40) },
    );
  });

  it("give the next bar the forecast volatility times the deviation of the bank", () => {
    const bars = syntheticBars(3, 600);
    const { next, bank } = plainModel(bars);
    const squares = bank.map(({ close }) => close * close).reduce((sum, square) => sum + square, 0);
    expect(mustOdds(requestOf(bars)).volatility).toBeCloseTo(
      Math.exp(next / 2) * Math.sqrt(squares / (bank.length - 1)),
      9,
    );
  });

  it("read at most the newest 1,251 bars", () => {
    const bars = syntheticBars(4, 1_500);
    const close = bars.close.at(-1)!;
    const more = {
      levels: [1.05 * close],
      plan: { side: "LONG" as const, stop: 0.97 * close, target: 1.05 * close, bars: 10 },
    };
    const odds = mustOdds(requestOf(bars, more));
    expect(odds.bars).toBe(1_251);
    expect(odds.plan!.base!.windows).toBe(1_241);
    expect(odds).toEqual(mustOdds(requestOf(sliceBars(bars, 249), more)));
  });

  it("take 4,000 paths by default and show the requested horizons, also if the plan ends at another", () => {
    const bars = syntheticBars(5, 130);
    const { paths, ...request } = requestOf(bars, {
      horizons: [5],
      plan: { side: "LONG", stop: 0.9 * bars.close.at(-1)!, target: 1.1 * bars.close.at(-1)!, bars: 20 },
    });
    const odds = mustOdds(request);
    expect(odds.paths).toBe(PATHS);
    expect(odds.horizons.map((horizon) => horizon.bars)).toEqual([5]);
    expect(odds.plan!.base!.windows).toBe(110);
  });

  it("of a plan from another price are those of the same relative distances from the last close", () => {
    const bars = syntheticBars(5, 300);
    const close = bars.close.at(-1)!;
    const plan = { side: "SHORT" as const, stop: 1.03 * close, target: 0.95 * close, bars: 20 };
    const moved = { ...plan, from: 1.1 * close, stop: 1.1 * plan.stop, target: 1.1 * plan.target };
    const [here, there] = [plan, moved].map((one) => mustOdds(requestOf(bars, { plan: one })).plan!);
    expect(there!.odds).toEqual(here!.odds);
    const { meanR, ...shares } = here!.base!;
    expect(there!.base).toEqual({ ...shares, meanR: expect.closeTo(meanR, 12) });
    expect(there!.expectedR).toBeCloseTo(here!.expectedR, 12);
  });

  it("are the same without bases, which are then null", () => {
    const bars = syntheticBars(8, 300);
    const close = bars.close.at(-1)!;
    const more = {
      levels: [0.95 * close],
      plan: { side: "LONG" as const, stop: 0.97 * close, target: 1.05 * close, bars: 10 },
    };
    const odds = mustOdds(requestOf(bars, more));
    expect(odds.plan!.base).not.toBeNull();
    expect(mustOdds(requestOf(bars, { ...more, withBase: false }))).toEqual({
      ...odds,
      horizons: odds.horizons.map((horizon) => ({ ...horizon, baseQuantiles: null, baseMove: null })),
      levels: odds.levels.map(({ price, touch }) => ({
        price,
        touch: touch.map((one) => ({ ...one, base: null })),
      })),
      plan: { ...odds.plan, base: null },
    });
  });

  it("count a level that is just reached", () => {
    const values = Float64Array.of(-0.25, 0.5, 0.5, 1);
    expect([0.5, 0.6, 1, 1.1].map((level) => shareAtLeast(values, level))).toEqual([0.75, 0.25, 0.25, 0]);
    expect([-0.25, -0.3, 0.5, 2].map((level) => shareAtMost(values, level))).toEqual([0.25, 0, 0.75, 1]);
  });

  it("scale with the price", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.constantFrom(2 ** -10, 0.5, 8, 1_024), (seed, factor) => {
        const bars = syntheticBars(seed, 200 + (seed % 500));
        const scaled = mapColumns(bars, (column, name) =>
          name === "time" || name === "volume" ? column : column.map((price) => price * factor),
        );
        const run = (series: Bars) => {
          const close = series.close.at(-1)!;
          return mustOdds(
            requestOf(series, {
              levels: [0.9 * close, 1.05 * close],
              plan: { side: "SHORT", stop: 1.04 * close, target: 0.9 * close, bars: 10 },
            }),
          );
        };
        const [odds, larger] = [run(bars), run(scaled)];
        const priceOf = (price: number) => expect.closeTo(price * factor, 6);
        // the factor is a power of two, so that ratios of prices are the same to the last bit
        expect(larger).toEqual({
          ...odds,
          close: odds.close * factor,
          horizons: odds.horizons.map((horizon) => ({
            ...horizon,
            quantiles: horizon.quantiles.map(priceOf),
            baseQuantiles: horizon.baseQuantiles!.map(priceOf),
          })),
          levels: odds.levels.map((level) => ({ ...level, price: priceOf(level.price) })),
          plan: { ...odds.plan, stop: priceOf(odds.plan!.stop), target: priceOf(odds.plan!.target) },
        });
      }),
      { numRuns: draws(60) },
    );
  });

  it("are ordered: quantiles rise, nearer levels and longer horizons are likelier, plans add up to 1", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (seed) => {
        const bars = syntheticBars(seed, 130 + (seed % 1_200));
        const close = bars.close.at(-1)!;
        const odds = mustOdds(
          requestOf(bars, {
            horizons: [1, 5, 20, 60],
            levels: [1.01, 1.03, 1.1, 0.99, 0.97, 0.9].map((ratio) => ratio * close),
            plan: { side: "LONG", stop: 0.96 * close, target: 1.07 * close, bars: 20 },
          }),
        );
        for (const { quantiles } of odds.horizons)
          expect(quantiles).toEqual([...quantiles].sort((a, b) => a - b));
        for (const [i, { touch }] of odds.levels.entries())
          for (const [j, { odds: share }] of touch.entries()) {
            if (i % 3 > 0) expect(share).toBeLessThanOrEqual(odds.levels[i - 1]!.touch[j]!.odds);
            if (j > 0) expect(share).toBeGreaterThanOrEqual(touch[j - 1]!.odds);
          }
        const { stop, target, neither } = odds.plan!.odds;
        expect(stop + target + neither).toBeCloseTo(1, 12);
      }),
      { numRuns: draws(40) },
    );
  });

  it("repeat exactly, whatever was computed before, and leave the bars as they are", () => {
    const [a, b] = [syntheticBars(1, 400), syntheticBars(2, 900)];
    const copy = structuredClone(b);
    const alone = mustOdds(requestOf(b, { symbol: "B" }));
    mustOdds(requestOf(a, { symbol: "A" }));
    mustOdds(requestOf(b, { symbol: "A" }));
    expect(mustOdds(requestOf(b, { symbol: "B" }))).toEqual(alone);
    expect(b).toEqual(copy);
  });

  it("draw other paths for another symbol, timeframe or bar", () => {
    const bars = syntheticBars(2, 300);
    const later = { ...bars, time: bars.time.map((time) => time + 86_400_000) };
    const seeds = [
      requestOf(bars),
      requestOf(bars, { symbol: "MSFT" }),
      requestOf({ ...bars, timeframe: "1h" }),
      requestOf(later),
    ].map((request) => mustOdds(request).seed);
    expect(new Set(seeds).size).toBe(4);
    const [one, other] = [mustOdds(requestOf(bars)), mustOdds(requestOf(bars, { symbol: "MSFT" }))];
    expect(one.horizons[0]!.quantiles).not.toEqual(other.horizons[0]!.quantiles);
    expect(one.horizons[0]!.baseQuantiles).toEqual(other.horizons[0]!.baseQuantiles);
  });

  it("refuse fewer than 120 bars", () => {
    for (const count of [0, 1, 119])
      expect(oddsOf(requestOf(syntheticBars(1, count)))).toEqual({
        odds: null,
        reason: `Odds need 120 bars, there are ${count}`,
      });
    expect(oddsOf(requestOf(syntheticBars(1, 120))).reason).toBeNull();
  });

  it("read the bars from a suspected split on if 120 remain, and refuse with fewer", () => {
    const bars = syntheticBars(1, 1_500);
    for (const adjustment of ["raw", "unknown"] as const) {
      const split = splitAt(bars, 700, adjustment);
      const { odds } = oddsOf(requestOf(split));
      expect(odds).toEqual(oddsOf(requestOf(sliceBars(split, 700))).odds);
      expect(odds?.bars).toBe(800);
      expect(oddsFault(split)).toMatch(/^The price fell from .* possibly an unadjusted split/);
      expect(oddsOf(requestOf(splitAt(bars, 1_380, adjustment))).odds?.bars).toBe(120);
      const late = oddsOf(requestOf(splitAt(bars, 1_381, adjustment)));
      expect(late.odds).toBeNull();
      expect(late.reason).toMatch(/^The price fell from .* possibly an unadjusted split/);
      // bar 249 is the first of the newest 1,251: a split at it, or before it, changes none of their ratios
      expect(oddsOf(requestOf(splitAt(bars, 249, adjustment))).odds?.bars).toBe(1_251);
      expect(oddsOf(requestOf(splitAt(bars, 250, adjustment))).odds?.bars).toBe(1_250);
    }
    expect(oddsOf(requestOf(splitAt(bars, 700, "split"))).odds?.bars).toBe(1_251);
  });
});

/** A forecast at bar `at` of a series; it must not read later bars. */
type Forecaster = (bars: Bars, at: number) => unknown;

/** Returns the first of the bars at which a forecast differs once later bars are missing or others; null if none. */
function firstLookAhead(forecaster: Forecaster, bars: Bars, tried: readonly number[]): number | null {
  const other = wildBars(99, bars.close.length, [7, 3, 11, 5]);
  for (const at of tried) {
    const mixed = mapColumns(bars, (column, name) =>
      column.map((value, bar) => (bar > at && name !== "time" ? 3 * other[name][bar]! : value)),
    );
    const expected = JSON.stringify(forecaster(bars, at));
    for (const series of [sliceBars(bars, 0, at + 1), mixed])
      if (JSON.stringify(forecaster(series, at)) !== expected) return at;
  }
  return null;
}

describe("looking ahead", () => {
  const bars = syntheticBars(6, 900);
  const tried = [119, 120, 300, 498, 499, 500, 501, 640, 898];
  const closesOf = (model: Parameters<typeof simulatePaths>[0]) => [
    ...simulatePaths(model, { paths: 20, drift: 0, random: seededRandom(1), horizons: [5] }).ends[0]!.close,
  ];

  it("changes no odds: they are those of a series that ends at the bar, whatever follows", () => {
    const forecaster: Forecaster = (series, at) => {
      const close = series.close[at]!;
      return oddsOf(
        requestOf(sliceBars(series, 0, at + 1), {
          levels: [0.95 * close, 1.05 * close],
          plan: { side: "LONG", stop: 0.95 * close, target: 1.1 * close, bars: 15 },
          paths: 50,
        }),
      );
    };
    expect(firstLookAhead(forecaster, bars, tried)).toBeNull();
  });

  it("is found in a bank that holds the bar after", () => {
    const forecaster: Forecaster = (series, at) => {
      const { bank } = rangeModel(sliceBars(series, 0, at + 2));
      return closesOf({ ...rangeModel(sliceBars(series, 0, at + 1)), bank });
    };
    expect(firstLookAhead(forecaster, bars, tried)).toBe(119);
    expect(firstLookAhead(forecaster, bars, [640])).toBe(640);
  });

  it("is found in values filled with the mean of all bars, where values are filled", () => {
    const forecaster: Forecaster = (series, at) => {
      const { next, recent, bank } = plainModel(
        sliceBars(series, 0, at + 1),
        usualOf(plainVariances(series)),
      );
      return [next, recent, bank];
    };
    expect(firstLookAhead(forecaster, bars, [119])).toBe(119);
    expect(firstLookAhead(forecaster, bars, [499])).toBe(499);
    expect(firstLookAhead(forecaster, bars, [500, 640])).toBeNull();
    const right: Forecaster = (series, at) => plainModel(sliceBars(series, 0, at + 1));
    expect(firstLookAhead(right, bars, [119, 499, 640])).toBeNull();
  });

  it("is found in a forecast that starts from the volatility of the next bar", () => {
    const forecaster: Forecaster = (series, at) => {
      const { next } = rangeModel(sliceBars(series, 0, at + 2));
      return closesOf({ ...rangeModel(sliceBars(series, 0, at + 1)), next });
    };
    expect(firstLookAhead(forecaster, bars, tried)).toBe(119);
  });
});

describe("the profile of odds", () => {
  it("is that of the bars, of the asset class and the timeframe", () => {
    const bars = syntheticBars(7, 200);
    for (const timeframe of ["1w", "1d", "1h"] as const)
      for (const assetClass of ["equity", "etf", "crypto"] as const)
        expect(mustOdds(requestOf({ ...bars, timeframe }, { assetClass })).profile).toEqual(
          instrumentProfile({ ...bars, timeframe }, assetClass),
        );
  });
});
