import type { Bar } from "../../domain/market/bars.ts";
import type { Split } from "../../domain/market/corporate-actions.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { CachedBars, CachedQuote } from "../../domain/market/market-cache-port.ts";
import type { Comparison, PriceCheck } from "../../domain/market/provenance.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { rounded } from "../../lib/rounded.ts";
import { barCloseMs } from "../calendar/calendar.ts";
import { zoneFor } from "./sanitize-bars.ts";

/** Bounds of the deviation from the reference up to which a price needs no second provider, percent. */
const LIMIT_PERCENT = { min: 4, max: 5 } as const;
/** The same deviation in average daily ranges, within these bounds. */
const LIMIT_RANGES = 2.5;
/** Number of days of the average daily range. */
export const RANGE_DAYS = 14;
/** Maximum difference of a confirming price, percent. */
const CONFIRMING_PERCENT = 1;
/** Maximum time between two trades of a token of which one confirms the other, ms. */
const CONFIRMING_MS = 3_600_000;

/** The newest daily bars of an instrument and its splits, with which a price is checked. */
export interface DailyFacts {
  readonly bars: readonly Bar[];
  readonly splits: readonly Split[];
  /** Provider of the bars; null without bars. */
  readonly source: string | null;
}

/** Returns what a price check needs of cached daily bars. */
export const dailyFactsOf = ({
  bars,
  actions,
  source,
}: Pick<CachedBars, "bars" | "actions" | "source">): DailyFacts => ({
  bars: bars.slice(-RANGE_DAYS - 2),
  splits: actions?.splits ?? [],
  source,
});

/** An official close that a price is measured against. */
export interface ReferenceClose {
  readonly close: number;
  /** Time of the close, epoch ms. */
  readonly at: number;
  readonly provider: string;
  /** Close of the session before the day of the price; null if it is not known. */
  readonly previous: number | null;
}

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

/** Limit of the deviation from a reference. */
export interface DeviationLimit {
  readonly percent: number;
  /** 2.5 average daily ranges, percent; 0 if they are not known. */
  readonly ranges: number;
  /** True if 2.5 average daily ranges exceed 5 %: no close is near enough to check the first price of a day. */
  readonly isVolatile: boolean;
}

/** Returns the limit for a price: 2.5 average daily ranges of the bars that closed before it, at least 4 % and at most 5 %. */
export function limitFor(
  { bars }: Pick<DailyFacts, "bars">,
  tradedAt: number,
  assetClass: AssetClass,
): DeviationLimit {
  const zone = zoneFor(assetClass);
  const newest = bars.findLastIndex(({ time }) => barCloseMs(time, "1d", zone) <= tradedAt);
  const bar = bars[newest];
  const ranges =
    bar === undefined ? 0 : (100 * LIMIT_RANGES * averageRange(bars.slice(0, newest + 1))) / bar.close;
  return {
    percent: rounded(Math.min(LIMIT_PERCENT.max, Math.max(LIMIT_PERCENT.min, ranges)), 4),
    ranges,
    isVolatile: ranges > LIMIT_PERCENT.max,
  };
}

/** Returns the deviation of a price from a reference, percent of the reference. */
export const deviationPercent = (price: number, reference: number): number =>
  rounded(100 * (price / reference - 1), 4);

/** Maximum difference of two previous closes of the same day, percent. */
const SAME_CLOSE_PERCENT = 1;

/** Returns true if two previous closes of the same day are known and differ by more than 1 %. */
export const isOtherClose = (close: number | null, other: number | null): boolean =>
  close !== null && other !== null && Math.abs(deviationPercent(close, other)) > SAME_CLOSE_PERCENT;

/**
 * Measures the first price of a day and provider against an official close. `confirmed` is true if that suffices; a
 * second provider must confirm a token, a volatile symbol, a price without a close, on the day of a split, or far from
 * the close, and one whose provider has no previous close or another one: else a provider that multiplies its prices would pass on
 * a day with the opposite move.
 */
