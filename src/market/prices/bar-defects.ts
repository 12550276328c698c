import type { BarTimeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { CachedBars } from "../../domain/market/market-cache-port.ts";
import { looksSplit } from "./split-check.ts";
import { startsOf } from "./windows.ts";

/** Maximum tolerated share of missing days, and number of days that the newest bar may be late. */
const MAX_MISSING_SHARE = 0.05;
const MAX_DAYS_BEHIND = 2;
/** Weight of an unadjusted split in days; higher than any number of missing days. */
const SPLIT_WEIGHT = 1_000;

/**
 * Returns the defects of daily bars compared with the calendar, in days: missing days, rows left out, days that the
 * newest bar is late, and a weight for an unadjusted split. Returns 0 for complete bars, for weekly bars, and for
 * intraday bars, which may have gaps because nothing traded.
 */
export function barDefects(cached: CachedBars, timeframe: BarTimeframe, assetClass: AssetClass): number {
  if (timeframe !== "1d") return 0;
  const { bars, omitted, at } = cached;
  const first = bars[0]?.time;
  const newest = bars.at(-1)?.time;
  if (first === undefined || newest === undefined) return MAX_DAYS_BEHIND + 1;
  const expected = startsOf(timeframe, { from: first, until: at }, assetClass);
  const between = expected.filter((time) => time <= newest).length;
  const missing = between - bars.length;
  const behind = expected.length - between;
  const split = assetClass !== "crypto" && looksSplit(bars) ? SPLIT_WEIGHT : 0;
  return (
    (missing > MAX_MISSING_SHARE * between ? missing : 0) +
    (behind > MAX_DAYS_BEHIND ? behind : 0) +
    omitted.filter(({ reason }) => reason === "invalid").length +
    split
  );
}
