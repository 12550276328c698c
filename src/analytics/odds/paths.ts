import type { Random } from "../backtest/random.ts";
import type { Side } from "../levels/side.ts";
import { variance } from "../statistics.ts";
import { tableExp } from "./path-exp.ts";
import { LONG, MIDDLE, meanSums, type RangeModel, SHORT } from "./range-model.ts";

/** Maximum number of bars of a path. */
export const MAX_HORIZON = 60;
/** Number of consecutive bars of the bank that a path takes at once. */
const BLOCK = 5;
const BLOCKS = MAX_HORIZON / BLOCK;
/** A trade from the last close; prices are logs of their ratio to it. */
export interface PathPlan {
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
}

export interface PathOptions {
  readonly paths: number;
  /** Drift of a bar, as a log return. */
  readonly drift: number;
  readonly random: Random;
  /** Numbers of bars, ascending, at most 60, for which close, highest high and lowest low are returned. */
  readonly horizons: readonly number[];
  /** Default: none. */
  readonly plan?: PathPlan;
  /** Bars after which the plan ends at the close; one of the horizons or less. Default: the last horizon. */
  readonly planBars?: number;
  /** true: returns open, high and low of every bar of every path. Default: false. */
  readonly withBars?: boolean;
}

/** Bars of paths, one path after another: logs of the ratio to the last close. */
export interface PathBars {
  /** Number of bars of a path. */
  readonly length: number;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/** Close, highest high and lowest low of every path after one number of bars, as logs of the ratio to the last close. */
export interface PathEnds {
  readonly close: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
}

/**
 * Outcomes of a plan: numbers of paths, and the sums of their results in R and of the squares of these. Half the variance
 * of the log return while the trade is open is subtracted from each result: as the drift is that of the median price, the
 * mean price rises by that much without any drift, which would favour a LONG.
 */
export interface PlanOutcomes {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
  readonly sumR: number;
  /** The same of the paths that end at the stop, at the target and at neither level. */
  readonly sumStopR: number;
  readonly sumTargetR: number;
  readonly sumNeitherR: number;
  readonly sumSquaredR: number;
}

export interface Paths {
  /** By horizon, in the order of the options. */
  readonly ends: readonly PathEnds[];
  readonly plan: PlanOutcomes | null;
  /** null unless requested. */
  readonly bars: PathBars | null;
}

/**
 * Simulates paths of bars by filtered historical simulation: blocks of five consecutive bars of the bank, each bar
 * multiplied by the volatility that is forecast from the bars of the path before it. A path does not depend on the
 * horizons or on the number of paths after it. A plan exits at an open beyond stop or target, else at the stop, else at
 * the target, and at the close of its last bar.
 * @see G. Barone-Adesi, K. Giannopoulos and L. Vosper, "VaR without correlations for portfolios of derivative securities", 1999
 */
export function simulatePaths(model: RangeModel, options: PathOptions): Paths {
  const { paths, drift, random, horizons, plan = null, withBars = false } = options;
  const bars = horizons.at(-1)!;
  const lastPlanBar = (options.planBars ?? bars) - 1;
  const { bank, recent, highest: highestVariance } = model;
  const { open: opens, high: highs, low: lows, close: closes, error: errors } = bank;
  const places = closes.length - BLOCK + 1;
  const ends = horizons.map(() => ({
    close: new Float64Array(paths),
    high: new Float64Array(paths),
    low: new Float64Array(paths),
  }));
  const pathBars: PathBars | null = withBars
    ? {
        length: bars,
        open: new Float64Array(paths * bars),
        high: new Float64Array(paths * bars),
        low: new Float64Array(paths * bars),
      }
    : null;
  const starts = new Int32Array(BLOCKS);
  // the weights of the forecast, per value of each sum
  const { constant, last: perLast, fall } = model.weights;
  const perShort = model.weights.short / SHORT;
  const perMiddle = model.weights.middle / MIDDLE;
  const perLong = model.weights.long / LONG;
  const halfVariance = variance(closes) / 2;
  // log variances before and on the path
  const values = new Float64Array(LONG + MAX_HORIZON);
  values.set(recent);
  const startSums = meanSums(recent, LONG);
  const tally = plan && planTally(plan);
  const { away, stop, target } = tally ?? { away: 1, stop: 0, target: 0 };
  for (let path = 0; path < paths; path++) {
    for (let block = 0; block < BLOCKS; block++) starts[block] = random.below(places);
    let { short, middle, long } = startSums;
    let forecast = model.next;
    let last = 0;
    let highest = Number.NEGATIVE_INFINITY;
    let lowest = Number.POSITIVE_INFINITY;
    let isOpen = plan !== null;
    let spread = 0;
    let end = 0;
    let nextEnd = horizons[0]! - 1;
    for (let bar = 0, entry = 0; bar < bars; bar++, entry++) {
      if (bar % BLOCK === 0) entry = starts[bar / BLOCK]!;
      const scale = tableExp(forecast / 2);
      const from = last + drift;
      const high = from + scale * highs[entry]!;
      const low = from + scale * lows[entry]!;
      const change = closes[entry]!;
      last = from + scale * change;
      if (high > highest) highest = high;
      if (low < lowest) lowest = low;
      if (pathBars !== null) {
        const place = path * bars + bar;
        pathBars.open[place] = from + scale * opens[entry]!;
        pathBars.high[place] = high;
        pathBars.low[place] = low;
      }
      if (isOpen) {
        spread += scale * scale * halfVariance;
        const worst = away > 0 ? low : -high;
        const best = away > 0 ? high : -low;
        if (worst <= stop || best >= target || bar === lastPlanBar) {
          isOpen = false;
          const open = away * (from + scale * opens[entry]!);
          tally!.add({ open, worst, best, close: away * last }, spread);
        }
      }
      if (bar === nextEnd) {
        const found = ends[end]!;
        found.close[path] = last;
        found.high[path] = highest;
        found.low[path] = lowest;
        end++;
        nextEnd = (horizons[end] ?? 0) - 1;
      }
      const value = Math.min(highestVariance, forecast + errors[entry]!);
      const at = LONG + bar;
      values[at] = value;
      short += value - values[at - SHORT]!;
      middle += value - values[at - MIDDLE]!;
      long += value - recent[bar]!;
      forecast = constant + perLast * value + perShort * short + perMiddle * middle + perLong * long;
      if (change < 0) forecast += fall * change;
    }
  }
  return { ends, plan: tally?.outcomes() ?? null, bars: pathBars };
}

/** A bar in which a trade ends: logs of the ratio to the last close, of which the larger is the better for the trade. */
interface LastBar {
  readonly open: number;
  /** Low of a LONG, high of a SHORT. */
  readonly worst: number;
  readonly best: number;
  readonly close: number;
}

/**
 * Returns a plan's stop and target with the sign that makes the larger price the better one, and a count of its ends.
 */
function planTally(plan: PathPlan) {
  const away = plan.side === "SHORT" ? -1 : 1;
  const stop = away * plan.stop;
  const target = away * plan.target;
  const risk = away * (1 - Math.exp(plan.stop));
  const count = { stop: 0, target: 0, neither: 0 };
  const sums = { stop: 0, target: 0, neither: 0, squares: 0 };
  return {
    ...{ away, stop, target },
    /** Adds a path with the bar of its exit; `spread` is half the variance of its log return. */
    add({ open, worst, best, close }: LastBar, spread: number): void {
      const isStop = open <= stop || (open < target && worst <= stop);
      const end = isStop ? "stop" : best >= target ? "target" : "neither";
      const exit = end === "stop" ? Math.min(open, stop) : end === "target" ? Math.max(open, target) : close;
      const result = (away * (Math.exp(away * exit) - 1 - spread)) / risk;
      count[end]++;
      sums[end] += result;
      sums.squares += result * result;
    },
    outcomes: (): PlanOutcomes => ({
      ...count,
      sumR: sums.stop + sums.target + sums.neither,
      sumStopR: sums.stop,
      sumTargetR: sums.target,
      sumNeitherR: sums.neither,
      sumSquaredR: sums.squares,
    }),
  };
}
