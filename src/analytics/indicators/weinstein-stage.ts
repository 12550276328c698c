import type { Bars } from "../../domain/bars.ts";
import { type Series, unknown } from "./series.ts";
import { sessionDays } from "./sessions.ts";
import { sma } from "./sma.ts";

const DAY = 86_400_000;
/** Weekly closes in the mean, weeks over which its slope is measured, and the slope that counts as flat. */
const WEEKS = 30;
const BACK = 4;
const FLAT = 0.01;

/**
 * Weinstein's stage of a market: 1 basing, 2 advancing, 3 topping, 4 declining. Judged on the weekly closes of
 * the Monday-Sunday weeks, by session date, completed before the bar's own week, so that it never changes within
 * a week. NaN until 34 such weeks exist and a stage 2 or 4 has been seen; weeks without a bar do not count.
 * @see Stan Weinstein, "Secrets for Profiting in Bull and Bear Markets" (1988), ch. 2
 */
export function weinsteinStage(bars: Bars): Series {
  const weeks = sessionDays(bars).map(weekOf);
  const closes = weeklyCloses(bars, weeks);
  const mean = sma(closes, WEEKS);
  const out = unknown(weeks.length);
  let stage = Number.NaN;
  for (let i = 0, week = -1; i < weeks.length; i++) {
    if (i > 0 && weeks[i] !== weeks[i - 1]) {
      week++;
      stage = next(stage, closes[week]!, mean[week]!, mean[week - BACK] ?? Number.NaN);
    }
    out[i] = stage;
  }
  return out;
}

/**
 * The average close of the 30 weeks completed before the last bar's own, in price units; null with how many there
 * are while there are fewer. The average of Weinstein's stages.
 */
export function thirtyWeekAverage(bars: Bars): { readonly value: number | null; readonly weeks: number } {
  const closes = weeklyCloses(bars, sessionDays(bars).map(weekOf)).subarray(0, -1);
  const mean = sma(closes, WEEKS).at(-1);
  return { value: closes.length < WEEKS ? null : mean!, weeks: closes.length };
}

/** The last close of every week that has a bar, the unfinished one included. */
const weeklyCloses = (bars: Bars, weeks: Float64Array): Series =>
  bars.close.filter((_, i) => weeks[i] !== weeks[i + 1]);

function next(stage: number, close: number, mean: number, before: number): number {
  const slope = mean / before - 1;
  if (close > mean && slope > FLAT) return 2;
  if (close < mean && slope < -FLAT) return 4;
  if (Math.abs(slope) > FLAT) return stage;
  if (stage === 2) return 3;
  return stage === 4 ? 1 : stage;
}

/** Number of the Monday-Sunday week of a session date; 1970 began on a Thursday. */
function weekOf(day: number): number {
  return Math.floor((day / DAY + 3) / 7);
}
