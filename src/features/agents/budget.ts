import type { DecisionShown } from "../../domain/agents/automation.ts";
import type { AgentRecord } from "../../domain/agents/automation-port.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";

type SpentBudget = Pick<AgentRecord, "budget" | "spent">;

/** Budget of a pass once the agent's budget is spent, in US dollars: positive, but too small to buy anything. */
const MIN_BUDGET = "0.000000001";

/** Returns the unspent part of the budget, in US dollars; null without a limit. */
export const remainingBudget = ({ budget, spent }: SpentBudget): string | null =>
  budget === null ? null : truncated(maxDecimal(decimal(budget).minus(spent), decimal(0)));

/** Returns the budget of the next pass, in US dollars; null without a limit. */
export function passBudget(agent: SpentBudget): string | null {
  const remaining = remainingBudget(agent);
  return remaining === null || decimal(remaining).gt(0) ? remaining : MIN_BUDGET;
}

/** Returns true when the budget is used up: too little is left for a purchase and no position is left to sell. */
export function isSpent(agent: SpentBudget, decisions: readonly DecisionShown[]): boolean {
  const remaining = remainingBudget(agent);
  if (remaining === null || decimal(agent.spent).lte(0)) return false;
  const wanted = decisions.flatMap(({ action, trade, order }) =>
    action === "buy" && order == null && trade?.cost != null ? [trade.cost] : [],
  );
  const tooLittle = decimal(remaining).lte(0) || wanted.some((cost) => decimal(cost).gt(remaining));
  return tooLittle && !decisions.some(holdsAfter);
}

/** Returns true when units may be held after a decision. */
const holdsAfter = ({ action, held, order }: DecisionShown): boolean => {
  if (action === "buy" && order != null) return true;
  if (held == null || decimal(held).eq(0)) return false;
  return !(action === "sell" && order != null);
};
