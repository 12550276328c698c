import type { Kysely } from "kysely";
import type { Windows } from "../domain/accounts/windows-port.ts";
import type { DatabaseProbe } from "../domain/operation-port.ts";
import type { Peers } from "../domain/peers-port.ts";
import type { Clock, StorageHealth } from "../domain/ports.ts";
import type { Schema } from "./schema.ts";
import type { Upkeep } from "./upkeep/upkeep.ts";

/** Rate windows that are open until they are closed. */
export type RateLimits = Windows & { close(): Promise<void> };

/** The processes of all servers on one database of PostgreSQL. */
export interface Replicas {
  readonly peers: Peers;
  /** Takes part: from now on, the other processes send their requests to this one as well. */
  join(): Promise<void>;
  /**
   * Runs the background work in one process of all: `start` is called whenever this one becomes the leader, and what it
   * returns once it no longer leads. Returns a function that gives the leadership up.
   */
  lead(start: () => () => Promise<void>): () => Promise<void>;
  /** Returns true while this process does the background work. */
  leads(): boolean;
}

/** The open database of the installation, of SQLite or PostgreSQL. */
export interface Store {
  /** The time that all servers share, which is that of PostgreSQL; null for SQLite, whose processes share a machine. */
  readonly clock: Clock | null;
  /** Path of the database; null for PostgreSQL. */
  readonly file: string | null;
  readonly db: Kysely<Schema>;
  /** The same database for what the background work writes: nothing is stored once another process has taken it over. */
  readonly backgroundDb: Kysely<Schema>;
  /** null for SQLite, which one server uses. */
  readonly replicas: Replicas | null;
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
