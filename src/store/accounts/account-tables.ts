import type { AutomationTables } from "../agents/automation-tables.ts";
import type { AlertTables } from "../alerts/alert-tables.ts";
import type { OwnerDataTables } from "../alerts/owner-data-tables.ts";
import type { PushTables } from "../alerts/push-tables.ts";
import type { AuditTables } from "../audit/audit-tables.ts";
import type { ReceiptTables } from "../receipts/receipt-tables.ts";
import type { PaperTables } from "../trading/paper-tables.ts";
import type { TradeTables } from "../trading/trade-tables.ts";
import type { VaultTables } from "../vault/vault-tables.ts";
import type { IdempotencyTables } from "./idempotency-tables.ts";

/** Tables of what accounts own and do. */
export interface AccountTables
  extends AlertTables,
    AuditTables,
    AutomationTables,
    IdempotencyTables,
    PaperTables,
    PushTables,
    ReceiptTables,
    OwnerDataTables,
    TradeTables,
    VaultTables {}
