import { integer, owned, real, realOrNull, table, text, textOrNull } from "../../table.ts";

/** Engine runs, logged signals with their outcomes, track records, backtests and receipts. */
export const SIGNAL_TABLES = {
  engine_results: table("PRIMARY KEY (market, symbol, timeframe, run_id)", {
    run_id: text,
    run_at: text,
    market: text,
    symbol: text,
    timeframe: text,
    score: realOrNull,
    grade: textOrNull,
    direction: text,
  }),
  /** Nightly runs; `members` and `market_index` are JSON. */
  engine_runs: table("PRIMARY KEY (run_id)", {
    run_id: text,
    market: text,
    universe: text,
    timeframe: text,
    model_version: text,
    as_of: text,
    started_at: text,
    /** Null until the run is finished. */
    run_at: textOrNull,
    universe_hash: text,
    members: text,
    market_index: textOrNull,
    /** Identifier of the data read; null when the data of the market never changes. */
    content: textOrNull,
  }),
  /** Results of a run; `said` is the whole row as JSON. */
  engine_rows: table("PRIMARY KEY (run_id, symbol)", {
    run_id: text,
    symbol: text,
    score: realOrNull,
    grade: textOrNull,
    direction: text,
    said: text,
  }),
  engine_failures: table("PRIMARY KEY (run_id, symbol)", {
    run_id: text,
    symbol: text,
    code: text,
    message: text,
  }),
  /** Momentum ranks of a run; `said` is JSON of day and returns. */
  engine_ranks: table("PRIMARY KEY (run_id, kind)", {
    run_id: text,
    kind: text,
    hash: text,
    said: text,
  }),
  /** Logged signals; never updated. */
  signals: table("PRIMARY KEY (id)", {
    /** Hash of the identifying columns, so that each signal is written once. */
    id: text,
    market: text,
    symbol: text,
    asset_class: text,
    timeframe: text,
    /** Close of the decision bar. */
    decided_at: text,
    /** `served`, `scheduled` or `replay`. */
    origin: text,
    run_id: textOrNull,
    direction: text,
    grade: textOrNull,
    score: realOrNull,
    tier: text,
    entry: real,
    stop: real,
    target: real,
    close: real,
    inputs_hash: text,
    model_version: text,
    logged_at: text,
  }),
  /** Outcomes of signals and of answers of `get_odds`, by id; never updated, `horizon` in bars. */
  signal_outcomes: table("PRIMARY KEY (id, horizon)", {
    id: text,
    horizon: integer,
    known_at: text,
    change: real,
    r: realOrNull,
  }),
  /** Published track records as JSON. */
  track_records: table("PRIMARY KEY (market, timeframe, model_version)", {
    market: text,
    timeframe: text,
    model_version: text,
    computed_at: text,
    said: text,
  }),
  /** `request` and `result` are JSON. */
  backtests: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    created_at: text,
    request: text,
    result: text,
  }),
  /** Signed receipts as JSON; never updated. */
  receipts: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    issued_at: text,
    receipt: text,
  }),
  /** Inputs of receipts, compressed with gzip, in base64. */
  receipt_inputs: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    packed: text,
  }),
};

export const SIGNAL_INDEXES = [
  "CREATE INDEX engine_results_latest ON engine_results (market, symbol, timeframe, run_at)",
  "CREATE INDEX engine_results_of_run ON engine_results (run_id)",
  "CREATE INDEX engine_runs_newest ON engine_runs (market, timeframe, run_at)",
  "CREATE INDEX signals_of_model ON signals (market, timeframe, model_version, decided_at, symbol, id, origin)",
  "CREATE INDEX signals_of_time ON signals (market, timeframe, decided_at, id)",
  "CREATE INDEX backtests_newest ON backtests (account, created_at, id)",
  "CREATE INDEX receipts_issued ON receipts (account, market, issued_at, id)",
];
