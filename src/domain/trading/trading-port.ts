import type { AuditData } from "../audit/audit-port.ts";
import type { CallOptions } from "../call-options.ts";
import type { Instrument } from "../market/market.ts";
import type { KillSwitch, RiskLimits } from "./risk.ts";
import type {
  AccountType,
  Amount,
  BrokerName,
  BrokerStatus,
  Connection,
  Intent,
  Order,
  PaperFills,
} from "./trading.ts";

/** Credentials of a broker account. Never logged or returned. */
export interface Credentials {
  readonly api_key: string;
  readonly api_secret: string;
}

/** A broker's view of an account. Amounts are US dollars. */
export interface BrokerAccount {
  readonly number: string;
  readonly equity: Amount;
  readonly cash: Amount;
  readonly buyingPower: Amount;
  readonly shorting: boolean;
  readonly fractional: boolean;
  /** Equity at the previous close; null if the broker does not report it. */
  readonly equityBefore: Amount | null;
  readonly asOf: string;
  /** Notices to the account holder, one sentence each; omitted if there are none. */
  readonly notes?: readonly string[];
}

export interface BrokerPosition {
  readonly symbol: string;
  /** Negative if sold short. */
  readonly quantity: Amount;
  readonly averagePrice: Amount;
}

export interface BrokerOrder {
  /** The broker's own id. */
  readonly id: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Intent["side"];
  /** Ordered quantity, filled or not. */
  readonly quantity: Amount;
  readonly stopPrice: Amount | null;
  /** Leg of a bracket; null for any other order. */
  readonly leg: "stop_loss" | "take_profit" | null;
  /**
   * Client order id of the entry that this leg belongs to; null if it is not a leg, or if the broker does not report
   * the entry.
   */
  readonly entry: string | null;
  readonly status: BrokerStatus;
  readonly filledQuantity: Amount;
  readonly averagePrice: Amount | null;
  readonly fees: Amount;
  readonly reason: string | null;
  readonly updatedAt: string;
}

/** Result of sending an order. `unsent`: it was never sent. `unknown`: it may or may not have reached the broker. */
export type SubmitResult =
  | { readonly outcome: "accepted"; readonly order: BrokerOrder }
  | { readonly outcome: "rejected"; readonly reason: string }
  | { readonly outcome: "unsent"; readonly reason: string }
  | { readonly outcome: "unknown"; readonly reason: string };

/**
 * One connected account. Reads reject with UPSTREAM_UNAVAILABLE if the broker does not respond and REFUSED if it
 * rejects the key.
 */
export interface Broker {
  account(options?: CallOptions): Promise<BrokerAccount>;
  positions(options?: CallOptions): Promise<readonly BrokerPosition[]>;
  /** True if units that working legs would close cannot be closed by another order until the legs are cancelled. */
  readonly legsHold?: true;
  /** Returns the broker's minimum notional of an order, USD; null, or an omitted method, means none. */
  minimumNotional?(instrument: Instrument, intent: Pick<Intent, "side" | "quantity">): Amount | null;
  /** Returns the reason why the broker cannot accept such an order; null if it can. */
  refusal?(intent: Intent): string | null;
  /** Sends once, without retries; a duplicate id creates no second order. */
  submit(
    order: { readonly clientOrderId: string; readonly intent: Intent },
    options?: CallOptions,
  ): Promise<SubmitResult>;
  /** Returns the order with that id; null if the broker has none. */
  find(clientOrderId: string, options?: CallOptions): Promise<BrokerOrder | null>;
  /**
   * Returns orders created or changed at or after `since` and all working ones, including legs of brackets. Alpaca omits
   * finished orders created more than 30 days before `since`.
   */
  orders(request: CallOptions & { readonly since: string }): Promise<readonly BrokerOrder[]>;
  /** Requests cancellation of the unfilled part; `find` returns the result. */
  cancel(id: string, options?: CallOptions): Promise<void>;
}

