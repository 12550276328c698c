/** Accounts, the hashes of their API keys and idempotent requests. */
export const ACCOUNTS_SQL = `
CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY,
  plan TEXT NOT NULL,
  overrides TEXT,
  created_at TEXT NOT NULL
);

CREATE TABLE keys (
  id TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  last4 TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT,
  revoked_at TEXT,
  replaced_by TEXT,
  grace_until TEXT
);
CREATE INDEX keys_of_account ON keys (account, created_at, id);

CREATE TABLE idempotency (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  key TEXT NOT NULL,
  hash TEXT NOT NULL,
  holder TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  status INTEGER,
  headers TEXT,
  body TEXT,
  PRIMARY KEY (account, market, key)
);
CREATE INDEX idempotency_expiry ON idempotency (expires_at);
`;
