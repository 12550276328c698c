import type { Generated } from "kysely";

/** What accounts have watched, what was noticed, and what was told of it. */
export interface AlertTables {
  readonly watchlists: WatchlistsTable;
  readonly subscriptions: SubscriptionsTable;
  readonly signal_states: SignalStatesTable;
  readonly signal_changes: SignalChangesTable;
  readonly deliveries: DeliveriesTable;
  readonly delivery_attempts: DeliveryAttemptsTable;
}

interface Owned {
  readonly account: string;
  readonly market: string;
}

/** `symbols` is JSON. */
interface WatchlistsTable extends Owned {
  readonly name: string;
  readonly symbols: string;
  readonly saved_at: string;
}

/** `symbols` (empty where a watchlist names them), `condition` and `seen` (by symbol) are JSON. */
interface SubscriptionsTable extends Owned {
  readonly id: string;
  readonly name: string | null;
  readonly symbols: string;
  readonly watchlist: string | null;
  readonly timeframe: string;
  readonly condition: string;
  readonly channel: string;
  readonly target: string | null;
  readonly created_at: string;
  /** `active` or `paused`. */
  readonly state: string;
  readonly reason: string | null;
  readonly seen: string;
}

interface Series {
  readonly market: string;
  readonly symbol: string;
  readonly timeframe: string;
}

/** `state` is JSON. */
interface SignalStatesTable extends Series {
  readonly state: string;
  /** Since when no bar of it was missed, and when it was last looked at. */
  readonly since: string;
  readonly looked_at: string;
}

/** Never updated; `said` is JSON of the change. */
interface SignalChangesTable extends Series {
  /** In the order in which they were noticed, of all markets. */
  readonly seq: Generated<number>;
  readonly id: string;
  readonly decided_at: string;
  readonly noticed_at: string;
  readonly said: string;
}

/** `alert` is JSON. */
interface DeliveriesTable extends Owned {
  /** In the order in which they were made. */
  readonly seq: Generated<number>;
  readonly id: string;
  readonly alert_id: string;
  readonly subscription: string;
  readonly channel: string;
  readonly target: string | null;
  readonly alert: string;
  readonly state: string;
  /** Why it was given up. */
  readonly reason: string | null;
  /** How often it was taken to be sent. */
  readonly attempts: number;
  /** Epoch ms at which it may be taken, or taken again; null while an older one of its subscription is not settled, and once it is itself. */
  readonly next_at: number | null;
  readonly made_at: string;
}

interface DeliveryAttemptsTable {
  readonly delivery: string;
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly reason: string | null;
  readonly ms: number;
}
