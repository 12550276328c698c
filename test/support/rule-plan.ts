import { parseRules } from "../../src/analytics/backtest/rules/parse.ts";
import type { Plan } from "../../src/analytics/backtest/rules/plan.ts";
import type { BacktestRules } from "../../src/domain/backtest/backtest.ts";

/** Plan of valid rules. @throws Error with the problems of invalid rules */
export function rulePlan(rules: BacktestRules): Plan {
  const parsed = parseRules(rules);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.plan;
}
