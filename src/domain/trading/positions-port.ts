import type { Amount } from "./trading.ts";

/** Signal when a position was first seen, the baseline of its later changes. */
export interface Opening {
  /** Close of the decision bar, or the time of the order if no signal could be read; ISO 8601 UTC. */
  readonly at: string;
  /** Null if no signal could be read. */
  readonly direction: "LONG" | "SHORT" | "WAIT" | null;
  readonly grade: string | null;
  readonly score: number | null;
  /** Stop for the side held, US dollars; null without one. */
  readonly stop: number | null;
  /** Origin of the stop: the order that opened the position, else the signal. */
  readonly stopSource: "order" | "signal" | null;
}

/** A position as last reported by its broker. */
export interface PositionRecord {
  readonly symbol: string;
  /** Negative if sold short. */
  readonly quantity: Amount;
  readonly averagePrice: Amount;
  /** Time at which it was first seen on this side, ISO 8601 UTC. */
  readonly since: string;
  /** Null if neither a signal nor an own order could be read then. */
  readonly opening: Opening | null;
}

/** All positions of one account at one time. */
interface PositionSnapshot {
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly positions: readonly PositionRecord[];
  /** Number of stored entries that can no longer be parsed; omitted if 0. */
  readonly unread?: number;
}

export interface SyncedPositions extends PositionSnapshot {
  readonly connection: string;
}

/** Positions of an external account, under the name that its owner gave it. */
export interface ImportedPositions extends PositionSnapshot {
  readonly label: string;
}

/** Positions of accounts in this market: last reported by their brokers, and imported from external accounts. */
export interface PositionRepository {
  /** Replaces the stored positions of the connection, unless they are newer and not from the future. */
  saveSynced(account: string, synced: SyncedPositions): Promise<void>;
  listSynced(account: string): Promise<readonly SyncedPositions[]>;
  removeSynced(account: string, connection: string): Promise<void>;
  /** Replaces the positions imported under the label. Rejects with REFUSED if there are too many labels. */
  saveImported(account: string, imported: ImportedPositions): Promise<void>;
  /** Returns imported positions, sorted by label. */
  listImported(account: string): Promise<readonly ImportedPositions[]>;
  /** Returns true if positions existed under the label. */
  removeImported(account: string, label: string): Promise<boolean>;
}
