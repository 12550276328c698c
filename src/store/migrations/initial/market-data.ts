/** Data of the providers, stored by market. */
export const MARKET_DATA_SQL = `
CREATE TABLE listings (
  market TEXT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  fetched_at TEXT NOT NULL,
  count INTEGER NOT NULL,
  listed TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (market, kind)
);

CREATE TABLE kept_quotes (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  fetched_at TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, symbol)
);
CREATE INDEX kept_quotes_newest ON kept_quotes (market, fetched_at);

CREATE TABLE kept_bars (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  timeframe TEXT NOT NULL,
  fetched_at TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, symbol, timeframe)
);
CREATE INDEX kept_bars_newest ON kept_bars (market, fetched_at);

CREATE TABLE disagreements (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  at TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, symbol, at)
);

CREATE TABLE vendor_calls (
  vendor TEXT NOT NULL,
  at INTEGER NOT NULL
);
CREATE INDEX vendor_calls_at ON vendor_calls (vendor, at);

CREATE TABLE flow_snapshots (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  at TEXT NOT NULL,
  day TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, symbol, at)
);
CREATE INDEX flow_snapshots_by_day ON flow_snapshots (market, symbol, day, at);

CREATE TABLE put_call_days (
  market TEXT NOT NULL,
  day TEXT NOT NULL,
  at TEXT NOT NULL,
  source TEXT NOT NULL,
  said TEXT,
  PRIMARY KEY (market, day)
);

CREATE TABLE estimate_snapshots (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  source TEXT NOT NULL,
  period TEXT NOT NULL,
  day TEXT NOT NULL,
  taken_at TEXT NOT NULL,
  eps DOUBLE PRECISION,
  revenue DOUBLE PRECISION,
  PRIMARY KEY (market, symbol, source, period, day)
);

CREATE TABLE report_dates (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  noted_at TEXT NOT NULL,
  source TEXT NOT NULL,
  date TEXT NOT NULL,
  hour TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  PRIMARY KEY (market, symbol, noted_at)
);

CREATE TABLE contract_snapshots (
  market TEXT NOT NULL,
  symbol TEXT NOT NULL,
  at TEXT NOT NULL,
  said TEXT NOT NULL,
  PRIMARY KEY (market, symbol, at)
);

CREATE TABLE disclosures (
  market TEXT NOT NULL,
  source TEXT NOT NULL,
  id TEXT NOT NULL,
  chamber TEXT NOT NULL,
  ticker TEXT,
  filing_date TEXT NOT NULL,
  member_id TEXT,
  said TEXT NOT NULL,
  PRIMARY KEY (market, source, id)
);
CREATE INDEX disclosures_filed ON disclosures (market, source, chamber, filing_date);

CREATE TABLE disclosure_filings (
  market TEXT NOT NULL,
  source TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  chamber TEXT NOT NULL,
  filing_date TEXT,
  again INTEGER NOT NULL,
  unread TEXT,
  PRIMARY KEY (market, source, doc_id)
);

CREATE TABLE disclosure_sources (
  market TEXT NOT NULL,
  source TEXT NOT NULL,
  chamber TEXT NOT NULL,
  told_at TEXT,
  refreshed_at TEXT,
  complete_from TEXT,
  PRIMARY KEY (market, source, chamber)
);
`;