export function measureAgainst(
  quote: CachedQuote,
  reference: ReferenceClose | null,
  {
    limit,
    split,
    assetClass,
  }: { readonly limit: DeviationLimit; readonly split: Split | null; readonly assetClass: AssetClass },
): PriceCheck {
  const base = { limit_percent: limit.percent };
  const none = { close: null, close_as_of: null, witness: null, deviation_percent: null };
  if (assetClass === "crypto") return { ...base, ...none, reason: "volatile", confirmed: false };
  if (reference === null) return { ...base, ...none, reason: "no_close", confirmed: false };
  const close = nearest(quote.price, withSplit(reference.close, split));
  const deviation_percent = deviationPercent(quote.price, close);
  const isFar = Math.abs(deviation_percent) > limit.percent;
  const own = quote.previousClose ?? quote.venuePreviousClose ?? null;
  const { previous } = reference;
  const isOther =
    own === null || previous === null || Math.abs(deviationPercent(own, previous)) > limit.percent;
  const reason =
    split !== null
      ? "split_day"
      : isFar
        ? "far_from_close"
        : isOther
          ? "other_close"
          : limit.isVolatile
            ? "volatile"
            : "near_close";
  return {
    ...base,
    reason,
    close,
    close_as_of: new Date(reference.at).toISOString(),
    witness: reference.provider,
    deviation_percent,
    confirmed: reason === "near_close",
  };
}

/** Maximum time between a price and the trade of another family that it is compared with, ms. */
const SAME_TIME_MS = 15 * 60_000;
/** Difference from that trade above which the price needs a second provider, percent. */
const CONTRADICTING_PERCENT = 2;

/** Returns true if a trade of another family is from the same minutes as a price. */
export const isSameTime = (
  { as_of }: Pick<Comparison, "as_of">,
  { tradedAt }: Pick<CachedQuote, "tradedAt">,
) => Math.abs(Date.parse(as_of) - tradedAt) <= SAME_TIME_MS;

/**
 * Returns true if a trade of the same minutes is more than 2 % away. A price near the last close can still be wrong by
 * as much as the market has moved since.
 */
export const contradicts = ({ difference_percent }: Pick<Comparison, "difference_percent">): boolean =>
  Math.abs(difference_percent) > CONTRADICTING_PERCENT;

/**
 * Returns true if a second price confirms a first one: it differs by at most 1 % and traded on the same day (tokens:
 * within an hour).
 */
export function confirms(
  { difference_percent, as_of }: Pick<Comparison, "difference_percent" | "as_of">,
  { tradedAt }: Pick<CachedQuote, "tradedAt">,
  assetClass: AssetClass,
): boolean {
  const other = Date.parse(as_of);
  const isNear =
    assetClass === "crypto"
      ? Math.abs(other - tradedAt) <= CONFIRMING_MS
      : newYorkDate(other) === newYorkDate(tradedAt);
  return isNear && Math.abs(difference_percent) <= CONFIRMING_PERCENT;
}

/** Returns the mean true range of the newest bars in price units; 0 with fewer than 15. */
function averageRange(bars: readonly Bar[]): number {
  const recent = bars.slice(-RANGE_DAYS - 1);
  if (recent.length <= RANGE_DAYS) return 0;
  const ranges = recent.slice(1).map(({ high, low }, i) => {
    const before = recent[i]!.close;
    return Math.max(high, before) - Math.min(low, before);
  });
  return ranges.reduce((sum, range) => sum + range, 0) / RANGE_DAYS;
}

const withSplit = (close: number, split: Split | null): readonly number[] =>
  split === null ? [close] : [close, close / split.ratio];

/** Returns the candidate with the smallest ratio to a price. */
const nearest = (price: number, candidates: readonly number[]): number =>
  candidates.toSorted((a, b) => Math.abs(Math.log(price / a)) - Math.abs(Math.log(price / b)))[0]!;
