/** Orders, risk rules and the paper exchange; amounts are decimal text. */
export const TRADING_SQL = `
CREATE TABLE trade_tickets (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  connection TEXT NOT NULL,
  id TEXT NOT NULL,
  intent TEXT NOT NULL,
  shown TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  order_id TEXT,
  confirmed_at TEXT,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX trade_tickets_expiry ON trade_tickets (expires_at) WHERE order_id IS NULL;

CREATE TABLE trade_orders (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  connection TEXT NOT NULL,
  id TEXT NOT NULL,
  ticket TEXT NOT NULL,
  client_order_id TEXT NOT NULL,
  intent TEXT NOT NULL,
  state TEXT NOT NULL,
  broker_status TEXT,
  filled_quantity TEXT NOT NULL,
  average_price TEXT,
  fees TEXT NOT NULL,
  reason TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  number INTEGER DEFAULT 0 NOT NULL,
  PRIMARY KEY (account, market, id),
  UNIQUE (account, market, ticket)
);
CREATE INDEX trade_orders_created ON trade_orders (account, market, created_at);

CREATE TABLE trade_equity (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  connection TEXT NOT NULL,
  peak TEXT NOT NULL,
  day TEXT NOT NULL,
  before TEXT NOT NULL,
  last TEXT NOT NULL,
  PRIMARY KEY (account, market, connection)
);

CREATE TABLE trade_notes (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  order_id TEXT NOT NULL,
  note TEXT NOT NULL,
  noted_at TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);
CREATE INDEX trade_notes_order ON trade_notes (account, market, order_id);

CREATE TABLE synced_positions (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  connection TEXT NOT NULL,
  synced_at TEXT NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (account, market, connection)
);

CREATE TABLE imported_positions (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  label TEXT NOT NULL,
  told_at TEXT NOT NULL,
  positions TEXT NOT NULL,
  PRIMARY KEY (account, market, label)
);

CREATE TABLE risk_limits (
  account TEXT PRIMARY KEY,
  limits TEXT NOT NULL,
  set_at TEXT NOT NULL
);

CREATE TABLE kill_switches (
  account TEXT PRIMARY KEY,
  engaged INTEGER NOT NULL,
  since TEXT NOT NULL,
  reason TEXT
);

CREATE TABLE paper_books (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  version INTEGER NOT NULL,
  cash TEXT NOT NULL,
  fills INTEGER NOT NULL,
  opened_at TEXT NOT NULL,
  fill_model TEXT DEFAULT 'market' NOT NULL,
  PRIMARY KEY (account, connection, market)
);

CREATE TABLE paper_positions (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  quantity TEXT NOT NULL,
  cost TEXT NOT NULL,
  average_price TEXT,
  PRIMARY KEY (account, connection, market, symbol)
);

CREATE TABLE paper_orders (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  client_order_id TEXT NOT NULL,
  id TEXT NOT NULL,
  leg TEXT NOT NULL,
  parent TEXT,
  intent TEXT NOT NULL,
  status TEXT NOT NULL,
  filled_quantity TEXT NOT NULL,
  filled_value TEXT NOT NULL,
  fees TEXT NOT NULL,
  reason TEXT,
  triggered INTEGER NOT NULL,
  matched_to TEXT NOT NULL,
  expires_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (account, connection, market, client_order_id)
);
CREATE INDEX paper_orders_status ON paper_orders (account, connection, market, status);

CREATE TABLE paper_fills (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  number INTEGER NOT NULL,
  client_order_id TEXT NOT NULL,
  symbol TEXT NOT NULL,
  side TEXT NOT NULL,
  quantity TEXT NOT NULL,
  price TEXT NOT NULL,
  fee TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (account, connection, market, number)
);

CREATE TABLE paper_ledger (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  booking INTEGER NOT NULL,
  row INTEGER NOT NULL,
  ledger TEXT NOT NULL,
  symbol TEXT,
  amount TEXT NOT NULL,
  quantity TEXT,
  PRIMARY KEY (account, connection, market, booking, row)
);

CREATE TABLE paper_closes (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  day INTEGER NOT NULL,
  close TEXT NOT NULL,
  PRIMARY KEY (account, connection, market, symbol)
);

CREATE TABLE paper_splits (
  account TEXT NOT NULL,
  connection TEXT NOT NULL,
  market TEXT NOT NULL,
  number INTEGER NOT NULL,
  symbol TEXT NOT NULL,
  ratio TEXT NOT NULL,
  at TEXT NOT NULL,
  PRIMARY KEY (account, connection, market, number)
);
`;
