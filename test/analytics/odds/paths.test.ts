import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Random, seededRandom } from "../../../src/analytics/backtest/random.ts";
import { shareAtLeast, shareAtMost } from "../../../src/analytics/odds/odds.ts";
import { type PathPlan, simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { type RangeModel, rangeModel, WEIGHTS } from "../../../src/analytics/odds/range-model.ts";
import { draws } from "../../support/draws.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { wildBars } from "../../support/wild-bars.ts";
import {
  exponentials,
  type PlainBar,
  type PlainEntry,
  plainExit,
  plainModel,
  plainPaths,
  plainResult,
} from "./plain.ts";

const DRIFT = 2e-4;

const modelOf = (bank: readonly PlainEntry[], next = -8.5, recent = new Float64Array(250).fill(-8.6)) => {
  const column = (name: Exclude<keyof PlainEntry, "variance">) =>
    Float64Array.from(bank, (entry) => entry[name]);
  const model: RangeModel = {
    next,
    recent,
    highest: Number.POSITIVE_INFINITY,
    weights: WEIGHTS,
    bank: {
      open: column("open"),
      high: column("high"),
      low: column("low"),
      close: column("close"),
      error: column("error"),
    },
  };
  return model;
};

/** A generator whose path number i begins with block i of the bank and goes on with block 0. */
function everyBlock(): Random {
  let drawn = 0;
  const below = () => (drawn % 12 === 0 ? drawn++ / 12 : drawn++ * 0);
  return { bits: below, unit: below, below };
}

/** Returns entries, their mirror images, and four more that complete the last block: each begins one block. */
const symmetric = (entries: readonly PlainEntry[]): PlainEntry[] => {
  const mirrors = entries.map(({ open, high, low, close, error }) => ({
    open: -open,
    high: -low,
    low: -high,
    close: -close,
    error,
  }));
  return [...entries, ...mirrors, ...entries.slice(0, 4)];
};

const entries = plainModel(syntheticBars(8, 400)).bank;
const plans = fc.record({
  side: fc.constantFrom("LONG" as const, "SHORT" as const),
  risk: fc.double({ min: 0.002, max: 0.2, noNaN: true }),
  reward: fc.double({ min: 0.002, max: 0.4, noNaN: true }),
  planBars: fc.integer({ min: 1, max: 40 }),
});

const planOf = (side: "LONG" | "SHORT", risk: number, reward: number) =>
  side === "LONG"
    ? { side, stop: 1 - risk, target: 1 + reward }
    : { side, stop: 1 + risk, target: 1 - reward };

const logsOf = ({ side, stop, target }: ReturnType<typeof planOf>): PathPlan => ({
  side,
  stop: Math.log(stop),
  target: Math.log(target),
});

describe("paths", () => {
  it("equal plain ones of whole bars, with a plan evaluated afterwards", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), plans, (seed, { side, risk, reward, planBars }) => {
        const count = 120 + (seed % 900);
        const bars = seed % 3 === 0 ? wildBars(seed, count, [2, 6, 0.3]) : syntheticBars(seed, count);
        const plan = planOf(side, risk, reward);
        const horizons = [1, 5, 20, 40];
        const paths = simulatePaths(rangeModel(bars), {
          paths: 40,
          drift: DRIFT,
          random: seededRandom(seed),
          horizons,
          plan: logsOf(plan),
          planBars,
        });
        const random = seededRandom(seed);
        const plain = plainPaths(plainModel(bars), { paths: 40, bars: 40, drift: DRIFT, random });
        for (const [i, horizon] of horizons.entries())
          for (const [path, whole] of plain.entries()) {
            const part = whole.slice(0, horizon);
            const { close, high, low } = paths.ends[i]!;
            expect(close[path]).toBeCloseTo(part.at(-1)!.close, 9);
            expect(high[path]).toBeCloseTo(Math.max(...part.map((bar) => bar.high)), 9);
            expect(low[path]).toBeCloseTo(Math.min(...part.map((bar) => bar.low)), 9);
          }
        const exits = plain.map((path) => plainExit(path.slice(0, planBars).map(exponentials), plan));
        const results = exits.map((exit, i) => plainResult(exit, plan, plain[i]!));
        const neither = results.filter((_, i) => exits[i]!.outcome === "neither");
        const countOf = (outcome: string) => exits.filter((exit) => exit.outcome === outcome).length;
        expect(paths.plan).toMatchObject({
          stop: countOf("stop"),
          target: countOf("target"),
          neither: countOf("neither"),
        });
        const [sum, squares] = [
          results.reduce((total, r) => total + r, 0),
          results.reduce((total, r) => total + r * r, 0),
        ];
        expect(paths.plan!.sumR / (1 + Math.abs(sum))).toBeCloseTo(sum / (1 + Math.abs(sum)), 9);
        const rest = neither.reduce((total, r) => total + r, 0);
        expect(paths.plan!.sumNeitherR / (1 + Math.abs(rest))).toBeCloseTo(rest / (1 + Math.abs(rest)), 9);
        expect(paths.plan!.sumSquaredR / (1 + squares)).toBeCloseTo(squares / (1 + squares), 9);
      }),
      { numRuns: draws(60) },
    );
  });

  it("run to 60 bars from twelve draws each", () => {
    const bars = syntheticBars(2, 800);
    let drawn = 0;
    const random = seededRandom(2);
    const counting: Random = {
      ...random,
      below: (count) => {
        drawn++;
        return random.below(count);
      },
    };
    const { ends, plan } = simulatePaths(rangeModel(bars), {
      paths: 30,
      drift: 0,
      random: counting,
      horizons: [60],
    });
    const whole = plainPaths(plainModel(bars), {
      paths: 30,
      bars: 60,
      drift: 0,
      random: seededRandom(2),
    });
    for (const [path, bar] of whole.entries()) expect(ends[0]!.close[path]).toBeCloseTo(bar.at(-1)!.close, 9);
    expect(drawn).toBe(30 * 12);
    expect(plan).toBeNull();
  });

  it("fill gaps at the open, the stop before the target, and end at the close", () => {
    // one bar of volatility 1, so that a path is one entry of the bank; logs of prices, the error plays no part
    const bar = (open: number, high: number, low: number, close: number): PlainBar => ({
      open: Math.log(open),
      high: Math.log(high),
      low: Math.log(low),
      close: Math.log(close),
    });
    const cases: readonly (readonly [PlainBar, "stop" | "target" | "neither", number])[] = [
      [bar(0.8, 1.5, 0.7, 1.4), "stop", -2], // opens below the stop of .9: -.2 over a risk of .1
      [bar(1.4, 1.5, 0.7, 0.8), "target", 4], // opens above the target of 1.2
      [bar(1, 1.3, 0.85, 1.25), "stop", -1], // both within the bar
      [bar(1, 1.3, 0.95, 1.25), "target", 2],
      [bar(1, 1.1, 0.95, 1.05), "neither", 0.5],
      [bar(1, 1.1, 0.9, 1.05), "stop", -1], // touches exactly
      [bar(1, 1.2, 0.95, 1.05), "target", 2],
    ];
    for (const [entry, outcome, result] of cases) {
      const bank = new Array<PlainEntry>(5).fill({ ...entry, error: 0 });
      const { plan } = simulatePaths(modelOf(bank, 0), {
        paths: 1,
        drift: 0,
        random: everyBlock(),
        horizons: [1],
        plan: { side: "LONG", stop: Math.log(0.9), target: Math.log(1.2) },
      });
      expect(plan).toMatchObject({ stop: 0, target: 0, neither: 0, [outcome]: 1 });
      expect(plan!.sumR).toBeCloseTo(result, 12);
      expect(plan!.sumSquaredR).toBeCloseTo(result * result, 12);
    }
  });

  it("do not depend on the horizons, on the plan or on the number of paths", () => {
    const model = rangeModel(syntheticBars(3, 900));
    const run = (horizons: readonly number[], paths = 200, plan?: PathPlan) =>
      simulatePaths(model, {
        paths,
        drift: DRIFT,
        random: seededRandom(5),
        horizons,
        ...(plan && { plan }),
      });
    const all = run([5, 20, 60]);
    expect(run([5]).ends[0]).toEqual(all.ends[0]);
    expect(run([20]).ends[0]).toEqual(all.ends[1]);
    expect(run([5, 20, 60], 200, { side: "SHORT", stop: 0.05, target: -0.05 }).ends).toEqual(all.ends);
    expect(run([5], 50).ends[0]!.close).toEqual(all.ends[0]!.close.subarray(0, 50));
  });

  it("touch a farther level never more often, and in more bars never less often", () => {
    const { ends } = simulatePaths(rangeModel(syntheticBars(4, 600)), {
      paths: 500,
      drift: 0,
      random: seededRandom(4),
      horizons: [1, 5, 20, 60],
    });
    const levels = [0.001, 0.01, 0.03, 0.05, 0.1, 0.2, 0.4];
    const table = ends.map(({ high, low }) => [
      ...levels.map((level) => shareAtLeast(high, level)),
      ...levels.map((level) => shareAtMost(low, -level)),
    ]);
    for (const [row, shares] of table.entries())
      for (const [i, share] of shares.entries()) {
        if (i % levels.length > 0) expect(share).toBeLessThanOrEqual(shares[i - 1]!);
        if (row > 0) expect(share).toBeGreaterThanOrEqual(table[row - 1]![i]!);
      }
    expect(table[0]![0]).toBeGreaterThan(table[0]![4]!);
    expect(table[3]![3]).toBeGreaterThan(table[0]![3]!);
  });

  it("reach stop, target or neither once each, a nearer target more often, a nearer stop too", () => {
    const model = rangeModel(syntheticBars(6, 500));
    fc.assert(
      fc.property(fc.nat(1_000), plans, (seed, { side, risk, reward, planBars }) => {
        const run = (stopFactor: number, targetFactor: number) => {
          const { plan } = simulatePaths(model, {
            paths: 100,
            drift: 0,
            random: seededRandom(seed),
            horizons: [40],
            plan: logsOf(planOf(side, stopFactor * risk, targetFactor * reward)),
            planBars,
          });
          expect(plan!.stop + plan!.target + plan!.neither).toBe(100);
          return plan!;
        };
        const [plan, nearStop, nearTarget] = [run(1, 1), run(0.7, 1), run(1, 0.7)];
        expect(nearTarget.target).toBeGreaterThanOrEqual(plan.target);
        expect(nearTarget.stop).toBeLessThanOrEqual(plan.stop);
        expect(nearStop.stop).toBeGreaterThanOrEqual(plan.stop);
        expect(nearStop.target).toBeLessThanOrEqual(plan.target);
      }),
      { numRuns: draws(100) },
    );
  });

  it("touch both sides equally often in one bar of a symmetric bank, to the last path", () => {
    const bank = symmetric(entries);
    const paths = 2 * entries.length;
    const { ends } = simulatePaths(modelOf(bank), { paths, drift: 0, random: everyBlock(), horizons: [1] });
    const { close, high, low } = ends[0]!;
    const shares = [0.002, 0.005, 0.01, 0.015, 0.02, 0.03].map((level) => {
      expect(shareAtLeast(high, level)).toBe(shareAtMost(low, -level));
      expect(shareAtLeast(close, level)).toBe(shareAtMost(close, -level));
      return shareAtLeast(high, level);
    });
    expect(shares[0]).toBeGreaterThan(0.5);
    expect(shares[5]).toBeLessThan(0.5);
    const shifted = simulatePaths(modelOf(bank), {
      paths,
      drift: 0.002,
      random: everyBlock(),
      horizons: [1],
    });
    for (let path = 0; path < paths; path++)
      expect(shifted.ends[0]!.close[path]).toBeCloseTo(close[path]! + 0.002, 12);
  });

  it("end a plan as its mirror image does in one bar of a mirrored bank, to the last path", () => {
    const bank = symmetric(entries);
    const run = (plan: PathPlan) =>
      simulatePaths(modelOf(bank), {
        paths: 2 * entries.length,
        drift: 0,
        random: everyBlock(),
        horizons: [1],
        plan,
      }).plan!;
    const countsOf = ({ stop, target, neither }: ReturnType<typeof run>) => ({ stop, target, neither });
    for (const [risk, reward] of [
      [0.004, 0.006],
      [0.01, 0.01],
      [0.02, 0.03],
    ] as const) {
      const long = run({ side: "LONG", stop: -risk, target: reward });
      const short = run({ side: "SHORT", stop: risk, target: -reward });
      expect(countsOf(short)).toEqual(countsOf(long));
      expect(Math.min(long.stop, long.target, long.neither)).toBeGreaterThan(0);
    }
  });

  it("fall into wider bars than they rise into, by the weight of a fall", () => {
    const still = { open: 0, high: 2, low: -2, error: 0 };
    const bank: PlainEntry[] = [
      { ...still, close: -1 },
      { ...still, close: 1 },
      ...new Array<PlainEntry>(5).fill({ ...still, close: 1 }),
    ];
    const { ends } = simulatePaths(modelOf(bank), {
      paths: 3,
      drift: 0,
      random: everyBlock(),
      horizons: [1, 2],
    });
    const [first, second] = [ends[0]!.close, ends[1]!.close];
    // both take a close of +1 next; exp(.076 / 2) is the ratio of the volatilities
    const [afterFall, afterRise] = [second[0]! - first[0]!, second[1]! - first[1]!];
    expect(afterFall / afterRise).toBeCloseTo(Math.exp(0.038), 9);
  });

  it("touch both sides about equally often over many bars of a symmetric bank, but for the effect of falls", () => {
    // Blocks are mirrored as they stand, except where bank and mirror image meet. A fall raises the volatility of the
    // next bar by exp(.038 |z|), 3 %, of which the means keep a part: at these levels less than 2 points of touches.
    const paths = 4_000;
    const { ends } = simulatePaths(modelOf(symmetric(entries)), {
      paths,
      drift: 0,
      random: seededRandom(77),
      horizons: [5, 20],
    });
    for (const { high, low } of ends)
      for (const level of [0.03, 0.05, 0.08]) {
        const [up, down] = [shareAtLeast(high, level), shareAtMost(low, -level)];
        const noise = Math.sqrt((up + down) / paths);
        expect(Math.abs(up - down)).toBeLessThan(4 * noise + 0.02);
      }
  });
});
