import type { AuditReport } from "../audit/audit-port.ts";
import type { DataVersion } from "./data-version.ts";

/** Number of rows of a table, and a hash of their values that does not depend on the engine and the order of rows. */
export interface TableContents {
  readonly table: string;
  readonly rows: number;
  readonly sha256: string;
}

/** A value that the other engine cannot store. */
export interface UnstorableValue {
  readonly table: string;
  /** Columns of the primary key, and their values in the row. */
  readonly key: Readonly<Record<string, string | number | null>>;
  readonly column: string;
  readonly reason: string;
}

/** The sequence from which a table takes its row numbers. */
export interface Sequence {
  readonly table: string;
  /** Last number that was given; 0 before the first. */
  readonly last: number;
  /** Highest number of a row; 0 without rows. */
  readonly highest: number;
}

/** Result of `db copy`. */
export interface CopyReport {
  readonly from: string;
  readonly to: string;
  /** False if values cannot be stored: nothing was written then. */
  readonly copied: boolean;
  /** Every table, equal on both sides by rows and hash; empty if nothing was copied. */
  readonly tables: readonly TableContents[];
  readonly sequences: readonly Sequence[];
  /** Number of copied quota counters: those with a window over an hour. */
  readonly counters: number;
  readonly unstorable: readonly UnstorableValue[];
  readonly seconds: number;
}

/** One table of two databases; null on the side that lacks it. */
export interface TableComparison {
  readonly table: string;
  readonly equal: boolean;
  readonly here: TableContents | null;
  readonly there: TableContents | null;
}

/** Result of `db check`. */
export interface DatabaseCheck {
  readonly database: string;
  readonly ok: boolean;
  readonly migrations: DataVersion;
  /** Sequences whose last number is below the highest row number, so that a number would be given twice. */
  readonly sequences_behind: readonly Sequence[];
  /** Result of the integrity check of SQLite; null if it is intact, and for PostgreSQL, which has checksums of its own. */
  readonly damage: string | null;
  /** Null while migrations are missing, as the log is then not read. */
  readonly audit: AuditReport | null;
  readonly tables: readonly TableContents[];
  /** Comparison with another database; null without one. */
  readonly against: { readonly database: string; readonly tables: readonly TableComparison[] } | null;
}

/** Result of `db migrate`. */
export interface MigrationReport {
  readonly database: string;
  /** Migrations applied now, in their order. */
  readonly applied: readonly string[];
  /** Name of the newest migration. */
  readonly data_version: string;
}
