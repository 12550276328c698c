import type { Bars } from "../../domain/market/bars.ts";
import { nanSeries, type Series } from "./series.ts";
import { sma } from "./sma.ts";
import { sessionDays } from "./vwap.ts";

const DAY = 86_400_000;
/** Weeks in the mean, weeks over which its slope is measured, and the slope up to which it counts as flat. */
const WEEKS = 30;
const BACK = 4;
const FLAT = 0.01;

/**
 * Weinstein's stage of a market: 1 basing, 2 advancing, 3 topping, 4 declining. Computed from the closes of the
 * Monday-Sunday weeks, by session date, completed before the bar's own week, so that it never changes within a week.
 * NaN until there are 34 such weeks and a stage 2 or 4 has occurred; weeks without a bar do not count.
 * @see Stan Weinstein, "Secrets for Profiting in Bull and Bear Markets" (1988), ch. 2
 */
export function weinsteinStage(bars: Bars): Series {
  const { closes, week } = weeksOf(bars);
  const stages = stagesOf(closes);
  const out = nanSeries(week.length);
  for (let i = 0; i < week.length; i++) if (week[i]! > 0) out[i] = stages[week[i]! - 1]!;
  return out;
}

/** Returns the stage after the last of these completed weekly closes; NaN until known. */
export const stageAfter = (closes: Series): number => stagesOf(closes).at(-1) ?? Number.NaN;

/**
 * Returns the average close of the 30 weeks completed before the last bar's own week, in price units, as used for
 * Weinstein's stages; null with the number of weeks if there are fewer.
 */
export function thirtyWeekAverage(bars: Bars): { readonly value: number | null; readonly weeks: number } {
  const closes = weeksOf(bars).closes.subarray(0, -1);
  const mean = sma(closes, WEEKS).at(-1);
  return { value: closes.length < WEEKS ? null : mean!, weeks: closes.length };
}

/** Monday-Sunday weeks with at least one bar, by session date. */
export interface Weeks {
  /** Last close of each week, including the unfinished one. */
  readonly closes: Series;
  /** Index of each bar's week. */
  readonly week: Int32Array;
}

export function weeksOf(bars: Bars): Weeks {
  const days = sessionDays(bars);
  const week = new Int32Array(days.length);
  const closes = new Float64Array(days.length);
  let position = -1;
  let end = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < days.length; i++) {
    if (days[i]! >= end) {
      position++;
      end = mondayAfter(days[i]!);
    }
    week[i] = position;
    closes[position] = bars.close[i]!;
  }
  return { closes: closes.subarray(0, position + 1), week };
}

function stagesOf(closes: Series): Series {
  const mean = sma(closes, WEEKS);
  const out = new Float64Array(closes.length);
  let stage = Number.NaN;
  for (let week = 0; week < closes.length; week++) {
    stage = next(stage, closes[week]!, mean[week]!, mean[week - BACK] ?? Number.NaN);
    out[week] = stage;
  }
  return out;
}

function next(stage: number, close: number, mean: number, before: number): number {
  const slope = mean / before - 1;
  if (close > mean && slope > FLAT) return 2;
  if (close < mean && slope < -FLAT) return 4;
  if (Math.abs(slope) > FLAT) return stage;
  if (stage === 2) return 3;
  return stage === 4 ? 1 : stage;
}

/** Returns 00:00 UTC of the Monday after a session date; 1970 began on a Thursday. */
function mondayAfter(day: number): number {
  return (Math.floor((Math.floor(day / DAY) + 3) / 7) * 7 + 4) * DAY;
}
