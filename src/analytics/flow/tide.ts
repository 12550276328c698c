import type { PutCallDay } from "../../domain/options-flow/options.ts";
import type { MarketTide } from "../../domain/options-flow/tide.ts";
import { mean } from "../statistics.ts";

const SHORT = 5;
const LONG = 20;
const USUAL = 60;
/** Spreads of the last 60 days by which the short mean must leave the long one. */
const TURNED = 0.5;

/** Trend of the put/call ratio. */
export interface Tide {
  /** The newest ratio, and its means over 5 and 20 days; null with fewer days. */
  readonly latest: number | null;
  readonly mean5: number | null;
  readonly mean20: number | null;
  /** How far the short mean is from the long one, in spreads of the last 60 days; null under 60 or without spread. */
  readonly strength: number | null;
  readonly trend: "rising" | "falling" | "flat" | null;
  /** BULLISH where the ratio falls by half a spread or more: fewer puts for each call. BEARISH where it rises. */
  readonly direction: MarketTide["direction"];
  readonly days: number;
}

/** The trend of one ratio over days, oldest first; days without it are left out. */
export function tideOf(days: readonly PutCallDay[], which: "total" | "index" | "etp" | "equity"): Tide {
  const values = days.flatMap((day) => day[which] ?? []);
  const over = (count: number): number | null => (values.length < count ? null : mean(values.slice(-count)));
  const [mean5, mean20] = [over(SHORT), over(LONG)];
  const strength = strengthOf(values, mean5, mean20);
  const trend =
    strength === null ? null : strength >= TURNED ? "rising" : strength <= -TURNED ? "falling" : "flat";
  const direction = trend === null ? null : DIRECTION[trend];
  return { latest: values.at(-1) ?? null, mean5, mean20, strength, trend, direction, days: values.length };
}

const DIRECTION = { rising: "BEARISH", falling: "BULLISH", flat: "NEUTRAL" } as const;

function strengthOf(values: readonly number[], mean5: number | null, mean20: number | null): number | null {
  if (mean5 === null || mean20 === null || values.length < USUAL) return null;
  const usual = values.slice(-USUAL);
  const middle = mean(usual);
  const spread = Math.sqrt(mean(usual.map((value) => (value - middle) ** 2)));
  // what rounding leaves of no change is no spread
  return spread <= 1e-9 * middle ? null : (mean5 - mean20) / spread;
}
