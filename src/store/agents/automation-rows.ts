import type { Selectable } from "kysely";
import { z } from "zod";
import { SCOPES, type Scope } from "../../domain/accounts/access.ts";
import { AgentInput, AgentRun, AgentState, DecisionShown } from "../../domain/agents/automation.ts";
import type { AgentRecord, AgentRunRecord } from "../../domain/agents/automation-port.ts";
import { readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const Calendar = z.enum(["interval", "session_open", "utc_midnight"]);
const Decisions = z.array(DecisionShown);
const Notes = z.array(z.string());

/** A row as an agent. */
export const toAgent = (row: Selectable<Schema["agents"]>): AgentRecord => ({
  id: row.id,
  account: row.account,
  agent: row.agent,
  input: readRow(AgentInput, row.input) ?? {},
  every: row.every_s,
  calendar: Calendar.parse(row.calendar),
  state: AgentState.parse(row.state),
  reason: row.reason,
  budget: row.budget,
  spent: row.spent,
  failures: row.failures,
  startedAt: row.started_at,
  nextAt: row.next_at,
  lastRun: row.last_run,
  key: row.key_id,
  scopes: row.scopes.split(" ").filter((scope): scope is Scope => SCOPES.includes(scope as Scope)),
});

/** An agent as a row, without market and lease. */
export const fromAgent = (agent: AgentRecord) => ({
  id: agent.id,
  account: agent.account,
  agent: agent.agent,
  input: JSON.stringify(agent.input),
  every_s: agent.every,
  calendar: agent.calendar,
  state: agent.state,
  reason: agent.reason,
  budget: agent.budget,
  spent: agent.spent,
  failures: agent.failures,
  started_at: agent.startedAt,
  next_at: agent.nextAt,
  last_run: agent.lastRun,
  key_id: agent.key,
  scopes: agent.scopes.join(" "),
});

/** A row as a run. */
export const toRun = (row: Selectable<Schema["agent_runs"]>): AgentRunRecord => ({
  run_id: row.id,
  agent_id: row.agent_id,
  agent: row.agent,
  due: row.due_at,
  started_at: row.started_at,
  ended_at: row.ended_at,
  outcome: AgentRun.shape.outcome.parse(row.outcome),
  resumed: row.resumed !== 0,
  missed: row.missed,
  reason: row.reason,
  decisions: readRow(Decisions, row.decisions) ?? [],
  notes: readRow(Notes, row.notes) ?? [],
});

/** A run as a row, without account and market. */
export const fromRun = (run: AgentRunRecord) => ({
  id: run.run_id,
  agent_id: run.agent_id,
  agent: run.agent,
  due_at: run.due,
  started_at: run.started_at,
  ended_at: run.ended_at,
  outcome: run.outcome,
  resumed: run.resumed ? 1 : 0,
  missed: run.missed,
  reason: run.reason,
  decisions: JSON.stringify(run.decisions),
  notes: JSON.stringify(run.notes),
});
