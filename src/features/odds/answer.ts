import { IMPLIED_BARS, impliedMove } from "../../analytics/odds/implied.ts";
import type { HorizonOdds, LevelOdds, Odds } from "../../analytics/odds/odds.ts";
import { coverageBasis, isMeasuredKind, pastCoverage } from "../../analytics/odds/past-coverage.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import { TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { OddsAnswer, VolatilityAnswer } from "../../domain/odds/odds.ts";
import type { FlowDay } from "../../domain/options-flow/options.ts";
import { oddsMethodOf, planOddsOf } from "../signal/signal-odds.ts";
import type { ComputedOdds } from "./odds-task.ts";

/** Maximum age of a stored implied volatility for a comparison with the forecast, ms. */
const MAX_IMPLIED_AGE_MS = 4 * TIMEFRAME_MS["1d"];

interface Subject {
  readonly assetClass: AssetClass;
  readonly timeframe: Timeframe;
  /** Number of bars in a year. */
  readonly yearBars: number;
  readonly horizon: number;
  /** Close time of the last bar, ISO 8601 UTC. */
  readonly decidedAt: string;
  readonly flowDays: readonly FlowDay[];
  /** Reason why no options are stored; null if some may be. */
  readonly optionsReason: string | null;
}

/** Maps computed odds to the fields of an answer. */
export function oddsFields(odds: Odds, computed: ComputedOdds, subject: Subject): OddsAnswer {
  const { plan, close } = odds;
  const isMeasured = isMeasuredKind(odds.profile.kind);
  const coverage = isMeasured ? pastCoverage(subject.assetClass, subject.timeframe) : [];
  return {
    from: close,
    ranges: odds.horizons.map((one) => rangeOf(one)),
    levels: odds.levels.map((level) => levelOf(level, close)),
    plan: plan && { side: plan.side, stop: plan.stop, target: plan.target, ...planOddsOf(plan, odds) },
    volatility: volatilityOf(odds, computed, subject),
    method: { version: odds.version, ...oddsMethodOf(odds) },
    past_coverage: coverage.map((row) => ({ ...row })),
    past_coverage_basis: coverage.length === 0 ? null : coverageBasis(subject.assetClass),
  };
}

/** Returns the answer with only the ranges and touch odds of the given numbers of bars. */
export function oddsAt(answer: OddsAnswer, bars: readonly number[]): OddsAnswer {
  const isRequested = (odds: { readonly bars: number }) => bars.includes(odds.bars);
  return {
    ...answer,
    ranges: answer.ranges.filter(isRequested),
    levels: answer.levels.map((level) => ({ ...level, touch: level.touch.filter(isRequested) })),
  };
}

function rangeOf({ bars, quantiles, baseQuantiles, move, baseMove }: HorizonOdds) {
  return {
    bars,
    ...quantileFields(quantiles),
    base: baseQuantiles && quantileFields(baseQuantiles),
    move_percent: 100 * move,
    base_move_percent: baseMove === null ? null : 100 * baseMove,
  };
}

function quantileFields(quantiles: readonly number[]) {
  const [p5, p10, p25, p50, p75, p90, p95] = quantiles as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return { p5, p10, p25, p50, p75, p90, p95 };
}

const levelOf = ({ price, touch }: LevelOdds, close: number) => ({
  price,
  change_percent: 100 * (price / close - 1),
  touch: touch.map((one) => ({ ...one })),
});

function volatilityOf(odds: Odds, { realized, nearer }: ComputedOdds, subject: Subject): VolatilityAnswer {
  const { assetClass, timeframe, horizon, decidedAt, flowDays, optionsReason, yearBars } = subject;
  const yearly = (perBar: number | null) => (perBar === null ? null : 100 * perBar * Math.sqrt(yearBars));
  const ahead = odds.horizons.find(({ bars }) => bars === horizon)!;
  const newest = flowDays.findLast(({ atmIv }) => atmIv !== null);
  const isFresh = newest !== undefined && Date.parse(decidedAt) - newest.at <= MAX_IMPLIED_AGE_MS;
  const expected = odds.horizons.find(({ bars }) => bars === IMPLIED_BARS);
  const reason =
    assetClass === "crypto"
      ? "Crypto options are not supported"
      : timeframe !== "1d"
        ? "Options are compared on daily bars only"
        : newest === undefined
          ? (optionsReason ?? "No implied volatility is stored; get_options_flow stores one per day")
          : isFresh
            ? null
            : `The newest stored implied volatility is of ${newest.day}, more than 4 days before the last close`;
  return {
    realized_20_percent: yearly(realized.bars20),
    realized_60_percent: yearly(realized.bars60),
    next_bar_percent: yearly(odds.volatility)!,
    horizon_percent: yearly(ahead.deviation / Math.sqrt(horizon))!,
    options:
      reason !== null || newest === undefined || expected === undefined
        ? null
        : {
            bars: IMPLIED_BARS,
            implied_move_percent: 100 * impliedMove(newest.atmIv!),
            forecast_move_percent: 100 * expected.move,
            day: newest.day,
            nearer:
              nearer === null || nearer.days === 0
                ? null
                : { days: nearer.days, forecast: nearer.forecast, implied: nearer.implied },
          },
    options_reason: reason,
  };
}
