import { tradingDay } from "../../market/calendar/holidays.ts";
import { draw, keyOf, unit } from "./draws.ts";
import { DAY_MS, dayAt } from "./time.ts";

/** A quarter of a listing: its end and the day of its report. */
export interface Quarter {
  /** Quarters since year 0. */
  readonly index: number;
  readonly year: number;
  readonly quarter: 1 | 2 | 3 | 4;
  /** 00:00 UTC of its last day. */
  readonly end: number;
  /** Day of the simulated market at whose start the report is published. */
  readonly day: number;
  /** Start of that day, epoch ms. */
  readonly reportedAt: number;
  /** Time at which the report date is confirmed, epoch ms; before that it is an estimate. */
  readonly fixedAt: number;
}

const FIRST_LAG = 20;
const LAGS = 22;
const FIXED_DAYS = 28;

/** First quarter whose report falls into the simulated market. */
export const FIRST_QUARTER = 4 * 2017;

/**
 * Returns a quarter of the listing with this key; its report comes 20 to 43 days after its end, on a full
 * trading day.
 */
export function quarterOf(key: number, index: number): Quarter {
  const ofDates = keyOf(key, "earnings dates");
  const year = Math.floor(index / 4);
  const quarter = ((index % 4) + 1) as 1 | 2 | 3 | 4;
  const end = Date.UTC(year, 3 * quarter, 0);
  const usual = FIRST_LAG + Math.floor(LAGS * unit(draw(ofDates, -1)));
  let at = end + (usual + Math.floor(3 * unit(draw(ofDates, index))) - 1) * DAY_MS;
  while (tradingDay(at) !== "full") at += DAY_MS;
  return {
    index,
    year,
    quarter,
    end,
    day: dayAt(at),
    reportedAt: at,
    fixedAt: at - FIXED_DAYS * DAY_MS,
  };
}

/** Returns the newest quarter reported by a time (epoch ms); below `FIRST_QUARTER` if there is none. */
export function newestReported(key: number, at: number): number {
  const now = new Date(at);
  let index = 4 * now.getUTCFullYear() + Math.floor(now.getUTCMonth() / 3);
  while (index >= FIRST_QUARTER && quarterOf(key, index).reportedAt > at) index--;
  return index;
}
