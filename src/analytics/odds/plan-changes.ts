import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { seededRandom } from "../backtest/random.ts";
import { towardProfit } from "../levels/side.ts";
import { nearestTick } from "../levels/ticks.ts";
import { oddsBars, PATHS, type PlanRequest } from "./odds.ts";
import { type PastPlanOutcomes, pastPlanOutcomes } from "./past-windows.ts";
import { type PathBars, type PathPlan, simulatePaths } from "./paths.ts";
import { instrumentProfile } from "./profile.ts";
import { MIN_ODDS_BARS, nextVolatility, type RangeModel, rangeModel } from "./range-model.ts";
import { oddsSeed } from "./seed.ts";

/** Distance by which the stop is moved, in ATR14. */
export const STOP_STEP = 0.5;
/** Share of its distance from the close at which the nearer target lies. */
const TARGET_SHARE = 2 / 3;
/** Number of bars of whose forecasts the 10th and the 90th percentile are taken. */
const YEAR = 250;
const TENTH = 0.1;

/** Shares of paths, 0-1, that add up to 1. */
export interface ChangedOdds {
  readonly stop: number;
  readonly target: number;
  readonly neither: number;
}

/** Odds of a plan after one change of its levels or of the assumptions. */
export interface PlanChange {
  readonly change:
    | "stop_farther"
    | "stop_nearer"
    | "target_nearer"
    | "low_volatility"
    | "high_volatility"
    | "no_drift";
  /** The moved level; null for a changed assumption. */
  readonly price: number | null;
  /** Forecast standard deviation of the next bar, as a log return; null unless it is changed. */
  readonly volatility: number | null;
  readonly odds: ChangedOdds | null;
  /** Base rates of the moved levels; null for a changed assumption, whose base is that of the plan itself. */
  readonly base: PastPlanOutcomes | null;
  /** Why there are no odds; null if there are. */
  readonly reason: string | null;
}

export interface PlanChangesRequest {
  /** Closed bars without a fault (`oddsFault`), the last one is the decision bar. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly plan: PlanRequest;
  /** ATR14 at the last bar. */
  readonly atr: number;
  /** true: also changes the volatility and the drift that are assumed. */
  readonly assumptions: boolean;
}

export interface PlanChanges {
  /** Forecast standard deviation of the next bar without a change, as a log return. */
  readonly volatility: number;
  readonly changes: readonly PlanChange[];
}

/**
 * Returns the odds of a plan with the stop half an ATR14 farther or nearer and with a nearer target, then at a low
 * and a high volatility and without drift, if one is assumed. All use the random numbers of `oddsOf`, so that
 * differences come from the change alone.
 */
export function planChanges(request: PlanChangesRequest): PlanChanges {
  const { symbol, assetClass, plan, assumptions } = request;
  const bars = oddsBars(request.bars);
  const last = bars.close.length - 1;
  const { drift, reversion } = instrumentProfile(bars, assetClass);
  const seed = oddsSeed(symbol, bars.timeframe, bars.time[last]!);
  const model = rangeModel(bars, reversion);
  const pathsFrom = (start: RangeModel): PathBars =>
    simulatePaths(start, {
      paths: PATHS,
      drift,
      random: seededRandom(seed),
      horizons: [plan.bars],
      withBars: true,
    }).bars!;
  const paths = pathsFrom(model);
  const changes = [
    ...levelChanges({ ...request, bars }, paths),
    ...(assumptions ? assumptionChanges({ plan, bars, model, drift }, { paths, pathsFrom }) : []),
  ];
  return { volatility: nextVolatility(model), changes };
}

const pathPlanOf = ({ side, stop, target }: PlanRequest, close: number): PathPlan => ({
  side,
  stop: Math.log(stop / close),
  target: Math.log(target / close),
});

/** Returns the odds with the stop farther and nearer, and with the target nearer, over the same paths. */
function levelChanges(
  { bars, plan, atr, assetClass }: PlanChangesRequest,
  paths: PathBars,
): readonly PlanChange[] {
  const close = bars.close.at(-1)!;
  const away = towardProfit(plan.side);
  const moved = (
    change: "stop_farther" | "stop_nearer" | "target_nearer",
    level: "stop" | "target",
    exact: number,
  ): PlanChange => {
    const price = nearestTick(exact, assetClass);
    const distance = level === "stop" ? away * (close - price) : away * (price - close);
    if (price <= 0) return none(change, `The ${level} would be at or below 0`);
    if (distance <= 0) return none(change, `The ${level} would be at or past the close`);
    const changed = pathPlanOf({ ...plan, [level]: price }, close);
    return {
      change,
      price,
      volatility: null,
      odds: changedOdds(paths, changed),
      base: pastPlanOutcomes(bars, changed, plan.bars),
      reason: null,
    };
  };
  return [
    moved("stop_farther", "stop", plan.stop - away * STOP_STEP * atr),
    moved("stop_nearer", "stop", plan.stop + away * STOP_STEP * atr),
    moved("target_nearer", "target", close + TARGET_SHARE * (plan.target - close)),
  ];
}

