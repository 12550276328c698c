import type { CallOptions } from "../call-options.ts";
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
  /** Equity at the close before; null where the broker does not say. */
  readonly equityBefore: Amount | null;
  readonly asOf: string;
  /** Notices to the account holder, one sentence each; omitted if there are none. */
  readonly notes?: readonly string[];
}

export interface BrokerPosition {
  readonly symbol: string;
  /** Below 0: sold short. */
  readonly quantity: Amount;
  readonly averagePrice: Amount;
}

export interface BrokerOrder {
  /** The broker's own id. */
  readonly id: string;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Intent["side"];
  /** Whole, filled or not. */
  readonly quantity: Amount;
  readonly stopPrice: Amount | null;
  /** Which leg of a bracket it is; null for an order of its own. */
  readonly leg: "stop_loss" | "take_profit" | null;
  /** Client order id of the entry that this leg belongs to; null if it is no leg, and if the broker reports the leg alone. */
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

/** One connected account. Reads reject with UPSTREAM_UNAVAILABLE if the broker does not respond and REFUSED if it rejects the key. */
export interface Broker {
  account(options?: CallOptions): Promise<BrokerAccount>;
  positions(options?: CallOptions): Promise<readonly BrokerPosition[]>;
  /** Units that working legs would close are closed by no other order until these are cancelled. Default: they are free. */
  readonly legsHold?: true;
  /** Reason why the broker cannot take such an order; null if it can. */
  refusal?(intent: Intent): string | null;
  /** Sends once and never again by itself; a duplicate id is no second order. */
  submit(
    order: { readonly clientOrderId: string; readonly intent: Intent },
    options?: CallOptions,
  ): Promise<SubmitResult>;
  /** The order of that id; null where the broker knows none. */
  find(clientOrderId: string, options?: CallOptions): Promise<BrokerOrder | null>;
  /**
   * Those that were made or changed at or after `since`, and all that work, legs of brackets with them. Alpaca leaves out
   * those that changed since and are over, where they were made more than 30 days before `since`.
   */
  orders(request: CallOptions & { readonly since: string }): Promise<readonly BrokerOrder[]>;
  /** Requests cancellation of the unfilled part; `find` returns the result. */
  cancel(id: string, options?: CallOptions): Promise<void>;
}

/** Brokers by name. */
export interface Brokers {
  /** True if the server's owner allows live orders at all. */
  readonly live: boolean;
  /** Rejects with INVALID_INPUT where that broker is not connected in this market. */
  open(
    account: {
      readonly account: string;
      readonly connection: string;
      readonly broker: BrokerName;
      readonly type: AccountType;
      /** Of a paper account that is opened now; the same as ever where it is open. */
      readonly fills?: PaperFills | undefined;
    },
    credentials: Credentials,
  ): Broker;
}

/** Seals credentials so that the database alone opens nothing. `about` is bound to what is sealed. */
export interface Vault {
  /** Under the master key in use, or that of the id where it is at hand too. */
  seal(plain: string, about: string, keyId?: string): string;
  /** Throws where the key, the seal or what it is about is another. */
  open(sealed: string, about: string): string;
  /** Id of the master key it is sealed under; null where it is no seal. */
  keyIdOf(sealed: string): string | null;
}

/** Associated data of the encrypted audit-log key; other secrets are bound to an account and its broker. */
export const AUDIT_SEAL = "audit";

/** How many things were under seal. */
export interface SealCounts {
  readonly connections: number;
  readonly secrets: number;
}

/** All encrypted secrets of the installation, regardless of account; only for master key rotation. */
export interface Seals {
  /** How many connections and secrets there are, whether the key of the audit log is sealed, and under which master key all are; null before the first. */
  status(): Promise<{
    readonly keyId: string | null;
    readonly count: number;
    readonly secrets: number;
    readonly audit: boolean;
  }>;
  /** Puts every seal under the master key of the id, all or none; returns of how many connections and secrets. */
  rewrapAll(keyId: string, rewrap: (sealed: string, about: string) => string): Promise<SealCounts>;
  /** Lets the next seal choose its master key anew; only where nothing is sealed. */
  release(): Promise<void>;
  /** Forgets every connection with its seal for good, every secret, and the key of the audit log; returns how many of the first two. */
  forget(): Promise<SealCounts>;
  /** Runs the work while no other process starts or changes the key. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** Connections of accounts; credentials come out of it for brokers alone. */
export interface Connections {
  /** Stores the connection and returns it, or the existing one if the same key was connected meanwhile. */
  add(account: string, connection: Connection, credentials: Credentials): Promise<Connection>;
  list(account: string): Promise<readonly Connection[]>;
  /** null where the account has none of that id. */
  find(
    account: string,
    id: string,
  ): Promise<{ readonly connection: Connection; readonly credentials: Credentials } | null>;
  checked(account: string, id: string, at: string): Promise<void>;
  /** Forgets the credentials for good; whether there was one. */
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
  /** The order it became; null while it is unused. */
  readonly order: string | null;
  readonly confirmedAt: string | null;
}

/** Tickets and orders of accounts. Every write is on disk before it is answered. */
export interface TradeRepository {
  saveTicket(account: string, ticket: TicketRecord): Promise<void>;
  ticket(account: string, id: string): Promise<TicketRecord | null>;
  /** Those that are neither used nor expired, the newest first. */
  tickets(account: string, at: string): Promise<readonly TicketRecord[]>;
  confirm(account: string, id: string, at: string): Promise<boolean>;
  /**
   * Turns a ticket into its order exactly once; returns false if it was used or has expired, also under concurrent calls. Rejects
   * with CONFLICT while another order of the connection is `submitting` or `unknown`, and where an order was begun on it
   * after the one that the rules were checked against (`after`, as returned by `newest` before the check; `data.newest` then says
   * which): check the rules again, then retry. A live one rejects with REFUSED once the kill switch is engaged, any
   * with NOT_FOUND from the moment the connection is removed.
   */
  begin(
    account: string,
    order: Order,
    seen: { readonly after: string | null; readonly type: AccountType },
  ): Promise<boolean>;
  /** Number of orders of the account, or of one connection, that may still be filled or whose state is unknown. */
  working(account: string, connection?: string): Promise<number>;
  /** The order of the connection that was begun last; null before the first. */
  newest(account: string, connection: string): Promise<string | null>;
  /** Changes nothing where it says `unknown` or `rejected` of an order that is known by now. */
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
      readonly since?: string;
      readonly limit: number;
      /** Only orders that may still be filled or whose state is unknown. */
      readonly working?: true;
      readonly connection?: string | undefined;
    },
  ): Promise<readonly Order[]>;
  /** Notes the equity of a connection on a day; the highest ever noted, and the last noted on a day before, else the first. */
  recordEquity(
    account: string,
    connection: string,
    now: { readonly equity: Amount; readonly day: string },
  ): Promise<{ readonly peak: Amount; readonly before: Amount }>;
}

/** Rules of an account set by its owner: limits, and the kill switch of live orders. Unset rules take the defaults. */
export interface TradeRules {
  /** All of them, those that the owner set by themselves, and when the last of these was; null before the first. */
  limits(account: string): Promise<{
    readonly limits: RiskLimits;
    readonly set: Partial<RiskLimits>;
    readonly setAt: string | null;
  }>;
  /** Changes those that are named; `null` as a whole puts back the defaults. For the owner's command line alone. */
  setLimits(account: string, change: Partial<RiskLimits> | null, at: string): Promise<RiskLimits>;
  killSwitch(account: string): Promise<KillSwitch>;
  setKillSwitch(account: string, now: KillSwitch): Promise<void>;
}

export const AUDIT_EVENTS = [
  "connection_added",
  "connection_removed",
  "ticket_confirmed",
  "order_refused",
  "order_sending",
  "order_outcome",
  "order_cancelled",
  "order_reconciled",
  "kill_switch",
  "limits",
] as const;
export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** Audit log of an account's actions, each entry chained to the one before. */
export interface Audit {
  /** Is on disk when it resolves; what could not be written down must not be done. `about` holds no secret. */
  write(account: string, event: AuditEvent, about: Readonly<Record<string, unknown>>): Promise<void>;
}
