import { seededRandom } from "../../../src/analytics/backtest/random.ts";
import { atr } from "../../../src/analytics/indicators/atr.ts";
import type { Side } from "../../../src/analytics/levels/side.ts";
import {
  CLOSED_FORM_BARS,
  type ClosedFormBars,
  closedFormVolatility,
} from "../../../src/analytics/odds/closed-form.ts";
import { MAX_EMPTY } from "../../../src/analytics/odds/odds.ts";
import { pastWindows } from "../../../src/analytics/odds/past-windows.ts";
import { type PathOptions, type PlanOutcomes, simulatePaths } from "../../../src/analytics/odds/paths.ts";
import { type InstrumentKind, instrumentProfile } from "../../../src/analytics/odds/profile.ts";
import {
  nextVolatility,
  ODDS_BARS,
  type RangeModel,
  rangeModel,
} from "../../../src/analytics/odds/range-model.ts";
import { oddsSeed } from "../../../src/analytics/odds/seed.ts";
import { realizedVolatility } from "../../../src/analytics/odds/volatility.ts";
import { type Bars, sliceBars } from "../../../src/domain/market/bars.ts";
import { baseRecord } from "./base-record.ts";
import { type Forecast, forecastOfPaths, normalForecast } from "./forecast.ts";
import { ATR_PLAN, type OpenPlan, planRecord, SIDES } from "./plan.ts";
import {
  type RangePositionScore,
  rangeScorer,
  type StandardizedReturn,
  standardizedReturns,
} from "./range-scores.ts";
import { type DailyFile, FIRST_BAR } from "./read-folder.ts";

export const HORIZONS = CLOSED_FORM_BARS;
export type Horizon = ClosedFormBars;
/** Levels above and below the last close, as fractions of it. */
export const LEVELS = {
  5: [0.02, 0.03, 0.05, 0.08],
  20: [0.03, 0.05, 0.1, 0.15],
  60: [0.05, 0.1, 0.2, 0.3],
} as const satisfies Record<Horizon, readonly number[]>;
/** Central ranges whose coverage is measured. */
export const COVERS = [0.5, 0.8, 0.9] as const;
/** Bars from one forecast to the next. */
export const STEP = 5;
/** Number of bars that a signal reads. */
export const SIGNAL_BARS = 500;
/** Days of the volatility of the normal forecast. */
export const NORMAL_DAYS = 60;

/** Odds of an event with its base rate, both 0-1, and its outcome. */
export interface ScoredOdds {
  readonly odds: number;
  readonly base: number;
  readonly happened: boolean;
}

/** One forecast at one horizon, scored. */
export interface Score {
  /** Bar of the forecast, epoch ms. */
  readonly time: number;
  readonly horizon: Horizon;
  readonly kind: InstrumentKind;
  /** Forecast standard deviation of the next bar, as a log return. */
  readonly volatility: number;
  /** By central range of `COVERS`: true if the close was inside. */
  readonly inside: readonly boolean[];
  /** Continuous ranked probability scores of the forecast, of the base and of the normal; 0 is best. */
  readonly crps: number;
  readonly baseCrps: number;
  readonly normalCrps: number;
  readonly touches: readonly (ScoredOdds & { readonly isAbove: boolean })[];
  readonly rise: ScoredOdds;
}

/** Odds that a plan reaches its stop or its target first, 0-1. */
export interface StopAndTarget {
  readonly stop: number;
  readonly target: number;
}

/** Odds that a plan reaches its target before its stop, scored. */
export interface PlanScore extends ScoredOdds {
  readonly time: number;
  readonly side: Side;
  /** Odds that the stop is reached first, and whether it was. */
  readonly stopOdds: number;
  readonly isStopped: boolean;
  /** Odds from the newest 500 bars. */
  readonly newest: StopAndTarget;
  readonly expectedR: number;
  readonly r: number;
}

export interface FileScores {
  /** Forecasts from the newest 1,251 bars, which is what the product reads. */
  readonly paths: readonly Score[];
  /** Forecasts from the newest 500 bars. */
  readonly newest: readonly Score[];
  /** Forecasts of the closed form; empty for coins. */
  readonly closedForm: readonly Score[];
  readonly plans: readonly PlanScore[];
  /** Forecasts of `range_position`, at the same bars. */
  readonly positions: readonly RangePositionScore[];
  /** Of all bars of the file. */
  readonly returns: readonly StandardizedReturn[];
}

