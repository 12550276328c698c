import type { Timeframe } from "../market/bars.ts";
import type { MarketKind } from "../market/market.ts";
import type { EngineRow, MarketIndexValue, RunFailure, RunHead } from "./engine.ts";

/** Market kind over which a run computed momentum ranks: crypto, or stocks and funds. */
export interface MomentumRanks {
  readonly kind: MarketKind;
  /** Start of the daily bar they are of, epoch ms. */
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
  /** Names the data it read, where a market's data may change; else null. */
  readonly content: string | null;
  /** When it was finished, ISO 8601 UTC; null while it is not. */
  readonly runAt: string | null;
  readonly members: number;
  /** How many members have a result. */
  readonly rows: number;
  readonly failures: number;
}

/** Storage of runs, written incrementally so that an interrupted run can resume. */
export interface RunRepository {
  begin(head: RunHead): Promise<void>;
  /** The newest run over these members that was begun with this model and never finished. */
  unfinished(
    of: Pick<RunHead, "universe" | "universe_hash" | "timeframe" | "model_version">,
  ): Promise<RunHead | null>;
  /** Runs that were begun with this model and never finished, newest first. */
  stopped(of: Pick<RunHead, "model_version">): Promise<readonly RunHead[]>;
  ranks(runId: string): Promise<readonly MomentumRanks[]>;
  saveRanks(runId: string, ranks: readonly MomentumRanks[]): Promise<void>;
  /** Symbols that have a result. */
  computedSymbols(runId: string): Promise<ReadonlySet<string>>;
  rows(runId: string): Promise<readonly EngineRow[]>;
  /** A second result of a symbol is passed over. */
  write(runId: string, rows: readonly EngineRow[]): Promise<void>;
  /** From now on everybody reads it, all at once. Does nothing to a run that is finished. */
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
