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
import { connectionsTables } from "./0018-connections.ts";
import { paperTables } from "./0019-paper-books.ts";
import { tradeTables } from "./0020-trade-book.ts";
import { syncedPositions } from "./0021-synced-positions.ts";
import { tradeRulesTables } from "./0022-trade-rules.ts";
import { auditTables } from "./0023-audit.ts";
import { idempotencyTable } from "./0024-idempotency.ts";
import { paperSplits } from "./0025-paper-splits.ts";
import { importedPositions } from "./0026-imported-positions.ts";
import { tradeNotesTable } from "./0027-trade-notes.ts";
import { paperAverage } from "./0028-paper-average.ts";
import { ticketExpiry } from "./0029-ticket-expiry.ts";
import { secretsAndReceipts } from "./0030-secrets-and-receipts.ts";
import { alerts } from "./0031-alerts.ts";
import { automationTables } from "./0032-automation.ts";
import { paperFills } from "./0033-paper-fills.ts";
import { a2aPushTable } from "./0034-a2a-push.ts";

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
  "0018-connections": connectionsTables,
  "0019-paper-books": paperTables,
  "0020-trade-book": tradeTables,
  "0021-synced-positions": syncedPositions,
  "0022-trade-rules": tradeRulesTables,
  "0023-audit": auditTables,
  "0024-idempotency": idempotencyTable,
  "0025-paper-splits": paperSplits,
  "0026-imported-positions": importedPositions,
  "0027-trade-notes": tradeNotesTable,
  "0028-paper-average": paperAverage,
  "0029-ticket-expiry": ticketExpiry,
  "0030-secrets-and-receipts": secretsAndReceipts,
  "0031-alerts": alerts,
  "0032-automation": automationTables,
  "0033-paper-fills": paperFills,
  "0034-a2a-push": a2aPushTable,
};
