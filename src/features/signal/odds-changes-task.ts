import { barsInYear } from "../../analytics/odds/bars-per-day.ts";
import { type PlanChangesRequest, planChanges } from "../../analytics/odds/plan-changes.ts";
import type { ComputeTask } from "../../domain/compute-port.ts";
import type { OddsExplanation } from "../../domain/odds/odds-changes.ts";
import { outcomesOf } from "./signal-odds.ts";

/** Computes the odds of a plan after each change, in whole percents. */
export const oddsChangesTask: ComputeTask<
  PlanChangesRequest,
  Pick<OddsExplanation, "volatility_percent" | "changes">
> = {
  name: "odds-changes",
  duration: "short",
  run(request) {
    const { volatility: current, changes } = planChanges(request);
    const year = barsInYear(request.assetClass, request.bars);
    const yearlyPercent = (perBar: number) => 100 * perBar * Math.sqrt(year);
    return {
      volatility_percent: yearlyPercent(current),
      changes: changes.map(({ change, price, volatility, odds, base, reason }) => ({
        change,
        price,
        ...((change === "low_volatility" || change === "high_volatility") && {
          volatility_percent: volatility === null ? null : yearlyPercent(volatility),
        }),
        ...(odds === null ? { stop_first: null, target_first: null, neither: null } : outcomesOf(odds)),
        base: base && outcomesOf(base),
        reason,
      })),
    };
  },
};
