import type { CallOptions } from "../ports.ts";
import type { EngineRow, RunFailure, RunHead, UniverseName } from "./engine.ts";
import type { RunStatus } from "./run-repository-port.ts";

/** Over whom a run goes: a universe by name, or the names in a file. */
export type RunUniverse =
  | { readonly name: UniverseName }
  | { readonly name: `file:${string}`; readonly symbols: readonly string[] };

export interface RunRequest extends CallOptions {
  readonly universe: RunUniverse;
  /** Whether a run over it that was stopped goes on; without one, or with other members or another model, a run begins. */
  readonly resume?: boolean;
  progress?(step: { readonly done: number; readonly total: number; readonly message: string }): void;
}

/** What a run came to. */
export interface RunReport {
  readonly head: RunHead;
  /** When it was finished, ISO 8601 UTC. */
  readonly runAt: string;
  /** Whether it went on where another had stopped. */
  readonly resumed: boolean;
  readonly rows: readonly EngineRow[];
  readonly failures: readonly RunFailure[];
}

/** Runs over whole universes, as an operator asks for them. */
export interface Engine {
  /**
   * Computes every member as of the newest close. A symbol that fails is a failure of its own. Rejects with
   * INVALID_INPUT for a universe without members, with UPSTREAM_UNAVAILABLE where no member could be computed or
   * most could not be read just now, and with CANCELLED when interrupted; what was computed until then is kept.
   */
  run(request: RunRequest): Promise<RunReport>;
  /** Over whom the newest run goes that was stopped and can go on: it is of the newest close and of this model. Null for none. */
  stopped(): Promise<RunUniverse | null>;
  /** Runs, newest first. */
  status(limit: number): Promise<readonly RunStatus[]>;
}
