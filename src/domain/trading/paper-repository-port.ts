import type { Amount, BrokerStatus, Intent, PaperFills } from "./trading.ts";

/** Whose book: one account's one connection. */
export interface PaperOwner {
  readonly account: string;
  readonly connection: string;
}

/** Position in a symbol. Quantity and cost are negative if sold short; cost is US dollars paid or, if negative, received, to the cent. */
export interface PaperPosition {
  readonly symbol: string;
  readonly quantity: Amount;
  readonly cost: Amount;
  /** Of the fills that opened it, weighted by quantity, US dollars to 18 places; 0 where nothing is held. */
  readonly averagePrice: string;
}

/** An order on the paper exchange. Times are ISO 8601 UTC. */
export interface PaperOrder {
  readonly id: string;
  readonly clientOrderId: string;
  /** `take_profit` and `stop_loss` are the legs of the order whose client id is `parent`. */
  readonly leg: "entry" | "take_profit" | "stop_loss";
  readonly parent: string | null;
  readonly intent: Intent;
  readonly status: BrokerStatus;
  readonly filledQuantity: Amount;
  /** Sum of quantity times price over its fills, exact. */
  readonly filledValue: string;
  readonly fees: Amount;
  readonly reason: string | null;
  /** True if the stop price was reached. */
  readonly triggered: boolean;
  /** Trades before this are none of its business: it was not there, or was matched with them already. */
  readonly matchedTo: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A part of an order that was executed. Never changed. */
export interface PaperFill {
  readonly clientOrderId: string;
  /** From 1, in the order of the book; splits are numbered among them. */
  readonly number: number;
  readonly symbol: string;
  readonly side: Intent["side"];
  readonly quantity: Amount;
  readonly price: Amount;
  readonly fee: Amount;
  readonly at: string;
}

/** A day's close when the account was last reconciled; a different value later means that shares were split since. */
export interface PaperClose {
  readonly symbol: string;
  /** As a daily bar's `time`, epoch ms. */
  readonly day: number;
  readonly close: string;
}

/** A recorded split, as new shares per old share. Immutable. */
export interface PaperSplit {
  readonly number: number;
  readonly symbol: string;
  /** Such as "4" or "0.1". */
  readonly ratio: string;
  /** When it was noticed. */
  readonly at: string;
}

/** One side of a booking in US dollars; the rows of a booking add up to 0. Never changed. */
export interface LedgerRow {
  /** The fill or split of that number, 0 for the opening. */
  readonly booking: number;
  readonly ledger: "cash" | "position" | "realised" | "fees" | "opening";
  readonly symbol: string | null;
  readonly amount: Amount;
  /** Units that came, or below 0 went; null where none did. */
  readonly quantity: Amount | null;
}

/** Current state of the paper account. */
export interface PaperState {
  /** Changes with every write. */
  readonly version: number;
  readonly cash: Amount;
  /** Bookings so far: fills and splits. */
  readonly fills: number;
  readonly openedAt: string;
  /** How its orders are filled, from the first to the last. */
  readonly fillModel: PaperFills;
  readonly positions: readonly PaperPosition[];
  /** Those that may still be filled, with all of the bracket whose leg may; the oldest first. */
  readonly working: readonly PaperOrder[];
  readonly closes: readonly PaperClose[];
}

/** One atomic write of the paper account. */
export interface PaperChange {
  readonly cash: Amount;
  /** Whole, as they are after it; one of quantity 0 is forgotten. */
  readonly positions: readonly PaperPosition[];
  /** New ones and those that changed. */
  readonly orders: readonly PaperOrder[];
  readonly fills: readonly PaperFill[];
  readonly rows: readonly LedgerRow[];
  readonly splits?: readonly PaperSplit[];
  /** Whole, as they are after it; absent where they stay. */
  readonly closes?: readonly PaperClose[];
}

/** The books of the paper exchange in this market. Every write is on disk before it is answered. */
export interface PaperRepository {
  /** Opens the book with so much cash unless it is open; it fills as a market unless said. */
  open(owner: PaperOwner, cash: Amount, at: string, fills?: PaperFills): Promise<void>;
  /** null where it was never opened. */
  read(owner: PaperOwner): Promise<PaperState | null>;
  order(
    owner: PaperOwner,
    by: { readonly clientOrderId: string } | { readonly id: string },
  ): Promise<PaperOrder | null>;
  /** Those made or changed at or after `since`, and all that work; the oldest first. */
  orders(owner: PaperOwner, since: string): Promise<readonly PaperOrder[]>;
  /** All of them, or those executed after a moment; in the order of their numbers. */
  fills(owner: PaperOwner, after?: string): Promise<readonly PaperFill[]>;
  splits(owner: PaperOwner): Promise<readonly PaperSplit[]>;
  ledger(owner: PaperOwner): Promise<readonly LedgerRow[]>;
  /** False, changing nothing, where the book is no longer of that version. */
  write(owner: PaperOwner, version: number, change: PaperChange): Promise<boolean>;
}