interface Assumed {
  readonly plan: PlanRequest;
  readonly bars: Bars;
  readonly model: RangeModel;
  readonly drift: number;
}

/** Returns the odds at a low and at a high volatility, and without drift, if one is assumed. */
function assumptionChanges(
  { plan, bars, model, drift }: Assumed,
  { paths, pathsFrom }: { readonly paths: PathBars; readonly pathsFrom: (start: RangeModel) => PathBars },
): readonly PlanChange[] {
  const pathPlan = pathPlanOf(plan, bars.close.at(-1)!);
  const atVolatility = (change: "low_volatility" | "high_volatility"): PlanChange => {
    const forecast = forecastQuantile(bars, model, change === "low_volatility" ? TENTH : 1 - TENTH);
    if (forecast === null)
      return none(
        change,
        `${YEAR} past forecasts need ${MIN_ODDS_BARS + YEAR} bars, there are ${bars.close.length}`,
      );
    const isAlreadyThere = change === "low_volatility" ? model.next <= forecast : model.next >= forecast;
    if (isAlreadyThere)
      return none(
        change,
        `The forecast is already at or ${change === "low_volatility" ? "below the 10th" : "above the 90th"} percentile of the last ${YEAR} bars`,
      );
    const start = shiftedTo(model, forecast);
    const odds = changedOdds(pathsFrom(start), pathPlan);
    return { change, price: null, volatility: nextVolatility(start), odds, base: null, reason: null };
  };
  const driftless: PlanChange = {
    change: "no_drift",
    price: null,
    volatility: null,
    odds: changedOdds(paths, pathPlan, drift),
    base: null,
    reason: null,
  };
  return [
    atVolatility("low_volatility"),
    atVolatility("high_volatility"),
    ...(drift === 0 ? [] : [driftless]),
  ];
}

const none = (change: PlanChange["change"], reason: string): PlanChange => ({
  change,
  price: null,
  volatility: null,
  odds: null,
  base: null,
  reason,
});

/**
 * Returns the odds of a plan over simulated bars, with the rules of `simulatePaths`. `drift`: log return of a bar that
 * is taken off the bars. Default: 0.
 */
export function changedOdds(
  { length, open, high, low }: PathBars,
  { side, ...plan }: PathPlan,
  drift = 0,
): ChangedOdds {
  const away = towardProfit(side);
  const [stop, target] = [away * plan.stop, away * plan.target];
  const [worst, best] = side === "LONG" ? [low, high] : [high, low];
  const paths = open.length / length;
  let [stopped, reached] = [0, 0];
  for (let path = 0; path < paths; path++) {
    for (let bar = 0; bar < length; bar++) {
      const place = path * length + bar;
      const grown = drift * (bar + 1);
      const first = away * (open[place]! - grown);
      const isStop = first <= stop || (first < target && away * (worst[place]! - grown) <= stop);
      const isTarget = !isStop && (first >= target || away * (best[place]! - grown) >= target);
      if (!isStop && !isTarget) continue;
      if (isStop) stopped++;
      else reached++;
      break;
    }
  }
  return { stop: stopped / paths, target: reached / paths, neither: (paths - stopped - reached) / paths };
}

/** Returns a quantile, 0-1, of the log variances that were forecast for the last 250 bars; null with too few bars. */
function forecastQuantile(bars: Bars, { recent, bank }: RangeModel, share: number): number | null {
  if (bars.close.length - YEAR < MIN_ODDS_BARS) return null;
  const errors = bank.error.subarray(bank.error.length - YEAR);
  const forecasts = recent.map((value, i) => value - errors[i]!).sort();
  return forecasts[Math.round(share * (YEAR - 1))]!;
}

/** Returns the model with another forecast for the next bar: all past log variances are shifted by the difference. */
const shiftedTo = ({ next, recent, highest, weights, bank }: RangeModel, forecast: number): RangeModel => ({
  next: forecast,
  recent: recent.map((value) => value + forecast - next),
  highest: highest + forecast - next,
  weights,
  bank,
});
