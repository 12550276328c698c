import type { Amount } from "./trading.ts";

/** Signal when a position was first seen, the baseline of its later changes. */
export interface Opening {
  /** Close of the bar it was decided on, or when the order was made where no signal could be read; ISO 8601 UTC. */
  readonly at: string;
  /** null where no signal could be read. */
  readonly direction: "LONG" | "SHORT" | "WAIT" | null;
  readonly grade: string | null;
  readonly score: number | null;
  /** Stop for the side held, US dollars; null without one. */
  readonly stop: number | null;
  /** Whose stop it is: that of the order which opened the position before that of the signal. */
  readonly stopSource: "order" | "signal" | null;
}

/** A position as last reported by its broker. */
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

/** All positions of one account at one moment. */
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

/** Positions of an external account under the owner's name of it. */
export interface ImportedPositions extends PositionSnapshot {
  readonly label: string;
}

/** Positions of accounts in this market: last reported by their brokers, and imported from external accounts. */
export interface PositionRepository {
  /** Replaces the stored positions of the connection, unless they are newer. */
  saveSynced(account: string, synced: SyncedPositions): Promise<void>;
  listSynced(account: string): Promise<readonly SyncedPositions[]>;
  removeSynced(account: string, connection: string): Promise<void>;
  /** Replaces the positions imported under the label. Rejects with REFUSED if there are too many labels. */
  saveImported(account: string, imported: ImportedPositions): Promise<void>;
  /** By label. */
  listImported(account: string): Promise<readonly ImportedPositions[]>;
  /** Returns true if positions existed under the label. */
  removeImported(account: string, label: string): Promise<boolean>;
}
