import type { Generated } from "kysely";
import { column, integer, owned, table, text, textOrNull } from "../../table.ts";

const connection = { account: text, market: text, connection: text };

const paperAccount = { account: text, connection: text, market: text };

/** Orders, risk rules and the paper exchange; amounts are decimal text. */
export const TRADING_TABLES = {
  /** Previewed trades; `intent` and `shown` are JSON. */
  trade_tickets: table("PRIMARY KEY (account, market, id)", {
    ...connection,
    id: text,
    intent: text,
    shown: text,
    created_at: text,
    expires_at: text,
    /** Order created from the ticket; null if unused. */
    order_id: textOrNull,
    confirmed_at: textOrNull,
  }),
  /** Orders; `intent` is JSON. */
  trade_orders: table("PRIMARY KEY (account, market, id), UNIQUE (account, market, ticket)", {
    ...connection,
    id: text,
    ticket: text,
    client_order_id: text,
    intent: text,
    state: text,
    broker_status: textOrNull,
    filled_quantity: text,
    average_price: textOrNull,
    fees: text,
    reason: textOrNull,
    created_at: text,
    updated_at: text,
    /** Sequence number within the connection, from 1. */
    number: column<Generated<number>>("INTEGER DEFAULT 0 NOT NULL"),
  }),
  /** Observed equity: its peak, the last value, and the last value before `day`. */
  trade_equity: table("PRIMARY KEY (account, market, connection)", {
    ...connection,
    peak: text,
    day: text,
    before: text,
    last: text,
  }),
  trade_notes: table("PRIMARY KEY (account, market, id)", {
    ...owned,
    id: text,
    order_id: text,
    note: text,
    noted_at: text,
  }),
  /** Positions last reported by a broker, as JSON. */
  synced_positions: table("PRIMARY KEY (account, market, connection)", {
    ...connection,
    synced_at: text,
    positions: text,
  }),
  /** Positions imported by the account owner, as JSON; `told_at` is the time of the import. */
  imported_positions: table("PRIMARY KEY (account, market, label)", {
    ...owned,
    label: text,
    told_at: text,
    positions: text,
  }),
  /** Limits set by the owner, as JSON. */
  risk_limits: table("PRIMARY KEY (account)", {
    account: column<string>("TEXT"),
    limits: text,
    set_at: text,
  }),
  /** `engaged` is 0 or 1. */
  kill_switches: table("PRIMARY KEY (account)", {
    account: column<string>("TEXT"),
    engaged: integer,
    since: text,
    reason: textOrNull,
  }),
  paper_books: table("PRIMARY KEY (account, connection, market)", {
    ...paperAccount,
    version: integer,
    cash: text,
    fills: integer,
    opened_at: text,
    fill_model: column<string>("TEXT DEFAULT 'market' NOT NULL"),
  }),
  paper_positions: table("PRIMARY KEY (account, connection, market, symbol)", {
    ...paperAccount,
    symbol: text,
    quantity: text,
    cost: text,
    /** Null for positions opened before averages were recorded. */
    average_price: textOrNull,
  }),
  paper_orders: table("PRIMARY KEY (account, connection, market, client_order_id)", {
    ...paperAccount,
    client_order_id: text,
    id: text,
    leg: text,
    parent: textOrNull,
    intent: text,
    status: text,
    filled_quantity: text,
    filled_value: text,
    fees: text,
    reason: textOrNull,
    triggered: integer,
    matched_to: text,
    expires_at: textOrNull,
    created_at: text,
    updated_at: text,
  }),
  /** Never updated. */
  paper_fills: table("PRIMARY KEY (account, connection, market, number)", {
    ...paperAccount,
    number: integer,
    client_order_id: text,
    symbol: text,
    side: text,
    quantity: text,
    price: text,
    fee: text,
    at: text,
  }),
  /** Never updated. */
  paper_ledger: table("PRIMARY KEY (account, connection, market, booking, row)", {
    ...paperAccount,
    booking: integer,
    row: integer,
    ledger: text,
    symbol: textOrNull,
    amount: text,
    quantity: textOrNull,
  }),
  paper_closes: table("PRIMARY KEY (account, connection, market, symbol)", {
    ...paperAccount,
    symbol: text,
    day: integer,
    close: text,
  }),
  /** Never updated. */
  paper_splits: table("PRIMARY KEY (account, connection, market, number)", {
    ...paperAccount,
    number: integer,
    symbol: text,
    ratio: text,
    at: text,
  }),
};

export const TRADING_INDEXES = [
  "CREATE INDEX trade_tickets_expiry ON trade_tickets (expires_at) WHERE order_id IS NULL",
  "CREATE INDEX trade_orders_created ON trade_orders (account, market, created_at)",
  "CREATE INDEX trade_notes_order ON trade_notes (account, market, order_id)",
  "CREATE INDEX paper_orders_status ON paper_orders (account, connection, market, status)",
];
