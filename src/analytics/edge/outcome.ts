import { type Bars, TIMEFRAME_MS } from "../../domain/market/bars.ts";
import type { Question } from "./questions.ts";

/**
 * Outcome of a question posed at `from` (epoch ms), by bars of a market that never closes: whether the last close until its
 * end is above the level, or a high between reached it. Null where the bars do not reach to its end or do not begin with `from`.
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
