import type { Bar } from "../../domain/market/bars.ts";
import type { Split } from "../../domain/market/corporate-actions.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { CachedBars, CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison, PriceCheck } from "../../domain/market/provenance.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { barCloseMs } from "../calendar/calendar.ts";
import { zoneFor } from "./sanitize-bars.ts";

/** Smallest deviation from the last official close that needs a confirmation, percent. */
const MIN_DEVIATION_PERCENT = 8;
/** The same deviation in average daily ranges. */
const MIN_DEVIATION_RANGES = 6;
/** Number of days of the average daily range. */
const RANGE_DAYS = 14;
/** Share of the deviation from the close by which a confirming price may differ. */
const CONFIRMING_SHARE = 0.25;
/** Maximum time between two trades of a token of which one confirms the other, ms. */
const CONFIRMING_MS = 3_600_000;

/** The newest daily bars of an instrument and its splits, with which a price is checked. */
export interface DailyFacts {
  readonly bars: readonly Bar[];
  readonly splits: readonly Split[];
}

/** Returns what a price check needs of cached daily bars. */
export const dailyFactsOf = ({ bars, actions }: Pick<CachedBars, "bars" | "actions">): DailyFacts => ({
  bars: bars.slice(-RANGE_DAYS - 2),
  splits: actions?.splits ?? [],
});

/** Returns the split that takes effect on the day of a trade; null if there is none. */
export const splitOnDay = (tradedAt: number, splits: readonly Split[]): Split | null =>
  splits.find(({ date }) => date === newYorkDate(tradedAt)) ?? null;

/**
 * Returns the previous close after a split that takes effect on the day of the trade: divided by the ratio if it is then
 * nearer to the price.
 */
export function previousCloseAfter(
  { price, previousClose }: Pick<CachedQuote, "price" | "previousClose">,
  split: Split | null,
): number | null {
  if (previousClose === null || split === null) return previousClose;
  return nearest(price, [previousClose, previousClose / split.ratio]);
}

/**
 * Returns why a quote needs the confirmation of a second provider: it is further from the last official close than 8 %
 * and than 6 average daily ranges, or a split takes effect on its day. Null if it does not, or if no close is known.
 */
export function doubtOf(
  quote: CachedQuote,
  { bars, splits }: DailyFacts,
  assetClass: AssetClass,
): Omit<PriceCheck, "confirmed"> | null {
  const zone = zoneFor(assetClass);
  const closeTime = ({ time }: Bar) => barCloseMs(time, "1d", zone);
  const newest = bars.findLastIndex((bar) => closeTime(bar) <= quote.tradedAt);
  const bar = bars[newest];
  const split = assetClass === "crypto" ? null : splitOnDay(quote.tradedAt, splits);
  const known = bar?.close ?? quote.previousClose;
  if (known === null) return null;
  const close = split === null ? known : nearest(quote.price, [known, known / split.ratio]);
  const deviation = 100 * (quote.price / close - 1);
  const range = averageRange(bars.slice(0, newest + 1));
  const limit = Math.max(MIN_DEVIATION_PERCENT, (100 * MIN_DEVIATION_RANGES * range) / known);
  if (split === null && Math.abs(deviation) <= limit) return null;
  return {
    reason: split === null ? "far_from_close" : "split_day",
    close,
    close_as_of: bar === undefined ? null : new Date(closeTime(bar)).toISOString(),
    deviation_percent: rounded(deviation, 4),
    limit_percent: rounded(limit, 4),
  };
}

/**
 * Returns true if a second price confirms a doubted one: it agrees, or it traded on the same day (tokens: within an
 * hour) and differs by less than a quarter of the deviation from the close.
 */
export function confirms(
  comparison: Comparison,
  { tradedAt }: Pick<CachedQuote, "tradedAt">,
  doubt: Pick<PriceCheck, "deviation_percent">,
  assetClass: AssetClass,
): boolean {
  if (comparison.verdict !== "incomparable") return comparison.verdict === "agree";
  const other = Date.parse(comparison.as_of);
  const isNear =
    assetClass === "crypto"
      ? Math.abs(other - tradedAt) <= CONFIRMING_MS
      : newYorkDate(other) === newYorkDate(tradedAt);
  return (
    isNear && Math.abs(comparison.difference_percent) <= CONFIRMING_SHARE * Math.abs(doubt.deviation_percent)
  );
}

/** Returns the mean true range of the newest bars in price units; 0 with fewer than 14. */
function averageRange(bars: readonly Bar[]): number {
  const recent = bars.slice(-RANGE_DAYS - 1);
  if (recent.length <= RANGE_DAYS) return 0;
  const ranges = recent.slice(1).map(({ high, low }, i) => {
    const before = recent[i]!.close;
    return Math.max(high, before) - Math.min(low, before);
  });
  return ranges.reduce((sum, range) => sum + range, 0) / RANGE_DAYS;
}

/** Returns the candidate with the smallest ratio to a price. */
const nearest = (price: number, candidates: readonly number[]): number =>
  candidates.toSorted((a, b) => Math.abs(Math.log(price / a)) - Math.abs(Math.log(price / b)))[0]!;
