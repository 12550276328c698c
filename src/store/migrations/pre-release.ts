import { SetupError } from "../../lib/setup-error.ts";
import { Database } from "../sqlite/database.ts";
import { INITIAL_SQL } from "./0001-initial.ts";
import { describeSchema } from "./describe-schema.ts";

/**
 * Names of the migrations of version 0.1.0 before its first release; together they create the schema of `0001-initial`.
 */
const PRE_RELEASE: readonly string[] = [
  "0001-accounts-and-keys",
  "0002-engine-results",
  "0003-a2a-tasks",
  "0004-listings",
  "0005-market-memory",
  "0006-engine-runs",
  "0007-track-record",
  "0008-backtests",
  "0009-signal-order",
  "0010-run-content",
  "0011-results-of-run",
  "0012-option-days",
  "0013-estimate-snapshots",
  "0014-disclosures",
  "0015-contract-snapshots",
  "0016-report-dates",
  "0017-vendor-calls",
  "0018-connections",
  "0019-paper-books",
  "0020-trade-book",
  "0021-synced-positions",
  "0022-trade-rules",
  "0023-audit",
  "0024-idempotency",
  "0025-paper-splits",
  "0026-imported-positions",
  "0027-trade-notes",
  "0028-paper-average",
  "0029-ticket-expiry",
  "0030-secrets-and-receipts",
  "0031-alerts",
  "0032-automation",
  "0033-paper-fills",
  "0034-a2a-push",
];

/** Last commit of version 0.1.0 that brings an older pre-release database to the 34 migrations above. */
const LAST_PRE_RELEASE_COMMIT = "23e8852";

/**
 * Returns true for a database written by version 0.1.0 before its first release; `recorded` lists the names of its
 * migrations.
 * @throws SetupError when only some of the 34 migrations ran, or when the schema differs from `0001-initial`.
 */
export function isPreRelease(raw: Database, recorded: readonly string[]): boolean {
  if (recorded.length === 0 || !recorded.every((name) => PRE_RELEASE.includes(name))) return false;
  if (recorded.length < PRE_RELEASE.length)
    throw new SetupError(
      `The database ${raw.name} was written by an early pre-release (last migration ${recorded.at(-1)}). Start Market Signal 0.1.0 from commit ${LAST_PRE_RELEASE_COMMIT} once with this folder, then start this version again, or set DATA_DIR to a new folder`,
    );
  const differences = differingTables(raw);
  if (differences.length > 0)
    throw new SetupError(
      `The database ${raw.name} records all pre-release migrations, but its schema differs (${differences.join(", ")}). Restore a backup, or set DATA_DIR to a new folder`,
    );
  return true;
}

/** Records `0001-initial` in place of the 34 pre-release migrations, in the caller's transaction. No table or row changes. */
export function adoptPreRelease(raw: Database, now: Date): void {
  raw.exec("DELETE FROM kysely_migration");
  raw
    .prepare("INSERT INTO kysely_migration (name, timestamp) VALUES ('0001-initial', ?)")
    .run(now.toISOString());
}

/**
 * Returns the names of tables, views and triggers that differ from a new database, including missing and additional
 * ones.
 */
function differingTables(raw: Database): readonly string[] {
  const fresh = new Database(":memory:");
  try {
    fresh.exec(INITIAL_SQL.join(";"));
    const [expected, actual] = [describeSchema(fresh), describeSchema(raw)];
    const names = new Set([...expected.keys(), ...actual.keys()]);
    return [...names].filter((name) => expected.get(name) !== actual.get(name)).sort();
  } finally {
    fresh.close();
  }
}
