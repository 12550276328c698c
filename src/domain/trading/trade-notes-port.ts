/** Immutable note of an owner on an order. */
export interface TradeNote {
  readonly id: string;
  readonly order: string;
  readonly note: string;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Notes of accounts on their orders in this market. */
export interface TradeNotes {
  /** Adds a note; rejects with REFUSED if the order has too many. */
  add(account: string, note: TradeNote): Promise<void>;
  /** Returns the notes, oldest first. */
  list(account: string): Promise<readonly TradeNote[]>;
}