/** Scores a forecast at every fifth bar of a file, each from the bars up to it alone. */
export function walkFile({ symbol, assetClass, isFund, bars }: DailyFile, paths: number): FileScores {
  const scores = {
    paths: [] as Score[],
    newest: [] as Score[],
    closedForm: [] as Score[],
    plans: [] as PlanScore[],
    positions: [] as RangePositionScore[],
    returns: standardizedReturns(bars),
  };
  const { close } = bars;
  const ranges = atr(bars.high, bars.low, close, 14);
  const judges = HORIZONS.map((horizon) => judgeOf(bars, horizon));
  const planRecords = SIDES.map((side) => planRecord(bars, side));
  for (let at = FIRST_BAR; at + HORIZONS[0] < close.length; at += STEP) {
    const known = judges.filter(({ horizon }) => at + horizon < close.length);
    const normal = realizedVolatility(sliceBars(bars, 0, at + 1), NORMAL_DAYS)!;
    const newestBars = (count: number) => sliceBars(bars, Math.max(0, at + 1 - count), at + 1);
    const horizons = known.map(({ horizon }) => horizon);
    const seed = oddsSeed(symbol, "1d", bars.time[at]!);
    const plans = planRecords.flatMap((record) => record.openAt(at) ?? []);
    const longest = newestBars(ODDS_BARS);
    const profile = instrumentProfile(longest, isFund ? "etf" : assetClass);
    if (profile.emptyShare > MAX_EMPTY) continue;
    const { drift, reversion, kind } = profile;
    for (const judge of known) judge.advance(at, { volatility: normal, drift });
    const options = (): PathOptions => ({ paths, drift, horizons, random: seededRandom(seed) });
    const model = rangeModel(longest, reversion);
    const simulated = simulate(model, options, plans);
    const subject = { kind, volatility: nextVolatility(model) };
    for (const [i, ends] of simulated.ends.entries())
      scores.paths.push(known[i]!.score(at, forecastOfPaths(ends), subject));
    const newest = simulate(rangeModel(newestBars(SIGNAL_BARS), reversion), options, plans);
    for (const [i, ends] of newest.ends.entries())
      scores.newest.push(known[i]!.score(at, forecastOfPaths(ends), subject));
    const hasClosedForm = assetClass !== "crypto" && ranges[at]! > 0;
    const volatilityOver = (horizon: Horizon) => closedFormVolatility(longest, ranges[at]!, horizon);
    if (hasClosedForm)
      for (const judge of known)
        scores.closedForm.push(
          judge.score(at, normalForecast(drift * judge.horizon, volatilityOver(judge.horizon)), subject),
        );
    for (const { position } of known) scores.positions.push(position(at));
    for (const [i, plan] of plans.entries()) {
      const { stop, target, sumR } = simulated.plans[i]!;
      scores.plans.push({
        time: bars.time[at]!,
        side: plan.side,
        odds: target / paths,
        base: plan.base,
        happened: plan.outcome.end === "target",
        stopOdds: stop / paths,
        isStopped: plan.outcome.end === "stop",
        newest: { stop: newest.plans[i]!.stop / paths, target: newest.plans[i]!.target / paths },
        expectedR: sumR / paths,
        r: plan.outcome.r,
      });
    }
  }
  return scores;
}

/** Simulates the ranges and the plans: the paths of the ranges also run the first plan; the same paths run the others. */
function simulate(model: RangeModel, options: () => PathOptions, [first, ...others]: readonly OpenPlan[]) {
  const { ends, plan } = simulatePaths(model, { ...options(), ...(first && planOptions(first)) });
  const alone = (other: OpenPlan) =>
    simulatePaths(model, { ...options(), horizons: [ATR_PLAN.bars], ...planOptions(other) }).plan;
  const plans: readonly (PlanOutcomes | null)[] = [plan, ...others.map(alone)];
  return { ends, plans };
}

const planOptions = ({ side, stop, target, close }: OpenPlan) => ({
  plan: { side, stop: Math.log(stop / close), target: Math.log(target / close) },
  planBars: ATR_PLAN.bars,
});

/** Returns the logs of the ratios of levels to the last close: those above it, then those below. */
export const logLevels = (horizon: Horizon): readonly number[] =>
  [1, -1].flatMap((side) => LEVELS[horizon].map((level) => Math.log(1 + side * level)));

/** Scores forecasts over one number of bars by their outcomes, and the base beside them. */
function judgeOf(bars: Bars, horizon: Horizon) {
  const levels = logLevels(horizon);
  const base = baseRecord(bars, horizon, levels);
  const happened = pastWindows(bars, horizon);
  let [baseCrps, normalCrps] = [0, 0];
  return {
    horizon,
    position: rangeScorer(bars, horizon),
    /** Moves on to a bar; volatility and drift are those of one bar. */
    advance(at: number, { volatility, drift }: { readonly volatility: number; readonly drift: number }) {
      const change = happened.close[at]!;
      base.advance(at);
      baseCrps = base.crps(change);
      normalCrps = normalForecast(drift * horizon, volatility * Math.sqrt(horizon)).crps(change);
    },
    score(at: number, forecast: Forecast, subject: Pick<Score, "kind" | "volatility">): Score {
      const change = happened.close[at]!;
      return {
        time: bars.time[at]!,
        horizon,
        ...subject,
        inside: COVERS.map(
          (cover) =>
            change >= forecast.quantile((1 - cover) / 2) && change <= forecast.quantile((1 + cover) / 2),
        ),
        crps: forecast.crps(change),
        baseCrps,
        normalCrps,
        touches: levels.map((level, i) => ({
          isAbove: level > 0,
          odds: forecast.touch(level),
          base: base.touch(i),
          happened: level > 0 ? happened.high[at]! >= level : happened.low[at]! <= level,
        })),
        rise: { odds: forecast.rise, base: base.rise(), happened: change > 0 },
      };
    },
  };
}
