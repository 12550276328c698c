import type { Levels } from "../../analytics/levels/levels.ts";
import { type Odds, oddsOf, type PlanOddsResult } from "../../analytics/odds/odds.ts";
import type { PastPlanOutcomes } from "../../analytics/odds/past-windows.ts";
import { wholePercents } from "../../analytics/odds/percents.ts";
import { QUANTILES } from "../../analytics/odds/quantiles.ts";
import { wilson } from "../../analytics/track/interval.ts";
import { TIME_EXIT } from "../../analytics/track/outcome.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { type OddsMethod, PlanOdds, type SignalOdds } from "../../domain/odds/odds.ts";

/** Odds of the stop and the first target of a signal, or the reason why there are none. */
export type SignalOddsOutcome =
  | { readonly odds: SignalOdds; readonly odds_reason: null }
  | { readonly odds: null; readonly odds_reason: string };

interface OddsSubject {
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
}

/** Returns the odds of the stop and the first target of a signal over 20 bars, or the reason why there are none. */
export function signalOdds({
  bars,
  symbol,
  assetClass,
  levels,
}: OddsSubject & {
  readonly levels: Pick<Levels, "side" | "stop" | "targets"> | null;
}): SignalOddsOutcome {
  if (levels === null) return { odds: null, odds_reason: "There are no levels" };
  const plan = { side: levels.side, stop: levels.stop, target: levels.targets[0]!, bars: TIME_EXIT };
  const { odds, reason } = oddsOf({ bars, symbol, assetClass, horizons: [TIME_EXIT], plan });
  if (odds === null) return { odds: null, odds_reason: reason };
  const { quantiles } = odds.horizons[0]!;
  return {
    odds: {
      ...planOddsOf(odds.plan!, odds),
      range_90: { low: quantiles[QUANTILES.indexOf(0.05)]!, high: quantiles[QUANTILES.indexOf(0.95)]! },
    },
    odds_reason: null,
  };
}

/** Returns the odds of a row of many symbols, which are those of its signal without the margin; null without odds. */
export const rowOdds = (subject: OddsSubject & { readonly levels: Levels }): PlanOdds | null =>
  listOdds(signalOdds(subject).odds);

/** Returns the part of odds that a list shows: without the margin of their base and the results by outcome. */
export function listOdds(odds: PlanOdds | null): PlanOdds | null {
  if (odds === null) return null;
  const { expected_r, base, ...rest } = odds;
  return PlanOdds.parse({
    ...rest,
    ...(expected_r !== undefined && { expected_r: { mean: expected_r.mean } }),
    base: base && { ...base, margin: undefined },
  });
}

/** Maps the odds of a plan to the fields of an answer, in whole percents. */
export const planOddsOf = (
  { from, bars, odds, base, expectedR, stopR, targetR, neitherR }: PlanOddsResult,
  { version, close }: Pick<Odds, "version" | "close">,
): PlanOdds => ({
  version,
  bars,
  from: from ?? close,
  ...outcomesOf(odds),
  expected_r: { mean: expectedR, at_stop: stopR, at_target: targetR, at_neither: neitherR },
  base: base && baseRatesOf(base, bars),
});

/** Maps shares to an answer, in whole percents. */
export function outcomesOf({ stop, target, neither }: PlanOddsResult["odds"]) {
  const [stop_first, target_first, rest] = wholePercents([stop, target, neither]);
  return { stop_first: stop_first!, target_first: target_first!, neither: rest! };
}

function baseRatesOf(base: PastPlanOutcomes, bars: number): PlanOdds["base"] {
  const { windows, target, meanR } = base;
  const independent = Math.max(1, Math.round(windows / bars));
  const { low, high } = wilson(target, independent)!;
  const margin = Math.max(high - target, target - low);
  return { ...outcomesOf(base), windows, n_eff: independent, margin, mean_r: meanR };
}

export const oddsMethodOf = ({ paths, seed, bars: bars_read, profile }: Odds): OddsMethod => ({
  paths,
  seed,
  bars_read,
  drift_percent_a_year: profile.yearlyDriftPercent,
});
