/** Sealed secrets and the audit log. */
export const SECURITY_SQL = `
CREATE TABLE connections (
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  id TEXT NOT NULL,
  broker TEXT NOT NULL,
  account_type TEXT NOT NULL,
  account_mask TEXT NOT NULL,
  connected_at TEXT NOT NULL,
  checked_at TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (account, market, id)
);

CREATE TABLE sealed_secrets (
  account TEXT NOT NULL,
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (account, name)
);

CREATE TABLE vault_key (
  one INTEGER PRIMARY KEY,
  id TEXT NOT NULL
);

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  account TEXT NOT NULL,
  market TEXT NOT NULL,
  event TEXT NOT NULL,
  about TEXT NOT NULL,
  key TEXT NOT NULL,
  previous TEXT NOT NULL,
  mac TEXT NOT NULL
);

CREATE TABLE audit_key (
  one INTEGER PRIMARY KEY,
  sealed TEXT NOT NULL
);
`;
