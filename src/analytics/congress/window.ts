import type { CountedLean, Disclosure, TickerLean } from "../../domain/congress/congress.ts";
import { dayAfter } from "../../lib/day-after.ts";
import { groupBy } from "../../lib/group-by.ts";
import { median } from "../statistics.ts";
import { countedAmong, leanOf } from "./lean.ts";

/** Days of filings that a signal uses: the legal filing deadline. */
export const SIGNAL_DAYS = 45;

/** Summary of the filings in a window; later filings do not change it. */
export interface CongressSummary {
  readonly from: string;
  readonly until: string;
  readonly lean: CountedLean;
  /** Median days between trade and filing of the counted disclosures; null if none is known. */
  readonly median_days_to_file: number | null;
  /**
   * Tickers with more buying than selling by member count, score and net dollars, largest majority of members first;
   * `sold` has those with more selling by all three.
   */
  readonly bought: readonly TickerLean[];
  readonly sold: readonly TickerLean[];
}

/** Returns the lean of the filings in the `days` days up to and including `until`, in total and by ticker. */
export function congressSummary(
  trades: readonly Disclosure[],
  { until, days, minMembers }: { until: string; days: number; minMembers: number },
): CongressSummary {
  const from = dayAfter(until, 1 - days);
  const filed = trades.filter(({ filing_date }) => filing_date >= from && filing_date <= until);
  const { counted } = countedAmong(filed);
  const tickers = [...groupBy(counted, ({ ticker }) => ticker!)].flatMap(
    ([ticker, own]): readonly TickerLean[] => {
      const { members, lean, usd } = leanOf(own, minMembers);
      const { buying, selling } = members;
      return lean === null ? [] : [{ ticker, buying, selling, lean, net_usd: usd.net }];
    },
  );
  const ranked = tickers.sort(byMembers);
  return {
    from,
    until,
    lean: leanOf(filed, minMembers),
    median_days_to_file: median(counted.flatMap(({ days_to_file }) => days_to_file ?? [])),
    bought: ranked.filter((one) => one.buying > one.selling && one.lean > 0 && one.net_usd > 0),
    sold: ranked.filter((one) => one.selling > one.buying && one.lean < 0 && one.net_usd < 0),
  };
}

const byMembers = (a: TickerLean, b: TickerLean): number =>
  Math.abs(b.buying - b.selling) - Math.abs(a.buying - a.selling) ||
  Math.abs(b.net_usd) - Math.abs(a.net_usd) ||
  (a.ticker < b.ticker ? -1 : 1);
