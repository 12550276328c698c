/** Scheduled agents, their runs, custom agents and A2A tasks. */
export const AGENTS_SQL = `
CREATE TABLE agents (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  agent TEXT NOT NULL,
  input TEXT NOT NULL,
  every_s INTEGER NOT NULL,
  calendar TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  budget TEXT,
  spent TEXT NOT NULL,
  failures INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  next_at INTEGER,
  last_run TEXT,
  key_id TEXT,
  scopes TEXT NOT NULL,
  lease_owner TEXT,
  lease_until INTEGER,
  PRIMARY KEY (account, market, id)
);
CREATE UNIQUE INDEX agents_running ON agents (account, market, agent) WHERE state = 'running';
CREATE INDEX agents_due ON agents (market, state, next_at);

CREATE TABLE agent_runs (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  outcome TEXT NOT NULL,
  resumed INTEGER NOT NULL,
  missed INTEGER NOT NULL,
  reason TEXT,
  decisions TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX agent_runs_due ON agent_runs (account, market, agent_id, due_at);
CREATE INDEX agent_runs_newest ON agent_runs (account, market, due_at);

CREATE TABLE custom_agents (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  name TEXT NOT NULL,
  definition TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  PRIMARY KEY (account, market, name)
);

CREATE TABLE agent_keepers (
  market TEXT NOT NULL,
  owner TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (market, owner)
);

CREATE TABLE a2a_tasks (
  tenant TEXT NOT NULL,
  owner TEXT NOT NULL,
  id TEXT NOT NULL,
  context_id TEXT NOT NULL,
  status_last_updated BIGINT NOT NULL,
  status_state TEXT,
  status TEXT,
  artifacts TEXT,
  history TEXT,
  metadata TEXT,
  protocol_version TEXT,
  PRIMARY KEY (tenant, owner, id)
);
CREATE INDEX a2a_tasks_latest ON a2a_tasks (owner, status_last_updated);

CREATE TABLE a2a_push (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  task TEXT NOT NULL,
  id TEXT NOT NULL,
  wire_version TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  PRIMARY KEY (account, market, task, id)
);
`;
