import type { JobClaim } from "../jobs-port.ts";
import type { Timeframe } from "../market/bars.ts";
import type { MarketKind } from "../market/market.ts";
import type { EngineRow, MarketIndexValue, RunFailure, RunHead } from "./engine.ts";

/** Market kind over which a run computed momentum ranks: crypto, or stocks and funds. */
export interface MomentumRanks {
  readonly kind: MarketKind;
  /** Start of their daily bar, epoch ms. */
  readonly time: number;
  readonly hash: string;
  /** 12-1 month return by symbol, as a fraction. */
  readonly returns: Readonly<Record<string, number>>;
}

/** A run as the operator sees it. */
export interface RunStatus {
  readonly run_id: string;
  readonly universe: string;
  readonly timeframe: Timeframe;
  readonly as_of: string;
  readonly started_at: string;
  /** Identifies the data it read, for a market whose data may change; otherwise null. */
  readonly content: string | null;
  /** Finish time, ISO 8601 UTC; null before. */
  readonly runAt: string | null;
  readonly members: number;
  /** Number of members with a result. */
  readonly rows: number;
  readonly failures: number;
}

/** Storage of runs, written incrementally so that an interrupted run can resume. */
export interface RunRepository {
  begin(head: RunHead): Promise<void>;
  /** Returns the newest unfinished run over these members with this model; null if none. */
  unfinished(
    of: Pick<RunHead, "universe" | "universe_hash" | "timeframe" | "model_version">,
  ): Promise<RunHead | null>;
  /** Returns an unfinished run; null if it is finished or was deleted. */
  open(runId: string): Promise<RunHead | null>;
  /** Returns the unfinished runs with this model, newest first. */
  stopped(of: Pick<RunHead, "model_version">): Promise<readonly RunHead[]>;
  ranks(runId: string): Promise<readonly MomentumRanks[]>;
  saveRanks(runId: string, ranks: readonly MomentumRanks[]): Promise<void>;
  /** Returns the symbols with a result, without those of early rows. */
  computedSymbols(runId: string): Promise<ReadonlySet<string>>;
  /** Returns the results without early rows. */
  rows(runId: string): Promise<readonly EngineRow[]>;
  /**
   * Ignores a second result of a symbol; replaces its early row. `end` ends the job that computed the rows in the same
   * transaction. Returns false if another process has taken that job; then nothing is written.
   */
  write(
    runId: string,
    rows: readonly EngineRow[],
    end?: { readonly claim: JobClaim; readonly result: unknown; readonly now: Date },
  ): Promise<boolean>;
  /** Writes rows of an unfinished run, and the index over them, for callers that have no finished run to read. */
  writeEarly(runId: string, rows: readonly EngineRow[], index: MarketIndexValue | null): Promise<void>;
  /** Publishes the run atomically, without early rows. Does nothing if it is finished. */
  finish(
    runId: string,
    end: {
      readonly runAt: string;
      readonly failures: readonly RunFailure[];
      readonly index: MarketIndexValue | null;
    },
  ): Promise<void>;
  /** Newest first. */
  status(limit: number): Promise<readonly RunStatus[]>;
}
