import { z } from "zod";
import { HIDDEN, isPostgresUrl } from "./setting-values.ts";

const address = z
  .string()
  .trim()
  .refine(isPostgresUrl, "must be an address such as postgres://user:password@host:5432/market_signal")
  .optional()
  .meta(HIDDEN);

/** Settings of PostgreSQL. None of them can be changed by a request. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: address.describe(
    "Address of a database of PostgreSQL 14 or later that holds all data but keys and settings. Default: SQLite in DATA_DIR",
  ),
  DATABASE_DIRECT_URL: address.describe(
    "Address of the same database without a pooler in transaction mode, for messages between servers and for migrations. Default: DATABASE_URL",
  ),
} as const;
