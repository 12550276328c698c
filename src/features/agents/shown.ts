import { type AgentInstance, type AgentRun, everyText } from "../../domain/agents/automation.ts";
import type { KeptAgent, KeptRun } from "../../domain/agents/automation-port.ts";
import { decimal, digits, greatest } from "../../lib/decimal.ts";

/** What its purchases may still cost, US dollars; null without a limit. */
export const leftOf = ({ budget, spent }: Pick<KeptAgent, "budget" | "spent">): string | null =>
  budget === null ? null : digits(greatest(decimal(budget).minus(spent), decimal(0)));

/** An agent as its owner sees it; `tool` is the name of the tool that its runs call. */
export function agentShown(kept: KeptAgent, tool: string): AgentInstance {
  const { id, agent, state, reason, every, calendar, input, budget, spent, failures } = kept;
  const left = leftOf(kept);
  return {
    ...{ agent_id: id, agent, tool, state, reason, every: everyText(every), runs_at: calendar, input },
    dry_run: input.dry_run !== false,
    budget: budget === null || left === null ? null : { limit: budget, spent, left },
    started_at: kept.startedAt,
    next_run: kept.nextAt === null ? null : new Date(kept.nextAt).toISOString(),
    last_run: kept.lastRun,
    failures,
  };
}

/** A run as its owner sees it. */
export const runShown = ({ due, decisions, notes, ...run }: KeptRun): AgentRun => ({
  ...run,
  due_at: new Date(due).toISOString(),
  decisions: [...decisions],
  notes: [...notes],
});
