import type { Instrument } from "../market/market.ts";
import type { LevelSnapshot } from "./contracts.ts";

/** Prediction markets on price levels as they were kept, since venues tell the present alone. */
export interface ContractSnapshotRepository {
  /** The newest snapshot kept within [since, until], epoch ms; null where there is none. */
  newest(
    symbol: string,
    range: { readonly since: number; readonly until: number },
  ): Promise<LevelSnapshot | null>;
  /** When the oldest snapshot that is held was kept, epoch ms; null where none is. */
  oldestSavedAt(symbol: string): Promise<number | null>;
  /**
   * Keeps a snapshot, unless one of the quarter of an hour before is held: what was kept never changes. One that cannot be kept is
   * logged and lost.
   */
  save(symbol: string, snapshot: LevelSnapshot): Promise<void>;
}

/** What was kept, for whoever decides on it, and the wish for more. */
export interface ContractHistory extends ContractSnapshotRepository {
  /** Has the contracts of now kept for decisions to come, in the background; where they are told of the past, nothing. */
  wanted(instrument: Instrument): void;
}
