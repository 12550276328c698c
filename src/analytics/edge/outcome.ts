import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Question } from "./questions.ts";

/**
 * Returns the outcome of a question posed at `from` (epoch ms), from bars of a market that never closes: true if the
 * last close before its end is above the level (`at`), or if a high in between reached it (`touch`). Null if the bars
 * do not cover the period from `from` to its end.
 */
export function outcomeOf(
  { kind, level, by }: Pick<Question, "kind" | "level" | "by">,
  from: number,
  { time, high, close, timeframe }: Bars,
): boolean | null {
  const length = TIMEFRAME_MS[timeframe];
  const within: number[] = [];
  for (let bar = 0; bar < time.length; bar++)
    if (time[bar]! >= from && time[bar]! + length <= by) within.push(bar);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (time[first]! - from >= length || by - (time[last]! + length) >= length) return null;
  return kind === "at" ? close[last]! > level : within.some((bar) => high[bar]! >= level);
}