export interface Brokers {
  /** True if the server's owner allows live orders at all. */
  readonly live: boolean;
  /** Percent of equity that a trade without a requested size risks at its stop; null: it has no size. */
  readonly riskPct: Amount | null;
  /** Throws REFUSED if that broker is not available in this market. */
  requireAvailable(broker: BrokerName): void;
  /** Throws REFUSED if that broker is not available in this market. */
  open(
    account: {
      readonly account: string;
      readonly connection: string;
      readonly broker: BrokerName;
      readonly type: AccountType;
      /** Fill model of a paper account that is opened now; an open account retains its own. */
      readonly fills?: PaperFills | undefined;
      /** Opening cash of a paper account that is opened now, US dollars. Default: PAPER_EQUITY. */
      readonly equity?: Amount | undefined;
    },
    credentials: Credentials,
  ): Broker;
}

/** Encrypts credentials with a key outside the database. `about` is authenticated with each. */
export interface Vault {
  /** Encrypts with the current master key, or with the one of `keyId` if it is available. */
  seal(plain: string, about: string, keyId?: string): string;
  /** Throws if the key, the text or `about` does not match. */
  open(sealed: string, about: string): string;
  /** Returns the id of the master key it is encrypted with; null for any other text. */
  keyIdOf(sealed: string): string | null;
}

/** Associated data of the encrypted audit-log key; other secrets are bound to an account and its broker. */
export const AUDIT_SEAL = "audit";

/** Number of encrypted connections and other secrets. */
export interface SealCounts {
  readonly connections: number;
  readonly secrets: number;
}

