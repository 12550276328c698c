import type { CountedLean, Disclosure, TickerLean } from "../../domain/congress/congress.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { groupBy } from "../../lib/group-by.ts";
import { median } from "../statistics.ts";
import { countedAmong, leanOf } from "./lean.ts";

/** Days of filings that a signal reads: the legal time to file. */
export const SIGNAL_DAYS = 45;

/** Summary of the filings of a window; later filings change nothing. */
export interface CongressSummary {
  readonly from: string;
  readonly until: string;
  readonly lean: CountedLean;
  /** Median days between trade and filing of what counts; null where none is known. */
  readonly median_days_to_file: number | null;
  /** Those that members, score and dollars alike say were bought, most members first; and sold. */
  readonly bought: readonly TickerLean[];
  readonly sold: readonly TickerLean[];
}

/** The lean of the filings of `days` days that end with the day `until`, whole and by ticker. */
export function congressSummary(
  trades: readonly Disclosure[],
  { until, days, minMembers }: { until: string; days: number; minMembers: number },
): CongressSummary {
  const from = dayAfter(until, 1 - days);
  const filed = trades.filter(({ filing_date }) => filing_date >= from && filing_date <= until);
  const { counted } = countedAmong(filed);
  const tickers = [...groupBy(counted, ({ ticker }) => ticker!)].flatMap(
    ([ticker, own]): readonly TickerLean[] => {
      const { members, score, usd } = leanOf(own, minMembers);
      const { buying, selling } = members;
      return score === null ? [] : [{ ticker, buying, selling, score, net_usd: usd.net }];
    },
  );
  const ranked = tickers.sort(byMembers);
  return {
    from,
    until,
    lean: leanOf(filed, minMembers),
    median_days_to_file: median(counted.flatMap(({ days_to_file }) => days_to_file ?? [])),
    bought: ranked.filter((one) => one.buying > one.selling && one.score > 0 && one.net_usd > 0),
    sold: ranked.filter((one) => one.selling > one.buying && one.score < 0 && one.net_usd < 0),
  };
}

const byMembers = (a: TickerLean, b: TickerLean): number =>
  Math.abs(b.buying - b.selling) - Math.abs(a.buying - a.selling) ||
  Math.abs(b.net_usd) - Math.abs(a.net_usd) ||
  (a.ticker < b.ticker ? -1 : 1);
