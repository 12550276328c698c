import type { Amount } from "./trading.ts";

/** What the signal said when a position was first seen; what came of it since is told against this. */
export interface Opening {
  /** Close of the bar it was decided on, or when the order was made where no signal could be read; ISO 8601 UTC. */
  readonly at: string;
  /** null where no signal could be read. */
  readonly direction: "LONG" | "SHORT" | "WAIT" | null;
  readonly grade: string | null;
  readonly score: number | null;
  /** Stop of the side that is held, US dollars; null where there is none of that side. */
  readonly stop: number | null;
  /** Whose stop it is: that of the order which opened the position before that of the signal. */
  readonly stopSource: "order" | "signal" | null;
}

/** A position as it was last told by its broker. */
export interface PositionRecord {
  readonly symbol: string;
  /** Below 0: sold short. */
  readonly quantity: Amount;
  readonly averagePrice: Amount;
  /** When it was first seen on this side, ISO 8601 UTC. */
  readonly since: string;
  /** null where neither a signal nor an order of ours could be read then. */
  readonly opening: Opening | null;
}

/** All positions of one connection at one moment. */
export interface SyncedPositions {
  readonly connection: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly positions: readonly PositionRecord[];
  /** How many were kept that do not read as positions any more; left out where none. */
  readonly unread?: number;
}

/** Positions of an account elsewhere, as its owner told them. */
export interface ImportedPositions {
  /** What the owner calls the account. */
  readonly label: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly positions: readonly PositionRecord[];
  /** How many were kept that do not read as positions any more; left out where none. */
  readonly unread?: number;
}

/** Positions of accounts in this market: as their brokers last told them, and as was told of accounts elsewhere. */
export interface PositionRepository {
  /** In place of what was kept of the connection, unless that is newer. */
  saveSynced(account: string, synced: SyncedPositions): Promise<void>;
  listSynced(account: string): Promise<readonly SyncedPositions[]>;
  removeSynced(account: string, connection: string): Promise<void>;
  /** In place of what was told under the label before. Rejects with REFUSED where there are too many labels. */
  saveImported(account: string, imported: ImportedPositions): Promise<void>;
  /** By label. */
  listImported(account: string): Promise<readonly ImportedPositions[]>;
  /** Whether there was anything under the label. */
  removeImported(account: string, label: string): Promise<boolean>;
}