/** All encrypted secrets of the installation, regardless of account; only for master key rotation. */
export interface Seals {
  /**
   * Returns the number of connections and secrets, whether the audit-log key is encrypted, and the id of the master
   * key; null before the first secret.
   */
  status(): Promise<{
    readonly keyId: string | null;
    readonly count: number;
    readonly secrets: number;
    readonly audit: boolean;
  }>;
  /** Encrypts all secrets with the master key of the id, atomically; returns their number. */
  rewrapAll(keyId: string, rewrap: (sealed: string, about: string) => string): Promise<SealCounts>;
  /** Forgets which master key is in use, so that the next secret sets it. Only if nothing is encrypted. */
  release(): Promise<void>;
  /** Deletes all connections, secrets and recovery codes and the audit-log key; returns the number of the first two. */
  forget(): Promise<SealCounts>;
  /** Runs the work while no other process starts or changes the key. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** Connections of accounts. Their credentials are only for brokers. */
export interface Connections {
  /** Stores the connection and returns it, or the existing one if the same key was connected meanwhile. */
  add(account: string, connection: Connection, credentials: Credentials): Promise<Connection>;
  /** Returns the connections, newest first; without any, the built-in paper account. */
  list(account: string): Promise<readonly Connection[]>;
  /** Returns null if the account has no connection with that id. Stores the built-in paper account if it is that. */
  find(
    account: string,
    id: string,
  ): Promise<{ readonly connection: Connection; readonly credentials: Credentials } | null>;
  checked(account: string, id: string, at: string): Promise<void>;
  /** Deletes the connection and its credentials; returns true if it existed. */
  remove(account: string, id: string): Promise<boolean>;
}

/** A stored trade preview, unchanged until it is used once or expires. */
export interface TicketRecord {
  readonly id: string;
  readonly connection: string;
  readonly market: string;
  readonly intent: Intent;
  /** Complete preview as shown to the caller. */
  readonly shown: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly expiresAt: string;
  /** Id of the order that used it; null while unused. */
  readonly order: string | null;
  readonly confirmedAt: string | null;
  /** Key or grant that requested a person's confirmation, and when. Absent: not requested. */
  readonly requested?: { readonly by: string; readonly at: string };
  /** When a person refused it. Default: not refused. */
  readonly refusedAt?: string;
}

/** Tickets and orders of accounts. Every write is on disk before its promise resolves. */
export interface TradeRepository {
  saveTicket(account: string, ticket: TicketRecord): Promise<void>;
  ticket(account: string, id: string): Promise<TicketRecord | null>;
  /** Tickets that are neither used nor expired, newest first. */
  tickets(account: string, at: string): Promise<readonly TicketRecord[]>;
  /**
   * Confirms an open ticket. Writes an audit entry in the same transaction if the repository was created with
   * `confirmAudited`.
   */
  confirm(account: string, id: string, at: string, about?: AuditData): Promise<boolean>;
  /** Refuses a ticket that is neither used, refused nor expired at `at`; false if it is. */
  refuse(account: string, id: string, at: string): Promise<boolean>;
  /**
   * Records who asked for the confirmation of a ticket, once, and lets it expire later; false if it was recorded before.
   * Rejects with REFUSED beyond `MAX_WAITING` requests, and names `page`, the URL at which people decide.
   */
  requestConfirmation(
    account: string,
    id: string,
    request: { readonly by: string; readonly at: string; readonly expiresAt: string; readonly page: string },
  ): Promise<boolean>;
  /** Tickets without a person's confirmation whose orders were begun at or after `since` and not rejected. */
  sentUnconfirmed(account: string, since: string): Promise<readonly TicketRecord[]>;
  /**
   * Turns a ticket into its order exactly once; returns false if it was used or has expired, also under concurrent
   * calls. Rejects with CONFLICT while another order of the connection is `submitting` or `unknown`, or if an order was
   * begun on it after the risk check (`after` is the result of `newest` before that check; `data.newest` is the newer
   * order), or more `recent` orders of the account exist: repeat the risk check, then retry. A live order rejects with
   * REFUSED while the kill switch is engaged or a live connection of the account is unreconciled, any order with NOT_FOUND once the connection is removed. A live order of an app rejects with REFUSED beyond
   * its limit.
   */
  begin(
    account: string,
    order: Order,
    seen: {
      readonly after: string | null;
      readonly type: AccountType;
      /** Number of orders of the account, over all connections, created at or after `since` (ISO 8601 UTC). */
      readonly recent?: { readonly since: string; readonly count: number };
      /** Id of the app that sends the order, null for other callers, and the notional of the order, US dollars. */
      readonly app?: { readonly id: string | null; readonly usd: Amount };
    },
  ): Promise<boolean>;
  /** Live connections of the account that were not reconciled since a restore; `since` is the time of the backup. */
  unreconciled(account: string): Promise<readonly { readonly connection: string; readonly since: string }[]>;
  /** Records that a connection was reconciled after a restore. */
  setReconciled(account: string, connection: string): Promise<void>;
  /** Number of orders of the account, or of one connection, that may still be filled or whose state is unknown. */
  working(account: string, connection?: string): Promise<number>;
  /** Returns the id of the connection's newest order; null before the first. */
  newest(account: string, connection: string): Promise<string | null>;
  /** Ignores a change to `unknown` or `rejected` if the order's state is known by now. */
  change(
    account: string,
    id: string,
    change: Partial<Omit<Order, "order_id" | "ticket_id" | "intent">>,
  ): Promise<Order | null>;
  order(account: string, id: string): Promise<Order | null>;
  orders(
    account: string,
    request: {
      readonly states?: readonly Order["state"][];
      /** Bounds of `created_at`, ISO 8601 UTC, both inclusive. */
      readonly since?: string;
      readonly until?: string;
      readonly limit: number;
      /** Only orders that may still be filled or whose state is unknown. */
      readonly working?: true;
      readonly connection?: string | undefined;
    },
  ): Promise<readonly Order[]>;
  /**
   * Records the equity of a connection on a day; returns the highest recorded, and the last of an earlier day, or the
   * first if there is none. `stores`: false only returns them. Default: true.
   */
  recordEquity(
    account: string,
    connection: string,
    now: { readonly equity: Amount; readonly day: string; readonly stores?: boolean },
  ): Promise<{ readonly peak: Amount; readonly before: Amount }>;
}

/** Rules of an account set by its owner: limits, and the kill switch of live orders. Unset rules take the defaults. */
export interface TradeRules {
  /** Returns all limits, those that the owner set, and when the last was set; null before the first. */
  limits(account: string): Promise<{
    readonly limits: RiskLimits;
    readonly set: Partial<RiskLimits>;
    readonly setAt: string | null;
  }>;
  /** Changes the given limits; null restores the defaults. Only for the owner's command line. */
  setLimits(account: string, change: Partial<RiskLimits> | null, at: string): Promise<RiskLimits>;
  killSwitch(account: string): Promise<KillSwitch>;
  setKillSwitch(account: string, now: KillSwitch): Promise<void>;
}
