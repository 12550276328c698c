import type { PlanOdds } from "./odds.ts";

/** Formats odds in whole cases of 100; odds of 0 or 1 are never certain. */
export const casesOf = (odds: number): string => {
  const cases = Math.round(100 * odds);
  if (cases === 0) return "less than 1";
  return cases === 100 ? "more than 99" : String(cases);
};

/** Formats the odds of a plan with their base in one line, without a full stop. */
export function formatPlanOdds({ bars, stop_first, target_first, neither, base }: PlanOdds): string {
  const own =
    base === null
      ? ""
      : ` (own past: ${casesOf(base.stop_first)}, ${casesOf(base.target_first)}, ${casesOf(base.neither)})`;
  return `stop first in ${casesOf(stop_first)} of 100 cases, target 1 first in ${casesOf(target_first)}, neither within ${bars} bars in ${casesOf(neither)}${own}`;
}
