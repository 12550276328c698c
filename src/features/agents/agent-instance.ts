import { type AgentInstance, type AgentRun, everyText } from "../../domain/agents/automation.ts";
import type { AgentRecord, AgentRunRecord } from "../../domain/agents/automation-port.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";

/** What its purchases may still cost, US dollars; null without a limit. */
export const remainingBudget = ({ budget, spent }: Pick<AgentRecord, "budget" | "spent">): string | null =>
  budget === null ? null : truncated(maxDecimal(decimal(budget).minus(spent), decimal(0)));

/** An agent as its owner sees it; `tool` is the name of the tool that its runs call. */
export function toAgentInstance(kept: AgentRecord, tool: string): AgentInstance {
  const { id, agent, state, reason, every, calendar, input, budget, spent, failures } = kept;
  const left = remainingBudget(kept);
  return {
    agent_id: id,
    agent,
    tool,
    state,
    reason,
    every: everyText(every),
    runs_at: calendar,
    input,
    dry_run: input.dry_run !== false,
    budget: budget === null || left === null ? null : { limit: budget, spent, left },
    started_at: kept.startedAt,
    next_run: kept.nextAt === null ? null : new Date(kept.nextAt).toISOString(),
    last_run: kept.lastRun,
    failures,
  };
}

/** A run as its owner sees it. */
export const toAgentRun = ({ due, decisions, notes, ...run }: AgentRunRecord): AgentRun => ({
  ...run,
  due_at: new Date(due).toISOString(),
  decisions: [...decisions],
  notes: [...notes],
});
