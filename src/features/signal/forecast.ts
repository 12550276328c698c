import { pathForecast } from "../../analytics/odds/forecast.ts";
import type { Compute, ComputeTask } from "../../domain/compute-port.ts";
import type { Bars } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { OddsForecast } from "../../domain/odds/forecast.ts";
import type { PlanOdds } from "../../domain/odds/odds.ts";
import type { OddsBar, ServedSignal } from "../../domain/track-record/track-port.ts";

interface ForecastSubject {
  /** Closed bars, the last one is the decision bar. */
  readonly bars: Bars;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Odds of the levels of the signal; null without levels or without a signal. */
  readonly odds: PlanOdds | null;
}

/**
 * Returns the forecast that is stored with an answer, by paths; its `plan` is null without odds of levels. Null with too few
 * bars or a suspected split.
 */
export const answerForecast = ({ odds, ...subject }: ForecastSubject): OddsForecast | null =>
  pathForecast({ ...subject, plan: odds && planOf(odds) });

/** Computes the forecast of a served answer; an object, because a task returns one. */
export const forecastTask: ComputeTask<ForecastSubject, { readonly forecast: OddsForecast | null }> = {
  name: "forecast",
  duration: "short",
  run: (subject) => ({ forecast: answerForecast(subject) }),
};

/** Creates a function that computes the forecast of a served signal in a worker thread; null without bars or odds. */
export const signalForecaster =
  (compute: Compute) =>
  async ({ bars, symbol, asset_class, odds = null }: ServedSignal): Promise<OddsForecast | null> => {
    if (bars === undefined || odds === null) return null;
    return (await compute.run(forecastTask, { bars, symbol, assetClass: asset_class, odds })).forecast;
  };

/** Creates a function that computes the forecast of a bar on which `get_odds` answered, in a worker thread. */
export const oddsForecaster =
  (compute: Compute) =>
  async ({ bars, symbol, asset_class }: OddsBar): Promise<OddsForecast | null> =>
    (await compute.run(forecastTask, { bars, symbol, assetClass: asset_class, odds: null })).forecast;

const planOf = ({ base, ...odds }: PlanOdds): OddsForecast["plan"] => ({
  odds: sharesOf(odds),
  base: base && sharesOf(base),
});

const sharesOf = ({
  stop_first,
  target_first,
  neither,
}: Pick<PlanOdds, "stop_first" | "target_first" | "neither">) => ({
  stop: stop_first,
  target: target_first,
  neither,
});
