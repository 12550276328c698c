import { tradingDay } from "../calendar/holidays.ts";

/** Maximum relative distance of open or close outside high and low that rounding explains. */
export const ROUNDING = 1e-4;
/** 1998-01-01: on earlier holidays of today's rules the exchange may have been open. */
const CALENDAR_START = Date.UTC(1998, 0, 1);

/** Valid prices and volumes of a source of bars, in US dollars and units. */
export interface RowLimits {
  readonly minPrice: number;
  readonly maxPrice: number;
  readonly maxVolume: number;
}

/**
 * Fault of a row: a price or volume that is missing or outside the limits, or an open or close outside high and low.
 */
export type RowFault = "price" | "volume" | "range";

/**
 * Returns the fault of one bar, whose missing figures are NaN; null for a valid row. An open or close
 * outside high and low by rounding is valid: the caller widens high and low to it.
 */
export function rowFault(
  open: number,
  high: number,
  low: number,
  close: number,
  volume: number,
  { minPrice, maxPrice, maxVolume }: RowLimits,
): RowFault | null {
  const top = Math.max(open, close);
  const bottom = Math.min(open, close);
  // NaN fails each comparison
  if (!(low >= minPrice && bottom >= minPrice && high <= maxPrice && top <= maxPrice && high >= minPrice))
    return "price";
  if (!(volume >= 0 && volume <= maxVolume)) return "volume";
  return high < top * (1 - ROUNDING) || low > bottom * (1 + ROUNDING) ? "range" : null;
}

/**
 * Returns true if stocks trade on a date (its 00:00 UTC, epoch ms). Before 1998, when the calendar begins, on each
 * weekday.
 */
export const isTradingDate = (day: number): boolean =>
  day >= CALENDAR_START ? tradingDay(day) !== "closed" : !isWeekend(day);

/** Returns true if a date (its 00:00 UTC, epoch ms) is a Saturday or Sunday. */
export function isWeekend(day: number): boolean {
  const weekday = new Date(day).getUTCDay();
  return weekday === 0 || weekday === 6;
}
