import type { Timeframe } from "../market/bars.ts";
import type { MarketKind } from "../market/market.ts";
import type { EngineRun } from "./engine.ts";
import type { MomentumRanks, RunStatus } from "./run-repository-port.ts";

/** A finished nightly result of one symbol. */
export interface EngineResult {
  readonly run_id: string;
  readonly runAt: string;
  readonly score: number | null;
  readonly grade: string | null;
  readonly direction: "LONG" | "SHORT" | "WAIT";
}

/** Progress of a run: steps done of all, and when it began (epoch ms). `total` is 0 until the number of steps is known. */
export interface RunProgress {
  readonly done: number;
  readonly total: number;
  readonly startedAt: number;
}

/** The run in progress in this server. */
export interface RunWatch {
  /** Returns null if no run is in progress. */
  current(): RunProgress | null;
  /** Calls the listener when rows were written or a run ended, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Results of nightly runs, scheduled or run by hand. */
export interface EngineRuns {
  /** The run in progress in this server, for which calls may wait. Default: calls do not wait. */
  readonly ongoing?: RunWatch;
  /** Returns the newest finished result of one symbol; null if there is none. */
  latest(symbol: string, timeframe: Timeframe): Promise<EngineResult | null>;
  /**
   * Returns the newest finished run that covers the kind (`stocks` includes funds), with only the rows and failures of
   * that kind; null if there is none. Both kinds may come from one run over all symbols. A run over the symbols of a
   * file is never returned.
   */
  newest(timeframe: Timeframe, kind: MarketKind): Promise<EngineRun | null>;
  /** Returns the newest unfinished run that covers the kind, with the rows computed so far; null if there is none. */
  unfinished(timeframe: Timeframe, kind: MarketKind): Promise<EngineRun | null>;
  /** Returns the newest run over each universe, newest first. */
  recent(): Promise<readonly RunStatus[]>;
  /**
   * Returns the momentum ranks that the newest run over the kind stored for the newest daily bar that starts at `time`
   * (epoch ms) or within the seven days before; null if there are none.
   */
  ranks(kind: MarketKind, time: number): Promise<MomentumRanks | null>;
}
