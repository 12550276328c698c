import type { Horizon } from "../track-record/track.ts";
import type { PlanEnd, PlanShares } from "./plan-end.ts";

/** Odds over one number of bars, with their base. */
export interface HorizonForecast {
  readonly bars: Horizon;
  /** Log returns that the close is below with the probabilities of `QUANTILES`. */
  readonly quantiles: readonly number[];
  /** Null without a past window of this length. */
  readonly baseQuantiles: readonly number[] | null;
  /** Odds of touching each of the `TOUCH_LEVELS` of the horizon, 0-1. */
  readonly touch: readonly number[];
  readonly baseTouch: readonly number[] | null;
}

/** Odds of one symbol at one bar, as they are stored until their bars arrive. Immutable. */
export interface OddsForecast {
  /** Version of the method. */
  readonly version: string;
  readonly horizons: readonly HorizonForecast[];
  /** Odds of the levels of the signal over 20 bars; null without levels or without a signal. */
  readonly plan: { readonly odds: PlanShares; readonly base: PlanShares | null } | null;
}

/** What happened in the bars of one horizon. */
export interface ForecastOutcome {
  readonly bars: Horizon;
  /** Logs of the ratio to the close of the decision bar: of the last close, the highest high and the lowest low. */
  readonly close: number;
  readonly high: number;
  readonly low: number;
  /** Null at other horizons than 20 bars and without levels. */
  readonly planEnd: PlanEnd | null;
  /** Side of the levels; null without levels. */
  readonly planSide: "LONG" | "SHORT" | null;
}
