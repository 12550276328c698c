import type { AuditTables } from "./audit-tables.ts";
import type { IdempotencyTables } from "./idempotency-tables.ts";
import type { PaperTables } from "./paper-tables.ts";
import type { ToldTables } from "./told-tables.ts";
import type { TradeTables } from "./trade-tables.ts";
import type { VaultTables } from "./vault-tables.ts";

/** Tables of what accounts own and do. */
export interface AccountTables
  extends AuditTables,
    IdempotencyTables,
    PaperTables,
    ToldTables,
    TradeTables,
    VaultTables {}
