import type { Generated } from "kysely";
import { column, integer, integerOrNull, owned, table, text, textOrNull } from "../../table.ts";

const series = { market: text, symbol: text, timeframe: text };

/** Watchlists, subscriptions, signal changes and the deliveries of alerts. */
export const ALERT_TABLES = {
  /** `symbols` is JSON. */
  watchlists: table("PRIMARY KEY (account, market, name)", {
    ...owned,
    name: text,
    symbols: text,
    saved_at: text,
  }),
  /** `symbols` (empty when a watchlist is set), `condition` and `seen` (last state by symbol) are JSON. */
  subscriptions: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    symbols: text,
    timeframe: text,
    name: textOrNull,
    watchlist: textOrNull,
    condition: text,
    channel: text,
    target: textOrNull,
    created_at: text,
    state: text,
    reason: textOrNull,
    seen: text,
  }),
  /** Last evaluated state of each watched signal; `state` is JSON. */
  signal_states: table("PRIMARY KEY (market, symbol, timeframe)", {
    ...series,
    state: text,
    /** Start of the period without missed bars. */
    since: text,
    /** Time of the last evaluation. */
    looked_at: text,
  }),
  /** Never updated; `said` is the change as JSON. */
  signal_changes: table("UNIQUE (market, symbol, timeframe, decided_at)", {
    /** Order of detection, across all markets. */
    seq: column<Generated<number>>("INTEGER PRIMARY KEY AUTOINCREMENT"),
    id: text,
    ...series,
    decided_at: text,
    noticed_at: text,
    said: text,
  }),
  /** Alerts and their delivery; `alert` is JSON. */
  deliveries: table("UNIQUE (id)", {
    /** Order of creation. */
    seq: column<Generated<number>>("INTEGER PRIMARY KEY AUTOINCREMENT"),
    id: text,
    alert_id: text,
    ...owned,
    subscription: text,
    channel: text,
    alert: text,
    target: textOrNull,
    state: text,
    /** Reason why it was not delivered. */
    reason: textOrNull,
    attempts: integer,
    /** Epoch ms of the next attempt; null while an older delivery of its subscription is open, and once settled. */
    next_at: integerOrNull,
    made_at: text,
  }),
  delivery_attempts: table("PRIMARY KEY (delivery, number)", {
    delivery: text,
    number: integer,
    at: text,
    status: integerOrNull,
    reason: textOrNull,
    ms: integer,
  }),
};

export const ALERT_INDEXES = [
  "CREATE INDEX subscriptions_state ON subscriptions (market, state)",
  "CREATE UNIQUE INDEX signal_changes_id ON signal_changes (market, id)",
  "CREATE INDEX signal_changes_series ON signal_changes (market, symbol, timeframe, seq)",
  "CREATE INDEX signal_changes_order ON signal_changes (market, seq)",
  "CREATE INDEX deliveries_due ON deliveries (market, next_at)",
  "CREATE INDEX deliveries_order ON deliveries (market, subscription, state, seq)",
  "CREATE INDEX deliveries_log ON deliveries (account, market, seq)",
  "CREATE INDEX deliveries_age ON deliveries (market, made_at)",
];
