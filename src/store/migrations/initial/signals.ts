/** Engine runs, logged signals with their outcomes, track records, backtests and receipts. */
export const SIGNALS_SQL = `
CREATE TABLE engine_results (
  run_id TEXT NOT NULL,
  run_at TEXT NOT NULL,
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  score DOUBLE PRECISION,
  grade TEXT,
  direction TEXT NOT NULL,
  PRIMARY KEY (market, symbol, timeframe, run_id)
);
CREATE INDEX engine_results_latest ON engine_results (market, symbol, timeframe, run_at);
CREATE INDEX engine_results_of_run ON engine_results (run_id);

CREATE TABLE engine_runs (
  run_id TEXT NOT NULL PRIMARY KEY,
  market TEXT NOT NULL,
  universe TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  model_version TEXT NOT NULL,
  as_of TEXT NOT NULL,
  started_at TEXT NOT NULL,
  run_at TEXT,
  universe_hash TEXT NOT NULL,
  members TEXT NOT NULL,
  market_index TEXT,
  content TEXT
);
CREATE INDEX engine_runs_newest ON engine_runs (market, timeframe, run_at);

CREATE TABLE engine_rows (
  run_id TEXT NOT NULL,
  symbol TEXT NOT NULL,
  score DOUBLE PRECISION,
  grade TEXT,
  direction TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (run_id, symbol)
);

CREATE TABLE engine_failures (
  run_id TEXT NOT NULL,
  symbol TEXT NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (run_id, symbol)
);

CREATE TABLE engine_ranks (
  run_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (run_id, kind)
);

CREATE TABLE signals (
  id TEXT NOT NULL PRIMARY KEY,
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  asset_class TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  origin TEXT NOT NULL,
  run_id TEXT,
  direction TEXT NOT NULL,
  grade TEXT,
  score DOUBLE PRECISION,
  tier TEXT NOT NULL,
  entry DOUBLE PRECISION NOT NULL,
  stop DOUBLE PRECISION NOT NULL,
  target DOUBLE PRECISION NOT NULL,
  close DOUBLE PRECISION NOT NULL,
  inputs_hash TEXT NOT NULL,
  model_version TEXT NOT NULL,
  logged_at TEXT NOT NULL
);
CREATE INDEX signals_of_model ON signals (market, timeframe, model_version, decided_at, symbol, id, origin);
CREATE INDEX signals_of_time ON signals (market, timeframe, decided_at, id);

CREATE TABLE signal_outcomes (
  id TEXT NOT NULL,
  horizon INTEGER NOT NULL,
  known_at TEXT NOT NULL,
  change DOUBLE PRECISION NOT NULL,
  r DOUBLE PRECISION,
  PRIMARY KEY (id, horizon)
);

CREATE TABLE track_records (
  market TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  model_version TEXT NOT NULL,
  computed_at TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, timeframe, model_version)
);

CREATE TABLE backtests (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  request TEXT NOT NULL,
  result TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX backtests_newest ON backtests (account, created_at, id);

CREATE TABLE receipts (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  issued_at TEXT NOT NULL,
  receipt TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX receipts_issued ON receipts (account, market, issued_at, id);

CREATE TABLE receipt_inputs (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  packed TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
`;
