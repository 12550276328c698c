import type { DecisionShown } from "../../domain/agents/automation.ts";
import type { AgentRecord } from "../../domain/agents/automation-port.ts";
import { decimal } from "../../lib/decimal.ts";
import { remainingBudget } from "./agent-instance.ts";

/** The least that a budget is told as: nothing can be bought for it, and it is above 0 as every budget. */
const MIN_BUDGET = "0.000000001";

/** What purchases of the next pass may take, US dollars; null without a limit. */
export function passBudget(agent: Pick<AgentRecord, "budget" | "spent">): string | null {
  const left = remainingBudget(agent);
  return left === null || decimal(left).gt(0) ? left : MIN_BUDGET;
}

/**
 * Whether a budget has nothing more to do after a pass: too little is left for what the pass would have bought, and
 * nothing is held that a later one could sell.
 */
export function isSpent(
  agent: Pick<AgentRecord, "budget" | "spent">,
  decisions: readonly DecisionShown[],
): boolean {
  const left = remainingBudget(agent);
  if (left === null || decimal(agent.spent).lte(0)) return false;
  const wanted = decisions.flatMap(({ action, trade, order }) =>
    action === "buy" && order == null && trade?.cost != null ? [trade.cost] : [],
  );
  const tooLittle = decimal(left).lte(0) || wanted.some((cost) => decimal(cost).gt(left));
  return tooLittle && !decisions.some(holdsAfter);
}

/** Whether units are held after a decision, or may be. */
const holdsAfter = ({ action, held, order }: DecisionShown): boolean => {
  if (action === "buy" && order != null) return true;
  if (held == null || decimal(held).eq(0)) return false;
  return !(action === "sell" && order != null);
};
