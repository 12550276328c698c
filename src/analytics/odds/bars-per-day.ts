import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { barsPerYear } from "../drivers/context.ts";

const WEEKS_PER_YEAR = 52;
/** Sessions of a week. */
const SESSIONS = 5;

type Times = Pick<Bars, "time" | "timeframe">;

/**
 * Returns the number of bars of a usual trading day: 1 for daily bars, a fifth for weekly ones, else the mean over the
 * days of the series as a whole number, because markets differ in their hours.
 */
export function barsPerDay({ time, timeframe }: Times): number {
  if (timeframe === "1d") return 1;
  if (timeframe === "1w") return 1 / SESSIONS;
  let days = 0;
  let day = Number.NaN;
  for (const start of time) {
    const next = Math.floor(start / TIMEFRAME_MS["1d"]);
    if (next !== day) days++;
    day = next;
  }
  return Math.max(1, Math.round(time.length / Math.max(1, days)));
}

/** Returns the number of bars in a year, whose square root annualizes a volatility. */
export const barsInYear = (assetClass: AssetClass, bars: Times): number =>
  bars.timeframe === "1w" ? WEEKS_PER_YEAR : barsPerYear(assetClass) * barsPerDay(bars);
