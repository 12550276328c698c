import { type Bars, sliceBars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { type Random, seededRandom } from "../backtest/random.ts";
import type { Side } from "../levels/side.ts";
import { afterSplits, splitFault } from "../score/split-fault.ts";
import { variance } from "../statistics.ts";
import { type PastPlanOutcomes, type PastWindows, pastPlanOutcomes, pastWindows } from "./past-windows.ts";
import { type PathEnds, type PathPlan, simulatePaths } from "./paths.ts";
import { type InstrumentProfile, instrumentProfile } from "./profile.ts";
import { QUANTILES, quantilesOf } from "./quantiles.ts";
import { MIN_ODDS_BARS, nextVolatility, ODDS_BARS, type RangeModel, rangeModel } from "./range-model.ts";
import { oddsSeed } from "./seed.ts";

/** Version of the method, raised with every change of a result. */
export const ODDS_VERSION = "odds-1.1.0";
/** Default number of paths. */
export const PATHS = 4_000;

export interface OddsRequest {
  /** Closed bars; odds start from the last one and use at most the newest 1,251, and none before a suspected split. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Numbers of bars after the last one, 1 to 60, ascending. */
  readonly horizons: readonly number[];
  /** Prices other than the last close. */
  readonly levels?: readonly number[];
  readonly plan?: PlanRequest | null;
  /** Default: 4,000. */
  readonly paths?: number;
  /** false: omits the bases, which take most of the time. Default: true. */
  readonly withBase?: boolean;
}

/** A trade whose odds are computed. */
export interface PlanRequest {
  /** Price at which the trade starts. Default: the last close. */
  readonly from?: number;
  readonly side: Side;
  readonly stop: number;
  readonly target: number;
  /** Bars after which the trade ends at the close. */
  readonly bars: number;
}

/** Distribution of the price after a number of bars. */
export interface HorizonOdds {
  readonly bars: number;
  /** Prices that the close falls below with the probabilities in `QUANTILES`. */
  readonly quantiles: readonly number[];
  /** Quantiles of the symbol's past windows, scaled to the last close; null without a past window of this length, or without bases. */
  readonly baseQuantiles: readonly number[] | null;
  /** Standard deviation of the log return of the close. */
  readonly deviation: number;
  /** Mean absolute change of the close, as a fraction. */
  readonly move: number;
  readonly baseMove: number | null;
}

/** Odds of touching a price, 0-1, with the base rate: the share of past windows that touched the same relative distance. */
export interface LevelOdds {
  readonly price: number;
  readonly touch: readonly { readonly bars: number; readonly odds: number; readonly base: number | null }[];
}

/** Odds of a plan; `target`, `stop` and `neither` add up to 1. */
export interface PlanOddsResult extends PlanRequest {
  readonly odds: { readonly stop: number; readonly target: number; readonly neither: number };
  /** Base rates: outcomes of a plan at the same relative distances in past windows; null without a window, or without bases. */
  readonly base: PastPlanOutcomes | null;
  /**
   * Mean result over the paths in R, from which half the variance of the price is subtracted. It follows from the distances
   * of the plan and the assumed drift, favours neither side without drift, and is no edge.
   */
  readonly expectedR: number;
  /** The same of the paths that end at the stop, at the target and at neither; null without one. */
  readonly stopR: number | null;
  readonly targetR: number | null;
  readonly neitherR: number | null;
  /** Mean of the squared results, in R squared. */
  readonly meanSquaredR: number;
}

export interface Odds {
  readonly version: typeof ODDS_VERSION;
  readonly seed: number;
  readonly paths: number;
  readonly bars: number;
  readonly close: number;
  readonly profile: InstrumentProfile;
  /** Forecast standard deviation of the next bar, as a log return. */
  readonly volatility: number;
  readonly horizons: readonly HorizonOdds[];
  readonly levels: readonly LevelOdds[];
  readonly plan: PlanOddsResult | null;
}

export type OddsOutcome =
  | { readonly odds: Odds; readonly reason: null }
  | { readonly odds: null; readonly reason: string };

/** Share of bars at one price above which there are no odds: ranges of the few trades say too little. */
export const MAX_EMPTY = 0.25;

/**
 * Returns the reason why bars have no odds: too few bars, a suspected unadjusted split, or too many bars at one price;
 * null if they have.
 */
export function oddsFault(bars: Bars): string | null {
  const { length } = bars.close;
  if (length < MIN_ODDS_BARS) return `Odds need ${MIN_ODDS_BARS} bars, there are ${length}`;
  const split = splitFault(bars);
  if (split !== null) return split;
  const { high, low, close } = bars;
  let empty = 0;
  for (let bar = 1; bar < length; bar++) if (high[bar] === low[bar] && close[bar] === close[bar - 1]) empty++;
  const share = empty / (length - 1);
  return share > MAX_EMPTY
    ? `${Math.round(100 * share)}% of the ${length} bars have no range: the price did not move. Odds need at least ${100 * (1 - MAX_EMPTY)}% of bars with one`
    : null;
}

/** Returns the bars that odds read: the newest 1,251, of these only those after a suspected split if they are enough. */
export const oddsBars = (bars: Bars): Bars =>
  afterSplits(sliceBars(bars, Math.max(0, bars.close.length - ODDS_BARS)), MIN_ODDS_BARS);

/** Model of the paths from the last bar, with random numbers that depend on the symbol and that bar alone. */
export type OddsModel =
  | {
      readonly bars: Bars;
      readonly profile: InstrumentProfile;
      readonly model: RangeModel;
      readonly seed: number;
      readonly random: Random;
      readonly reason: null;
    }
  | { readonly model: null; readonly reason: string };

/** Returns the model of the paths from the last bar, or the reason why there is none. */
export function oddsModelOf({
  bars: given,
  symbol,
  assetClass,
}: Pick<OddsRequest, "bars" | "symbol" | "assetClass">): OddsModel {
  const bars = oddsBars(given);
  const fault = oddsFault(bars);
  if (fault !== null) return { model: null, reason: fault };
  const profile = instrumentProfile(bars, assetClass);
  const seed = oddsSeed(symbol, bars.timeframe, bars.time.at(-1)!);
  const model = rangeModel(bars, profile.reversion);
  return { bars, profile, model, seed, random: seededRandom(seed), reason: null };
}

/** Returns the odds at the last bar, or the reason why there are none. Uses no data after it. */
export function oddsOf(request: OddsRequest): OddsOutcome {
  const found = oddsModelOf(request);
  if (found.model === null) return { odds: null, reason: found.reason };
  const { bars, profile, seed, model, random } = found;
  const { horizons, levels = [], plan = null, paths = PATHS, withBase = true } = request;
  const close = bars.close.at(-1)!;
  const start = plan?.from ?? close;
  const pathPlan: PathPlan | null = plan && {
    side: plan.side,
    stop: Math.log(plan.stop / start),
    target: Math.log(plan.target / start),
  };
  const simulated = simulatePaths(model, {
    paths,
    drift: profile.drift,
    random,
    horizons: horizonsWith(horizons, plan),
    ...(pathPlan !== null && { plan: pathPlan, planBars: plan!.bars }),
  });
  const past = withBase ? bars : sliceBars(bars, bars.close.length);
  const shown = horizonsWith(horizons, plan).flatMap((bar, i) =>
    horizons.includes(bar) ? [{ bars: bar, ends: simulated.ends[i]!, past: pastWindows(past, bar) }] : [],
  );
  return {
    reason: null,
    odds: {
      version: ODDS_VERSION,
      seed,
      paths,
      bars: bars.close.length,
      close,
      profile,
      volatility: nextVolatility(model),
      levels: levels.map((price) => levelOdds(price, close, shown)),
      horizons: shown.map((one) => horizonOdds(one, close)),
      plan:
        plan === null || pathPlan === null || simulated.plan === null
          ? null
          : {
              ...plan,
              odds: {
                stop: simulated.plan.stop / paths,
                target: simulated.plan.target / paths,
                neither: simulated.plan.neither / paths,
              },
              base: pastPlanOutcomes(past, pathPlan, plan.bars),
              expectedR: simulated.plan.sumR / paths,
              stopR: meanOf(simulated.plan.sumStopR, simulated.plan.stop),
              targetR: meanOf(simulated.plan.sumTargetR, simulated.plan.target),
              neitherR: meanOf(simulated.plan.sumNeitherR, simulated.plan.neither),
              meanSquaredR: simulated.plan.sumSquaredR / paths,
            },
    },
  };
}

const meanOf = (sum: number, count: number): number | null => (count === 0 ? null : sum / count);

interface Simulated {
  readonly bars: number;
  readonly ends: PathEnds;
  readonly past: PastWindows;
}

const horizonsWith = (horizons: readonly number[], plan: PlanRequest | null): readonly number[] =>
  [...new Set(plan === null ? horizons : [...horizons, plan.bars])].sort((a, b) => a - b);

function horizonOdds({ bars, ends, past }: Simulated, close: number): HorizonOdds {
  const pricesAt = (logs: Float64Array) => quantilesOf(logs, QUANTILES).map((log) => close * Math.exp(log));
  const hasBase = past.close.length > 0;
  return {
    bars,
    quantiles: pricesAt(ends.close),
    baseQuantiles: hasBase ? pricesAt(past.close) : null,
    deviation: Math.sqrt(variance(ends.close)),
    move: moveOf(ends.close),
    baseMove: hasBase ? moveOf(past.close) : null,
  };
}

/** Returns the mean absolute change of log returns, as a fraction. */
function moveOf(logs: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < logs.length; i++) sum += Math.abs(Math.expm1(logs[i]!));
  return sum / logs.length;
}

function levelOdds(price: number, close: number, horizons: readonly Simulated[]): LevelOdds {
  const level = Math.log(price / close);
  return {
    price,
    touch: horizons.map(({ bars, ends, past }) => ({
      bars,
      odds: touchShare(ends, level),
      base: past.close.length > 0 ? touchShare(past, level) : null,
    })),
  };
}

/** Returns the share of windows that touch a level, the log of its ratio to their start, 0-1; NaN if there is none. */
export const touchShare = ({ high, low }: Pick<PathEnds, "high" | "low">, level: number): number =>
  level > 0 ? shareAtLeast(high, level) : shareAtMost(low, level);

/** Returns the share of values at or above a level, 0-1; NaN if empty. */
export function shareAtLeast(values: Float64Array, level: number): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! >= level) count++;
  return count / values.length;
}

/** Returns the share of values at or below a level, 0-1; NaN if empty. */
export function shareAtMost(values: Float64Array, level: number): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! <= level) count++;
  return count / values.length;
}
