import type { Timeframe } from "../../domain/market/bars.ts";
import {
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";

/** A bar of US stocks in the short form that several providers use; `t` is its start, epoch ms. */
export interface ShortBar {
  readonly t: number;
  readonly o: number | null;
  readonly h: number | null;
  readonly l: number | null;
  readonly c: number | null;
  readonly v: number;
}

/** A page of bars, with the cursor of the next page; null on the last page. */
export interface BarPage<C> {
  readonly rows: readonly ShortBar[];
  readonly next: C | null;
}

/**
 * Reads all pages of bars. @throws ProviderFailure "malformed" for a page that repeats a bar, "unsupported" for more than
 * `maxPages`
 */
export async function readBarPages<C>(
  read: (cursor: C | null) => Promise<BarPage<C>>,
  maxPages: number,
): Promise<readonly ShortBar[]> {
  const bars: ShortBar[] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let cursor: C | null = null;
  for (let page = 0; page < maxPages; page++) {
    const { rows, next }: BarPage<C> = await read(cursor);
    if (rows.some(({ t }) => t <= newest)) throw new ProviderFailure("malformed", "a page of repeated bars");
    for (const { t } of rows) newest = Math.max(newest, t);
    bars.push(...rows);
    if (next === null) return bars;
    cursor = next;
  }
  throw new ProviderFailure("unsupported", `more than ${maxPages} pages of bars in one request`);
}

/** Wraps split-adjusted bars of the regular session on all venues. Bars that start after `until` are dropped. */
export const sessionBars = (
  rows: readonly ShortBar[],
  { timeframe, until }: { readonly timeframe: Timeframe; readonly until: number },
): ProviderBars => ({
  bars: rows
    .map(
      ({ t, o: open, h: high, l: low, c: close, v: volume }): ProviderBar => ({
        time: timeframe === "1d" ? newYorkDay(t) : t,
        open,
        high,
        low,
        close,
        volume,
      }),
    )
    .filter(
      ({ time }) => time <= until && (timeframe === "1d" || marketStateAt(time, "equity") === "regular"),
    ),
  adjustment: "split",
  hours: "regular",
  volumeScope: "all_venues",
  venue: "US",
});
