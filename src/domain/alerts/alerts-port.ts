import type { AlertFired, Delivery, DeliveryState, Subscription, Watchlist } from "./alerts.ts";
import type { SignalChange } from "./changes.ts";
import type { SeriesKey } from "./changes-port.ts";

export interface DueDelivery {
  readonly id: string;
  readonly account: string;
  readonly subscription: Subscription;
  /** Payload, identical at every attempt. */
  readonly alert: AlertFired;
  /** Attempts made before this one. */
  readonly attempts: number;
}

export type DeliveryAttempt = Delivery["attempts"][number];

/** Longest time between two attempts, which a receiver can ask for by Retry-After. */
export const MAX_DELIVERY_WAIT_MS = 86_400_000;

/** Receivers to which no further delivery may be sent now. */
export interface SaturatedReceivers {
  readonly hosts: readonly string[];
  readonly accounts: readonly string[];
  /** Hosts at the limit of one account. */
  readonly lanes: readonly { readonly account: string; readonly host: string }[];
}
export const NO_RECEIVERS: SaturatedReceivers = { hosts: [], accounts: [], lanes: [] };

/** Pending deliveries: an alert stays until it is delivered or given up. */
export interface DeliveryQueue {
  /**
   * Leases deliveries due by `now` (epoch ms) to this process for `leaseMs`, oldest first; other processes do not get
   * them meanwhile. Each subscription has at most one leased delivery, the oldest that is neither delivered nor given
   * up: receivers get alerts in order. Skips the hosts (`target`), accounts, and hosts of an account in `full`, which
   * are at their sending limit.
   */
  take(
    now: number,
    limit: number,
    leaseMs: number,
    full?: SaturatedReceivers,
  ): Promise<readonly DueDelivery[]>;
  /** Returns when the next delivery is due or a lease ends, epoch ms; null if none is waiting. */
  nextAt(): Promise<number | null>;
  delivered(id: string, attempt: DeliveryAttempt): Promise<void>;
  /**
   * `next`: epoch ms of the next attempt; null: given up, logged as undelivered. `pause`: reason for pausing its
   * subscription too, for example because the receiver is gone.
   */
  failed(id: string, attempt: DeliveryAttempt, next: number | null, pause?: string): Promise<void>;
}

/** A subscription with the last states of its condition. */
export interface WatchedSubscription {
  readonly account: string;
  readonly subscription: Subscription;
  /** Last state of the condition by series, as the watcher's JSON. */
  readonly seen: Readonly<Record<string, string>>;
}

/**
 * New state of one subscription's condition for a symbol, with its alerts. Written only if the stored state still is
 * `before`.
 */
export interface ConditionUpdate {
  readonly account: string;
  readonly subscription: string;
  readonly symbol: string;
  readonly before: string | null;
  readonly now: string;
  readonly alerts: readonly AlertFired[];
}

/** One atomic write of the watcher. Values that another process wrote first are not overwritten. */
export interface WatchUpdate {
  readonly series: SeriesKey;
  /** Epoch ms. */
  readonly at: number;
  /** Stored signal state (JSON) before and now, which may be equal; null if the signal could not be read. */
  readonly state: {
    readonly before: string | null;
    readonly now: string;
    /** true: bars since the previous evaluation were skipped, so changes are known only from this one on. */
    readonly restarted?: boolean;
  } | null;
  readonly change: SignalChange | null;
  readonly alerts: readonly { readonly account: string; readonly alert: AlertFired }[];
  readonly seen: readonly ConditionUpdate[];
}

/** State of a signal at its last evaluation. */
export interface SignalStateRecord {
  /** JSON of the watcher. */
  readonly state: string;
  /** Start of the uninterrupted evaluation, ISO 8601 UTC: earlier changes may be missing. */
  readonly since: string;
  /** ISO 8601 UTC. */
  readonly evaluatedAt: string;
}

/** Storage of the watcher, across all accounts of one market. */
export interface WatchRepository {
  /** Active subscriptions, with the current symbols of watchlists. */
  activeSubscriptions(): Promise<readonly WatchedSubscription[]>;
  state(series: SeriesKey): Promise<SignalStateRecord | null>;
  /** Returns whether the change was written and how many alerts were; skips what another process wrote first. */
  save(noticed: WatchUpdate): Promise<{ readonly changed: boolean; readonly alerts: number }>;
  /** Pauses an active subscription and adds a last alert; returns false if it is not active. */
  pause(
    account: string,
    subscription: string,
    why: { readonly reason: string; readonly alert: AlertFired },
  ): Promise<boolean>;
}

export interface Watchlists {
  /**
   * Replaces a list of the same name; a list without symbols is deleted. Rejects with REFUSED beyond 20 lists, and if a
   * subscription to it does not allow the change.
   */
  save(account: string, list: Watchlist): Promise<{ readonly replaced: boolean }>;
  find(account: string, name: string): Promise<Watchlist | null>;
  list(account: string): Promise<readonly Watchlist[]>;
}

/** Destination of a subscription's alerts, as given by the client. */
export interface ReceiverRequest {
  readonly url: string | null;
  readonly bot_token: string | null;
  readonly chat_id: string | null;
  readonly email?: string | null;
}

export interface NewSubscription {
  readonly subscription: Subscription;
  /** State of its condition by symbol. */
  readonly seen: Readonly<Record<string, string>>;
  readonly receiver: ReceiverRequest;
}

/** Subscriptions of accounts and the log of their alerts. */
export interface Subscriptions {
  /**
   * Stores it with its encrypted receiver; returns the signing secret of a webhook, only here. If the account has an
   * active one with the same subject and receiver, stores nothing and returns that one. Rejects with REFUSED beyond 200.
   */
  add(
    account: string,
    request: NewSubscription,
  ): Promise<{ readonly subscription: Subscription; readonly signing_secret: string | null }>;
  find(account: string, id: string): Promise<Subscription | null>;
  /** Newest first. */
  list(account: string): Promise<readonly Subscription[]>;
  /** Removes a subscription with its pending deliveries and secrets; returns false if there is none. */
  remove(account: string, id: string): Promise<boolean>;
  /** Newest first. */
  deliveries(
    account: string,
    of: {
      readonly subscription?: string | undefined;
      readonly state?: DeliveryState | undefined;
      /** Bounds of the time at which the alert fired, epoch ms, both inclusive. */
      readonly from?: number | null;
      readonly until?: number;
      readonly limit: number;
    },
  ): Promise<readonly Delivery[]>;
}

/** Stored subscriptions, without the credentials of their receivers. */
export interface SubscriptionRepository extends Pick<Subscriptions, "find" | "list" | "remove"> {
  add(account: string, request: Pick<NewSubscription, "subscription" | "seen">): Promise<void>;
}
