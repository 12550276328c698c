import type { PlanOdds } from "./odds.ts";

/** Formats odds in whole cases of 100, never as 0 or 100: `less than 1`, `more than 99`. */
export const casesOf = (odds: number): string => {
  const cases = Math.round(100 * odds);
  if (cases === 0) return "less than 1";
  return cases === 100 ? "more than 99" : String(cases);
};

/** Formats the odds of a plan with their base rates in one line, without a full stop. */
export function formatPlanOdds(
  { bars, stop_first, target_first, neither, base }: PlanOdds,
  target: "target" | "target 1" = "target",
): string {
  const rates =
    base === null
      ? ""
      : ` (base rates in the past: ${casesOf(base.stop_first)}, ${casesOf(base.target_first)}, ${casesOf(base.neither)})`;
  return `stop first in ${casesOf(stop_first)} of 100 cases, ${target} first in ${casesOf(target_first)}, neither within ${bars} bars in ${casesOf(neither)}${rates}`;
}
