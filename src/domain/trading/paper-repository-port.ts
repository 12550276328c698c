import type { Amount, BrokerStatus, Intent, PaperFills } from "./trading.ts";

/** Owner of a paper account: one connection of an account. */
export interface PaperOwner {
  readonly account: string;
  readonly connection: string;
}

/**
 * Position in a symbol. Quantity and cost are negative if sold short; `cost` is the US dollars paid, or received if
 * negative, to the cent.
 */
export interface PaperPosition {
  readonly symbol: string;
  readonly quantity: Amount;
  readonly cost: Amount;
  /** Average price of the fills that opened it, weighted by quantity, US dollars to 18 places; 0 if nothing is held. */
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
  /** Earlier trades do not fill it: it did not exist yet, or was already matched with them. */
  readonly matchedTo: string;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A part of an order that was executed. Never changed. */
export interface PaperFill {
  readonly clientOrderId: string;
  /** From 1, in the order of bookings; splits share the sequence. */
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
  /** Time at which it was noticed. */
  readonly at: string;
}

/** One side of a booking in US dollars; the rows of a booking add up to 0. Never changed. */
export interface LedgerRow {
  /** Number of its fill or split; 0 for the opening. */
  readonly booking: number;
  readonly ledger: "cash" | "position" | "realised" | "fees" | "opening";
  readonly symbol: string | null;
  readonly amount: Amount;
  /** Units added, or removed if negative; null if none. */
  readonly quantity: Amount | null;
}

export interface PaperState {
  /** Changes with every write. */
  readonly version: number;
  readonly cash: Amount;
  /** Bookings so far: fills and splits. */
  readonly fills: number;
  readonly openedAt: string;
  /** Cash with which it was opened, US dollars. */
  readonly openingCash: Amount;
  /** Fill model of all its orders. */
  readonly fillModel: PaperFills;
  readonly positions: readonly PaperPosition[];
  /** Orders that may still be filled, and all orders of a bracket with such a leg; oldest first. */
  readonly working: readonly PaperOrder[];
  readonly closes: readonly PaperClose[];
}

/** One atomic write of the paper account. */
export interface PaperChange {
  readonly cash: Amount;
  /** All positions after the change; those of quantity 0 are deleted. */
  readonly positions: readonly PaperPosition[];
  /** New and changed orders. */
  readonly orders: readonly PaperOrder[];
  readonly fills: readonly PaperFill[];
  readonly rows: readonly LedgerRow[];
  readonly splits?: readonly PaperSplit[];
  /** All closes after the change; absent if unchanged. */
  readonly closes?: readonly PaperClose[];
}

/** Paper accounts of this market. Every write is on disk before its promise resolves. */
export interface PaperRepository {
  /** Opens the account with an amount of cash, unless it is open. Default fill model: that of a market. */
  open(owner: PaperOwner, cash: Amount, at: string, fills?: PaperFills): Promise<void>;
  /** Returns null if it was never opened. */
  read(owner: PaperOwner): Promise<PaperState | null>;
  order(
    owner: PaperOwner,
    by: { readonly clientOrderId: string } | { readonly id: string },
  ): Promise<PaperOrder | null>;
  /** Orders created or changed at or after `since` and all working ones, oldest first. */
  orders(owner: PaperOwner, since: string): Promise<readonly PaperOrder[]>;
  /** All fills, or those after a moment, in the order of their numbers. */
  fills(owner: PaperOwner, after?: string): Promise<readonly PaperFill[]>;
  splits(owner: PaperOwner): Promise<readonly PaperSplit[]>;
  ledger(owner: PaperOwner): Promise<readonly LedgerRow[]>;
  /** Returns false and changes nothing if the account has another version. */
  write(owner: PaperOwner, version: number, change: PaperChange): Promise<boolean>;
}
