import type { Migration } from "kysely";
import { accountsAndKeys } from "./0001-accounts-and-keys.ts";
import { engineResults } from "./0002-engine-results.ts";
import { a2aTasks } from "./0003-a2a-tasks.ts";
import { listings } from "./0004-listings.ts";
import { marketMemory } from "./0005-market-memory.ts";
import { engineRunsAndRows } from "./0006-engine-runs.ts";
import { trackRecordTables } from "./0007-track-record.ts";
import { backtestsTable } from "./0008-backtests.ts";
import { signalOrder } from "./0009-signal-order.ts";
import { runContent } from "./0010-run-content.ts";
import { resultsOfRun } from "./0011-results-of-run.ts";
import { optionDays } from "./0012-option-days.ts";
import { estimateSnapshots } from "./0013-estimate-snapshots.ts";
import { disclosures } from "./0014-disclosures.ts";
import { contractSnapshots } from "./0015-contract-snapshots.ts";
import { reportDates } from "./0016-report-dates.ts";
import { vendorCalls } from "./0017-vendor-calls.ts";

/** Every migration by name, in the order of the names. A published one never changes. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  "0001-accounts-and-keys": accountsAndKeys,
  "0002-engine-results": engineResults,
  "0003-a2a-tasks": a2aTasks,
  "0004-listings": listings,
  "0005-market-memory": marketMemory,
  "0006-engine-runs": engineRunsAndRows,
  "0007-track-record": trackRecordTables,
  "0008-backtests": backtestsTable,
  "0009-signal-order": signalOrder,
  "0010-run-content": runContent,
  "0011-results-of-run": resultsOfRun,
  "0012-option-days": optionDays,
  "0013-estimate-snapshots": estimateSnapshots,
  "0014-disclosures": disclosures,
  "0015-contract-snapshots": contractSnapshots,
  "0016-report-dates": reportDates,
  "0017-vendor-calls": vendorCalls,
};
