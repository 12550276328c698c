import { z } from "zod";
import { HIDDEN, isPostgresUrl, POSTGRES_FORM } from "./setting-values.ts";

const address = z.string().trim().refine(isPostgresUrl, `must be ${POSTGRES_FORM}`).optional().meta(HIDDEN);

/** Settings of PostgreSQL. None of them can be changed by a request. */
export const DATABASE_SETTINGS = {
  DATABASE_URL: address.describe(
    "Address of a PostgreSQL database, version 14 or later, that stores all data except the master key, settings and imported bars. Default: SQLite in DATA_DIR",
  ),
  DATABASE_DIRECT_URL: address.describe(
    "Address of the same database without a pooler in transaction mode, for messages between servers, migrations and backups. Default: DATABASE_URL",
  ),
} as const;
