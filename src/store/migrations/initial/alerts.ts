/** Watchlists, subscriptions, signal changes and the deliveries of alerts. */
export const ALERTS_SQL = `
CREATE TABLE watchlists (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  name TEXT NOT NULL,
  symbols TEXT NOT NULL,
  saved_at TEXT NOT NULL,
  PRIMARY KEY (account, market, name)
);

CREATE TABLE subscriptions (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  symbols TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  name TEXT,
  watchlist TEXT,
  condition TEXT NOT NULL,
  channel TEXT NOT NULL,
  target TEXT,
  created_at TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  seen TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX subscriptions_state ON subscriptions (market, state);

CREATE TABLE signal_states (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  state TEXT NOT NULL,
  since TEXT NOT NULL,
  looked_at TEXT NOT NULL,
  PRIMARY KEY (market, symbol, timeframe)
);

CREATE TABLE signal_changes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  decided_at TEXT NOT NULL,
  noticed_at TEXT NOT NULL,
  said TEXT NOT NULL,
  UNIQUE (market, symbol, timeframe, decided_at)
);
CREATE UNIQUE INDEX signal_changes_id ON signal_changes (market, id);
CREATE INDEX signal_changes_series ON signal_changes (market, symbol, timeframe, seq);
CREATE INDEX signal_changes_order ON signal_changes (market, seq);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  alert_id TEXT NOT NULL,
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  subscription TEXT NOT NULL,
  channel TEXT NOT NULL,
  alert TEXT NOT NULL,
  target TEXT,
  state TEXT NOT NULL,
  reason TEXT,
  attempts INTEGER NOT NULL,
  next_at INTEGER,
  made_at TEXT NOT NULL,
  UNIQUE (id)
);
CREATE INDEX deliveries_due ON deliveries (market, next_at);
CREATE INDEX deliveries_order ON deliveries (market, subscription, state, seq);
CREATE INDEX deliveries_log ON deliveries (account, market, seq);
CREATE INDEX deliveries_age ON deliveries (market, made_at);

CREATE TABLE delivery_attempts (
  delivery TEXT NOT NULL,
  number INTEGER NOT NULL,
  at TEXT NOT NULL,
  status INTEGER,
  reason TEXT,
  ms INTEGER NOT NULL,
  PRIMARY KEY (delivery, number)
);
`;
