import { column, owned, table, text } from "../../table.ts";

/** Sealed secrets and the audit log. */
export const SECURITY_TABLES = {
  /** Broker connections; `sealed` holds the credentials. */
  connections: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    broker: text,
    account_type: text,
    account_mask: text,
    connected_at: text,
    checked_at: text,
    sealed: text,
  }),
  /** Secrets sealed by the vault. */
  sealed_secrets: table("PRIMARY KEY (account, name)", {
    account: text,
    name: text,
    sealed: text,
  }),
  /** At most one row: the id of the master key that wraps every data key. */
  vault_key: table("", {
    one: column<number>("INTEGER PRIMARY KEY"),
    id: text,
  }),
  /** Audit entries, chained by `previous` and `mac`; never updated. */
  audit_log: table("", {
    seq: column<number>("INTEGER PRIMARY KEY"),
    at: text,
    ...owned,
    event: text,
    /** JSON with sorted keys. */
    about: text,
    /** Id of the key of `mac`. */
    key: text,
    previous: text,
    mac: text,
  }),
  /** At most one row: the sealed key of the audit log. */
  audit_key: table("", {
    one: column<number>("INTEGER PRIMARY KEY"),
    sealed: text,
  }),
};
