import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { CachedBars } from "../../domain/market/market-cache-port.ts";
import { startsOf } from "./expected.ts";
import { looksSplit } from "./split-check.ts";

/** Share of the calendar's days that may be missing, and days the newest bar may be behind it, before others are asked. */
const MAX_MISSING_SHARE = 0.05;
const MAX_DAYS_BEHIND = 2;
/** What an unadjusted split weighs against missing days: more than all of them. */
const SPLIT_WEIGHT = 1_000;

/**
 * What daily bars lack against the calendar, in days: those missing between the first and the newest, those the newest
 * is behind, and a split that nobody adjusted. 0 for bars that are good enough to ask nobody else, and for shorter
 * bars, whose holes may be hours in which nothing traded.
 */
export function barDefects(kept: CachedBars, timeframe: Timeframe, assetClass: AssetClass): number {
  if (timeframe !== "1d") return 0;
  const { bars, at } = kept;
  const first = bars[0]?.time;
  const newest = bars.at(-1)?.time;
  if (first === undefined || newest === undefined) return MAX_DAYS_BEHIND + 1;
  const expected = startsOf(timeframe, { from: first, until: at }, assetClass);
  const between = expected.filter((time) => time <= newest).length;
  const missing = between - bars.length;
  const behind = expected.length - between;
  const split = assetClass !== "crypto" && looksSplit(bars) ? SPLIT_WEIGHT : 0;
  return (
    (missing > MAX_MISSING_SHARE * between ? missing : 0) + (behind > MAX_DAYS_BEHIND ? behind : 0) + split
  );
}
