import type { Levels } from "../../analytics/levels/levels.ts";
import {
  CLOSED_FORM_VERSION,
  closedFormPlan,
  closedFormVolatility,
} from "../../analytics/odds/closed-form.ts";
import { type Odds, oddsFault, oddsOf, type PlanOddsResult } from "../../analytics/odds/odds.ts";
import { type PastPlanOutcomes, pastPlanOutcomes } from "../../analytics/odds/past-windows.ts";
import { wholePercents } from "../../analytics/odds/percents.ts";
import { instrumentProfile } from "../../analytics/odds/profile.ts";
import { QUANTILES } from "../../analytics/odds/quantiles.ts";
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

/**
 * Returns the odds of a row of a nightly run over 20 bars: for daily bars of US stocks and funds by the closed form, which takes
 * a hundredth of the time of the paths. Null with too few bars or a suspected split.
 */
export function rowOdds({ levels, ...subject }: OddsSubject & { readonly levels: Levels }): PlanOdds | null {
  const { bars, assetClass } = subject;
  if (assetClass === "crypto" || bars.timeframe !== "1d") {
    const { odds } = signalOdds({ ...subject, levels });
    return odds && PlanOdds.parse(odds);
  }
  if (oddsFault(bars) !== null) return null;
  const close = bars.close.at(-1)!;
  const plan = {
    side: levels.side,
    stop: Math.log(levels.stop / close),
    target: Math.log(levels.targets[0]! / close),
  };
  const volatility = closedFormVolatility(bars, levels.atr14, TIME_EXIT);
  const drift = TIME_EXIT * instrumentProfile(bars, assetClass).drift;
  return {
    version: CLOSED_FORM_VERSION,
    bars: TIME_EXIT,
    from: close,
    ...outcomesOf(closedFormPlan(plan, { volatility, drift })),
    base: baseRatesOf(pastPlanOutcomes(bars, plan, TIME_EXIT)),
  };
}

/** Maps the odds of a plan to the fields of an answer, in whole percents. */
export const planOddsOf = (
  { from, bars, odds, base }: PlanOddsResult,
  { version, close }: Pick<Odds, "version" | "close">,
): PlanOdds => ({ version, bars, from: from ?? close, ...outcomesOf(odds), base: baseRatesOf(base) });

/** Maps shares to an answer, in whole percents. */
export function outcomesOf({ stop, target, neither }: PlanOddsResult["odds"]) {
  const [stop_first, target_first, rest] = wholePercents([stop, target, neither]);
  return { stop_first: stop_first!, target_first: target_first!, neither: rest! };
}

const baseRatesOf = (base: PastPlanOutcomes | null): PlanOdds["base"] =>
  base && { ...outcomesOf(base), windows: base.windows };

export const oddsMethodOf = ({ paths, seed, bars: bars_read, profile }: Odds): OddsMethod => ({
  paths,
  seed,
  bars_read,
  drift_percent_a_year: profile.yearlyDriftPercent,
});
