/** Audit log entries, chained by their codes, and the sealed key of the log. */
export interface AuditTables {
  readonly audit_log: AuditLogTable;
  readonly audit_key: AuditKeyTable;
}

/** Never updated. */
interface AuditLogTable {
  readonly seq: number;
  readonly at: string;
  readonly account: string;
  readonly market: string;
  readonly event: string;
  /** JSON with sorted keys. */
  readonly about: string;
  /** Id of the key of `mac`. */
  readonly key: string;
  readonly previous: string;
  readonly mac: string;
}

/** One row at most. */
interface AuditKeyTable {
  readonly one: number;
  /** As the vault sealed it. */
  readonly sealed: string;
}
