import { type AgentInstance, type AgentRun, everyText } from "../../domain/agents/automation.ts";
import type { AgentRecord, AgentRunRecord } from "../../domain/agents/automation-port.ts";
import { remainingBudget } from "./budget.ts";

/** Maps a stored agent to the response shape; `tool` is the name of the tool its runs call. */
export function toAgentInstance(record: AgentRecord, tool: string): AgentInstance {
  const { id, agent, state, reason, every, calendar, input, budget, spent, failures } = record;
  const remaining = remainingBudget(record);
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
    budget: budget === null || remaining === null ? null : { limit: budget, spent, left: remaining },
    started_at: record.startedAt,
    next_run: record.nextAt === null ? null : new Date(record.nextAt).toISOString(),
    last_run: record.lastRun,
    failures,
  };
}

export const toAgentRun = ({ due, decisions, notes, ...run }: AgentRunRecord): AgentRun => ({
  ...run,
  due_at: new Date(due).toISOString(),
  decisions: [...decisions],
  notes: [...notes],
});
