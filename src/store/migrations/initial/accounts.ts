import { column, integer, integerOrNull, owned, table, text, textOrNull } from "../../table.ts";

/** Accounts, the hashes of their API keys and idempotent requests. */
export const ACCOUNT_TABLES = {
  accounts: table("PRIMARY KEY (id)", {
    id: text,
    plan: text,
    /** JSON `{"terms": "<row of the plan schedule>"}`. */
    overrides: textOrNull,
    created_at: text,
  }),
  /** Hashes of API keys; `scopes` are separated by spaces. */
  keys: table("PRIMARY KEY (id), UNIQUE (hash)", {
    id: text,
    account: column<string>("TEXT NOT NULL REFERENCES accounts (id)"),
    name: text,
    kind: text,
    hash: text,
    last4: text,
    scopes: text,
    created_at: text,
    expires_at: textOrNull,
    revoked_at: textOrNull,
    replaced_by: textOrNull,
    grace_until: textOrNull,
  }),
  /** Idempotent requests and their stored responses; times are epoch ms, `headers` is JSON. */
  idempotency: table("PRIMARY KEY (account, market, key)", {
    ...owned,
    /** Chosen by the caller. */
    key: text,
    /** Keyed hash of route and input. */
    hash: text,
    /** The only run that may store its response. */
    holder: text,
    /** Time after which the holder counts as dead. */
    held_until: integer,
    expires_at: integer,
    /** Null until the response is stored. */
    status: integerOrNull,
    headers: textOrNull,
    body: textOrNull,
  }),
};

export const ACCOUNT_INDEXES = [
  "CREATE INDEX keys_of_account ON keys (account, created_at, id)",
  "CREATE INDEX idempotency_expiry ON idempotency (expires_at)",
];
