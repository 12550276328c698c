import type { ComputeHealth } from "./compute-port.ts";
import type { JobCount } from "./jobs-port.ts";
import type { StorageFault } from "./ports.ts";
import type { ProviderReport } from "./providers/provider-health-port.ts";

/** Number of connections of one process to PostgreSQL. */
export interface Connections {
  readonly open: number;
  readonly idle: number;
  /** Calls that wait for a connection. */
  readonly waiting: number;
}

/** State of a database that answers. All null for SQLite, which has the clock of this machine and no connections. */
export interface DatabaseProbe {
  /** Milliseconds by which the clock of this machine is ahead of that of the database. */
  readonly clock_offset_ms: number | null;
  readonly connections: Connections | null;
  /** false while the listener is lost, so that changes by other processes are not noticed. */
  readonly is_listening: boolean | null;
}

/** State of what a server depends on. */
export interface Dependencies {
  readonly storage: StorageFault | null;
  /** null: the database does not answer. */
  readonly database: DatabaseProbe | null;
  /** Free space on the disk of the data folder; null if its file system does not report it. */
  readonly disk_free_bytes: number | null;
  readonly compute: ComputeHealth;
  /** Providers called so far. */
  readonly providers: readonly Pick<ProviderReport, "name" | "answering">[];
}

/** Items of a queue that are due and have not begun. */
export interface QueueState {
  readonly queue: string;
  /** Number of items. */
  readonly due: number;
  /** Milliseconds for which the oldest item has been due; 0 without items. */
  readonly oldest_ms: number;
}

/** What the operator of a server watches. */
export interface Operation {
  /** Returns the state of the dependencies, at most a second old. Never rejects. */
  dependencies(): Promise<Dependencies>;
  /** Returns the state of each queue, at most a second old; empty while the database does not answer. Never rejects. */
  queues(): Promise<readonly QueueState[]>;
  /** Returns the number of jobs by kind and state, like `queues`. */
  jobs(): Promise<readonly JobCount[]>;
  /** Returns true if this process runs the background work. */
  isLeader(): boolean;
  /** Returns the result of the last check of the audit log by this process; null before the first. */
  isAuditIntact(): boolean | null;
}
