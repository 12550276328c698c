import type { AlertTables } from "./alert-tables.ts";
import type { AuditTables } from "./audit-tables.ts";
import type { AutomationTables } from "./automation-tables.ts";
import type { IdempotencyTables } from "./idempotency-tables.ts";
import type { PaperTables } from "./paper-tables.ts";
import type { PushTables } from "./push-tables.ts";
import type { ReceiptTables } from "./receipt-tables.ts";
import type { ToldTables } from "./told-tables.ts";
import type { TradeTables } from "./trade-tables.ts";
import type { VaultTables } from "./vault-tables.ts";

/** Tables of what accounts own and do. */
export interface AccountTables
  extends AlertTables,
    AuditTables,
    AutomationTables,
    IdempotencyTables,
    PaperTables,
    PushTables,
    ReceiptTables,
    ToldTables,
    TradeTables,
    VaultTables {}
