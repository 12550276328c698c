import type { INITIAL_TABLES } from "./migrations/0001-initial.ts";
import type { BASE_TABLES } from "./migrations/0002-base-results.ts";
import type { PRINT_TABLES } from "./migrations/0003-prints.ts";
import type { RowsOf } from "./table.ts";

/**
 * Rows of the current tables: text, integers and doubles only, times as ISO 8601 UTC text unless a comment says
 * otherwise. The types are those of the tables that each migration adds; if a later migration changes a table, its type
 * is overridden here.
 */
export type Schema = RowsOf<typeof INITIAL_TABLES & typeof BASE_TABLES & typeof PRINT_TABLES>;
