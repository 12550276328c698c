import { column, integer, integerOrNull, owned, table, text, textOrNull } from "../../table.ts";

/** Scheduled agents, their runs, custom agents and A2A tasks. */
export const AGENT_TABLES = {
  /** Scheduled agents; `input` is JSON, `next_at` and `lease_until` are epoch ms, `scopes` are separated by spaces. */
  agents: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    agent: text,
    input: text,
    every_s: integer,
    calendar: text,
    state: text,
    reason: textOrNull,
    budget: textOrNull,
    spent: text,
    failures: integer,
    started_at: text,
    next_at: integerOrNull,
    last_run: textOrNull,
    key_id: textOrNull,
    scopes: text,
    lease_owner: textOrNull,
    lease_until: integerOrNull,
  }),
  /** Runs of agents; `due_at` is epoch ms, `resumed` 0 or 1, `decisions` and `notes` are JSON. */
  agent_runs: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    agent_id: text,
    agent: text,
    due_at: integer,
    started_at: text,
    ended_at: textOrNull,
    outcome: text,
    resumed: integer,
    missed: integer,
    reason: textOrNull,
    decisions: text,
    notes: text,
  }),
  /** Saved agents; `definition` is JSON. */
  custom_agents: table("PRIMARY KEY (account, market, name)", {
    ...owned,
    name: text,
    definition: text,
    saved_at: text,
    changed_at: text,
  }),
  /** Scheduler processes; `seen_at` is the last heartbeat, epoch ms. */
  agent_keepers: table("PRIMARY KEY (market, owner)", {
    market: text,
    owner: text,
    seen_at: integer,
  }),
  /** Tasks in the columns of the A2A library. */
  a2a_tasks: table("PRIMARY KEY (tenant, owner, id)", {
    tenant: text,
    owner: text,
    id: text,
    context_id: text,
    status_last_updated: column<number>("BIGINT NOT NULL"),
    status_state: textOrNull,
    status: textOrNull,
    artifacts: textOrNull,
    history: textOrNull,
    metadata: textOrNull,
    protocol_version: textOrNull,
  }),
  /** Push notification settings of A2A tasks; their URLs are sealed secrets. */
  a2a_push: table("PRIMARY KEY (account, market, task, id)", {
    ...owned,
    task: text,
    id: text,
    /** Protocol version of the request; its notifications use the same version. */
    wire_version: text,
    saved_at: text,
  }),
};

export const AGENT_INDEXES = [
  "CREATE UNIQUE INDEX agents_running ON agents (account, market, agent) WHERE state = 'running'",
  "CREATE INDEX agents_due ON agents (market, state, next_at)",
  "CREATE INDEX agent_runs_due ON agent_runs (account, market, agent_id, due_at)",
  "CREATE INDEX agent_runs_newest ON agent_runs (account, market, due_at)",
  "CREATE INDEX a2a_tasks_latest ON a2a_tasks (owner, status_last_updated)",
];
