import type { PutCallDay } from "../../domain/options-flow/options.ts";
import type { MarketTide } from "../../domain/options-flow/tide.ts";
import { mean } from "../statistics.ts";

const SHORT = 5;
const LONG = 20;
const USUAL = 60;
/** Minimum distance between the short and the long mean for a turn, in standard deviations of the last 60 days. */
const MIN_TURN_DEVIATIONS = 0.5;

export interface PutCallTrend {
  /** The newest ratio, and its means over 5 and 20 days; null with fewer days. */
  readonly latest: number | null;
  readonly mean5: number | null;
  readonly mean20: number | null;
  /**
   * Distance of the short mean from the long one in standard deviations of the last 60 days; null with fewer than 60
   * days or without deviation.
   */
  readonly strength: number | null;
  readonly trend: "rising" | "falling" | "flat" | null;
  /**
   * BULLISH if the ratio falls by at least half a standard deviation (fewer puts per call), BEARISH if it rises by as
   * much.
   */
  readonly direction: MarketTide["direction"];
  readonly days: number;
}

/** Returns the trend of one ratio over days, oldest first; days without it are skipped. */
export function putCallTrend(
  days: readonly PutCallDay[],
  which: "total" | "index" | "etp" | "equity",
): PutCallTrend {
  const values = days.flatMap((day) => day[which] ?? []);
  const over = (count: number): number | null => (values.length < count ? null : mean(values.slice(-count)));
  const [mean5, mean20] = [over(SHORT), over(LONG)];
  const strength = strengthOf(values, mean5, mean20);
  const trend =
    strength === null
      ? null
      : strength >= MIN_TURN_DEVIATIONS
        ? "rising"
        : strength <= -MIN_TURN_DEVIATIONS
          ? "falling"
          : "flat";
  const direction = trend === null ? null : DIRECTION[trend];
  return { latest: values.at(-1) ?? null, mean5, mean20, strength, trend, direction, days: values.length };
}

const DIRECTION = { rising: "BEARISH", falling: "BULLISH", flat: "NEUTRAL" } as const;

function strengthOf(values: readonly number[], mean5: number | null, mean20: number | null): number | null {
  if (mean5 === null || mean20 === null || values.length < USUAL) return null;
  const usual = values.slice(-USUAL);
  const middle = mean(usual);
  const spread = Math.sqrt(mean(usual.map((value) => (value - middle) ** 2)));
  // a deviation this small is rounding error
  return spread <= 1e-9 * middle ? null : (mean5 - mean20) / spread;
}
