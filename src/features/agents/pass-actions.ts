import type { Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { PositionRow } from "../../domain/trading/positions.ts";
import type { Preview } from "../../domain/trading/preview.ts";
import type { Connection, OrderShown, Side } from "../../domain/trading/trading.ts";
import type { CheckPlanned } from "./order-checks.ts";

export interface PassTrade {
  readonly connection_id: string;
  readonly symbol: string;
  readonly asset_class?: AssetClass;
  readonly timeframe: Timeframe;
  readonly side: Side;
  readonly quantity?: string;
  readonly risk_pct?: string;
  readonly stop_loss?: string;
  readonly take_profit?: string;
  /** Default: market. */
  readonly type?: "limit";
  readonly limit_price?: string;
}

/** Tool calls available to trading agents; each method's comment names the tool it calls. */
export interface PassActions {
  /** connect_broker: opens the caller's built-in paper account; null on a plan that connects brokers itself. */
  readonly openPaper: (() => Promise<Connection>) | null;
  /** list_connections */
  connections(): Promise<{ readonly connections: readonly Connection[] }>;
  /** sync_positions */
  sync(requested: { readonly connection_id: string }): Promise<unknown>;
  /** list_positions */
  positions(request: {
    readonly connection_id: string;
  }): Promise<{ readonly positions: readonly Pick<PositionRow, "symbol" | "quantity">[] }>;
  /** list_orders */
  orders(request: {
    readonly status: "all" | "working";
    readonly limit: number;
  }): Promise<{ readonly orders: readonly OrderShown[] }>;
  /** preview_trade */
  preview(trade: PassTrade): Promise<Preview>;
  /** check_order */
  readonly check: CheckPlanned;
  /** execute_trade */
  execute(
    trade: PassTrade & { readonly idempotency_key?: string },
  ): Promise<{ readonly order: OrderShown; readonly repeated: boolean }>;
}
