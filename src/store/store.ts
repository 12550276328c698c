import type { Kysely } from "kysely";
import type { Windows } from "../domain/accounts/windows-port.ts";
import type { DatabaseProbe } from "../domain/operation-port.ts";
import type { StorageHealth } from "../domain/ports.ts";
import type { Schema } from "./schema.ts";
import type { Upkeep } from "./upkeep/upkeep.ts";

/** Rate windows that are open until they are closed. */
export type RateLimits = Windows & { close(): Promise<void> };

/** The open database of the installation, of SQLite or PostgreSQL. */
export interface Store {
  /** Path of the database; null for PostgreSQL. */
  readonly file: string | null;
  readonly db: Kysely<Schema>;
  readonly health: StorageHealth;
  readonly upkeep: Upkeep;
  openRateLimits(): Promise<RateLimits>;
  /** Returns a text that differs after every change of the database, by this process or another. */
  version(): string;
  /** Asks the database for an answer. Rejects if it gives none. */
  probe(): Promise<DatabaseProbe>;
  /** Waits up to 10 s while another process holds the write lock. @throws SetupError when it stays taken */
  waitForWriteLock(): Promise<void>;
  close(): Promise<void>;
}
