import type { Selectable } from "kysely";
import { z } from "zod";
import { AgentInput, AgentRun, AgentState, DecisionShown } from "../../domain/agents/automation.ts";
import type { AgentRecord, AgentRunRecord } from "../../domain/agents/automation-port.ts";
import { parseScopes, readRow } from "../row-schemas.ts";
import type { Schema } from "../schema.ts";

const Calendar = z.enum(["interval", "session_open", "utc_midnight"]);
const Decisions = z.array(DecisionShown);
const Notes = z.array(z.string());

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
  scopes: parseScopes(row.scopes),
});

/** Maps an agent to its row, without market and lease. */
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

export const toRun = ({
  id,
  due_at,
  account: _,
  market: __,
  ...row
}: Selectable<Schema["agent_runs"]>): AgentRunRecord => ({
  ...row,
  run_id: id,
  due: due_at,
  outcome: AgentRun.shape.outcome.parse(row.outcome),
  resumed: row.resumed !== 0,
  decisions: readRow(Decisions, row.decisions) ?? [],
  notes: readRow(Notes, row.notes) ?? [],
});

/** Maps a run to its row, without account and market. */
export const fromRun = ({ run_id, due, ...run }: AgentRunRecord) => ({
  ...run,
  id: run_id,
  due_at: due,
  resumed: run.resumed ? 1 : 0,
  decisions: JSON.stringify(run.decisions),
  notes: JSON.stringify(run.notes),
});
