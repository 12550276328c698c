import type { Kysely } from "kysely";
import type { Windows } from "../domain/accounts/windows-port.ts";
import type { DatabaseProbe } from "../domain/operation-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, StorageHealth } from "../domain/ports.ts";
import type { Schema } from "./schema.ts";
import type { Upkeep } from "./upkeep/upkeep.ts";

/** Rate windows, which the caller has to close. */
export type RateLimits = Windows & { close(): Promise<void> };

/** The processes of all servers on one database of PostgreSQL. */
export interface Replicas {
  readonly peers: Peers;
  /** Starts to receive the requests of the other processes. */
  join(): Promise<void>;
  /**
   * Runs the background work while this process is the leader: calls `start` when it becomes the leader, and the function
   * that `start` returned when it no longer is. Returns a function that ends the work and gives up the leadership.
   */
  lead(start: () => () => Promise<void>): () => Promise<void>;
  /** Returns true while this process is the leader. */
  leads(): boolean;
}

/** The open database of the installation, of SQLite or PostgreSQL. */
export interface Store {
  /** Clock with the time of PostgreSQL, which all servers share; null for SQLite, whose processes share a machine. */
  readonly clock: Clock | null;
  /** Path of the SQLite database; null for PostgreSQL. */
  readonly file: string | null;
  readonly db: Kysely<Schema>;
  /** The same database for background work, whose writes fail once another process is the leader. */
  readonly backgroundDb: Kysely<Schema>;
  /** Null for SQLite, which only one server uses. */
  readonly replicas: Replicas | null;
  readonly health: StorageHealth;
  readonly upkeep: Upkeep;
  openRateLimits(): Promise<RateLimits>;
  /** Returns a text that differs after every change of the database, by this process or another. */
  version(): string;
  /** Queries the database and returns its state. Rejects if it does not answer. */
  probe(): Promise<DatabaseProbe>;
  /** Waits up to 10 s while another process holds the write lock. @throws SetupError when it stays taken */
  waitForWriteLock(): Promise<void>;
  close(): Promise<void>;
}
