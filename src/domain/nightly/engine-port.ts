import type { CallOptions } from "../call-options.ts";
import type { EngineRow, RunFailure, RunHead, UniverseName } from "./engine.ts";
import type { RunStatus } from "./run-repository-port.ts";

/** Universe of a run, by name or by the symbols of a file. */
export type RunUniverse =
  | { readonly name: UniverseName }
  | { readonly name: `file:${string}`; readonly symbols: readonly string[] };

export interface RunRequest extends CallOptions {
  readonly universe: RunUniverse;
  /** True resumes an interrupted run of the same members and model. A new run starts if there is none. Default: false. */
  readonly resume?: boolean;
  /**
   * True writes rows while members are still being read, largest first, each without ranks, and later replaces them.
   * Default: false.
   */
  readonly early?: boolean;
  progress?(step: { readonly done: number; readonly total: number; readonly message: string }): void;
}

export interface RunReport {
  readonly head: RunHead;
  /** Finish time, ISO 8601 UTC. */
  readonly runAt: string;
  readonly resumed: boolean;
  readonly rows: readonly EngineRow[];
  readonly failures: readonly RunFailure[];
  /** Notes on stale bars; absent on current ones. */
  readonly stale_notes?: readonly string[] | undefined;
}

/** Runs of signals over whole universes, started by an operator. */
export interface Engine {
  /**
   * Computes every member as of the newest close. A symbol that fails is listed in `failures`. Rejects with
   * INVALID_INPUT for a universe without members, with UPSTREAM_UNAVAILABLE if no member could be computed or
   * most could not be read at this time, and with CANCELLED when interrupted; results computed until then stay stored.
   */
  run(request: RunRequest): Promise<RunReport>;
  /** Returns the universe of the newest interrupted run that can be resumed (same close and model); null if none. */
  stopped(): Promise<RunUniverse | null>;
  /** Returns the runs, newest first. */
  status(limit: number): Promise<readonly RunStatus[]>;
}
