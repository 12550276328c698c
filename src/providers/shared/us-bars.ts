import {
  type ProviderBar,
  type ProviderBars,
  type ProviderBarsRequest,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDay } from "../../lib/newyork.ts";
import { marketStateAt } from "../../market/calendar/calendar.ts";
import { type Page, readPages } from "./pages.ts";

/** A bar of US stocks in the short form that several providers use; `t` is its start, epoch ms. */
export interface ShortBar {
  readonly t: number;
  readonly o: number | null;
  readonly h: number | null;
  readonly l: number | null;
  readonly c: number | null;
  readonly v: number;
}

/**
 * Reads all pages of bars. @throws ProviderFailure "malformed" for a page that repeats a bar, "unsupported" for more than
 * `maxPages`
 */
export function readBarPages<C>(
  read: (cursor: C | null) => Promise<Page<ShortBar, C>>,
  maxPages: number,
): Promise<readonly ShortBar[]> {
  let newest = Number.NEGATIVE_INFINITY;
  return readPages<ShortBar, C>(
    async (cursor) => {
      const page = await read(cursor);
      if (page.rows.some(({ t }) => t <= newest))
        throw new ProviderFailure("malformed", "a page of repeated bars");
      for (const { t } of page.rows) newest = Math.max(newest, t);
      return page;
    },
    { maxPages, unit: "bars" },
  );
}

/**
 * Wraps split-adjusted bars on all venues, of the regular session unless extended hours are requested. Bars that start
 * after `until` are dropped.
 */
export const sessionBars = (
  rows: readonly ShortBar[],
  {
    timeframe,
    until,
    extendedHours = false,
  }: Pick<ProviderBarsRequest, "timeframe" | "until" | "extendedHours">,
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
    .filter(({ time }) => time <= until && (timeframe === "1d" || isWithinHours(time, extendedHours))),
  adjustment: "split",
  hours: extendedHours ? "extended" : "regular",
  volumeScope: "all_venues",
  venue: "US",
});

function isWithinHours(time: number, extendedHours: boolean): boolean {
  const state = marketStateAt(time, "equity");
  return state === "regular" || (extendedHours && state !== "closed");
}
