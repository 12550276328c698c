import type { CopyReport, DatabaseCheck, MigrationReport } from "../../domain/backups/database-copy.ts";
import type { Progress } from "../../kernel/tool.ts";

/** Commands on the database itself. */
export interface DatabaseAdmin {
  /** Applies missing migrations, also while servers run. */
  migrate(): Promise<MigrationReport>;
  /**
   * Copies the database to an address of PostgreSQL, or to `sqlite` in the data folder, while no server uses either. If it
   * fails, nothing is written. Rejects with SetupError if a server uses one of them, the target is not empty, or migrations are
   * missing.
   */
  copy(options: { readonly to: string; readonly progress?: (step: Progress) => void }): Promise<CopyReport>;
  /** Checks migrations, row numbers, the SQLite file and the audit log. `against`: another database to compare with. */
  check(options: {
    readonly against?: string | undefined;
    readonly progress?: (step: Progress) => void;
  }): Promise<DatabaseCheck>;
}

/** The open database of an installation. */
export interface OpenedDatabase {
  /** `file`: path of the SQLite database; null for PostgreSQL. */
  readonly store: { readonly file: string | null };
}
