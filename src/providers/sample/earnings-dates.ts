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
  /** Day of the simulated market with whose first moment the report is out. */
  readonly day: number;
  /** That moment, epoch ms. */
  readonly reportedAt: number;
  /** When the report date is fixed, epoch ms; estimated before. */
  readonly fixedAt: number;
}

const FIRST_LAG = 20;
const LAGS = 22;
const FIXED_DAYS = 28;

/** First quarter whose report falls into the simulated market. */
export const FIRST_QUARTER = 4 * 2017;

/** A quarter of the listing with this key; reports come 20 to 43 days after its end, on full trading days. */
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

/** Newest quarter whose report was out at a moment (epoch ms); below `FIRST_QUARTER` if none was. */
export function newestReported(key: number, at: number): number {
  const now = new Date(at);
  let index = 4 * now.getUTCFullYear() + Math.floor(now.getUTCMonth() / 3);
  while (index >= FIRST_QUARTER && quarterOf(key, index).reportedAt > at) index--;
  return index;
}
