import type { Bars } from "../../domain/market/bars.ts";
import type { Dividend } from "../../domain/market/corporate-actions.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { rounded } from "../../lib/rounded.ts";
import { draw, keyOf, unit } from "./draws.ts";

/** Share of the simulated stocks and funds that pay a dividend. */
const PAYING_SHARE = 0.6;
/** Smallest and largest dividend of a quarter as a share of the close before it. */
const YIELD = { min: 0.001, max: 0.009 } as const;
/** Months of ex-dates (0: January), and the first possible day of the month with the number of days. */
const MONTHS: ReadonlySet<number> = new Set([1, 4, 7, 10]);
const FIRST_DAY = 5;
const DAYS = 10;

/** Returns the day of the month of the ex-dates; null for one that pays no dividend. */
const exDayOf = (key: number): number | null =>
  unit(draw(key, 0)) >= PAYING_SHARE ? null : FIRST_DAY + Math.floor(unit(draw(key, 1)) * DAYS);

/** Returns true if a date `YYYY-MM-DD` is an ex-date of a stock or fund. */
export const isExDate = (market: string, symbol: string, date: string): boolean =>
  MONTHS.has(Number(date.slice(5, 7)) - 1) &&
  Number(date.slice(8)) === exDayOf(keyOf(market, symbol, "dividends"));

/**
 * Returns the simulated quarterly dividends of a stock or fund within daily bars, oldest first. They depend only on the
 * market, the symbol and the bars before; simulated prices do not fall on ex-dates.
 */
export function sampleDividends(market: string, symbol: string, { time, close }: Bars): readonly Dividend[] {
  const key = keyOf(market, symbol, "dividends");
  const dayOfMonth = exDayOf(key);
  if (dayOfMonth === null) return [];
  const share = YIELD.min + unit(draw(key, 2)) * (YIELD.max - YIELD.min);
  return Array.from(time).flatMap((start, i) => {
    const date = new Date(start);
    const before = close[i - 1];
    return before !== undefined && date.getUTCDate() === dayOfMonth && MONTHS.has(date.getUTCMonth())
      ? [{ date: isoDate(start), amount: Math.max(0.01, rounded(before * share, 2)) }]
      : [];
  });
}
