import type { Instrument } from "../market/market.ts";
import type { LevelSnapshot } from "./contracts.ts";

/** Stored snapshots of prediction markets on price levels; venues publish only current prices. */
export interface ContractSnapshotRepository {
  /** Returns the newest snapshot stored within [since, until], epoch ms; null if none. */
  newest(
    symbol: string,
    range: { readonly since: number; readonly until: number },
  ): Promise<LevelSnapshot | null>;
  /** Returns the time at which the oldest available snapshot was stored, epoch ms; null if none. */
  oldestSavedAt(symbol: string): Promise<number | null>;
  /**
   * Stores a snapshot unless one was stored in the last 15 minutes; stored snapshots never change. If the write fails,
   * the failure is logged and the snapshot is lost.
   */
  save(symbol: string, snapshot: LevelSnapshot): Promise<void>;
}

/** Stored contract snapshots for decisions, with a way to request more. */
export interface ContractHistory extends ContractSnapshotRepository {
  /** Stores the current contracts for future decisions, in the background; does nothing if the venues publish history. */
  requestSnapshot(instrument: Instrument): void;
}
