import type { Generated } from "kysely";

/** What was previewed and ordered; amounts are decimal text. */
export interface TradeTables {
  readonly trade_tickets: TradeTicketsTable;
  readonly trade_orders: TradeOrdersTable;
  readonly trade_equity: TradeEquityTable;
  readonly risk_limits: RiskLimitsTable;
  readonly kill_switches: KillSwitchesTable;
  readonly synced_positions: SyncedPositionsTable;
}

interface Owned {
  readonly account: string;
  readonly market: string;
  readonly connection: string;
}

/** `intent` and `shown` are JSON. */
interface TradeTicketsTable extends Owned {
  readonly id: string;
  readonly intent: string;
  readonly shown: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** The order it became. */
  readonly order_id: string | null;
  readonly confirmed_at: string | null;
}

/** `intent` is JSON. */
interface TradeOrdersTable extends Owned {
  readonly id: string;
  readonly ticket: string;
  /** By which its connection began it, from 1. */
  readonly number: Generated<number>;
  readonly client_order_id: string;
  readonly intent: string;
  readonly state: string;
  readonly broker_status: string | null;
  readonly filled_quantity: string;
  readonly average_price: string | null;
  readonly fees: string;
  readonly reason: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Equity as it was seen: the highest, the last, and the last of a day before `day` (at first, the first there was). */
interface TradeEquityTable extends Owned {
  readonly peak: string;
  readonly day: string;
  readonly before: string;
  readonly last: string;
}

/** What a broker last told; `positions` is JSON. */
interface SyncedPositionsTable extends Owned {
  readonly synced_at: string;
  readonly positions: string;
}

/** `limits` is JSON of those that were set. */
interface RiskLimitsTable {
  readonly account: string;
  readonly limits: string;
  readonly set_at: string;
}

/** `engaged` is 0 or 1. */
interface KillSwitchesTable {
  readonly account: string;
  readonly engaged: number;
  readonly since: string;
  readonly reason: string | null;
}
