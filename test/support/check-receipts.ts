import { invoke } from "../../src/kernel/invoke.ts";
import { checkOrder } from "../../tools/check-order.ts";
import { verifyReceipt } from "../../tools/verify-receipt.ts";
import { countingMeters, pro } from "./context.ts";
import { smallMarket } from "./market.ts";
import { receiptPorts } from "./receipts.ts";

/** An account with holdings, as a caller sends it. */
export const SNAPSHOT = {
  quote: { price: 137.9, bid: 137.85, ask: 137.95, at: "2026-01-15T14:59:30Z" },
  account: { equity: 48_731.19, buying_power: "21,377.61", equity_before: 48_655.07 },
  positions: [
    { symbol: "MSFT", quantity: 23, average_price: 171.43, stop_loss: 150.5 },
    { symbol: "NVDA", quantity: 17, price: 118.21 },
  ],
  open_orders: [{ symbol: "TSLA", side: "buy", quantity: 11, limit_price: 131.07 }],
  recent_trades: [
    {
      symbol: "AAPL",
      side: "sell",
      quantity: 3,
      price: 136.13,
      at: "2026-01-12T15:31:00Z",
      realized_pnl: -19.37,
    },
  ],
};
export const ORDER = {
  symbol: "AAPL",
  side: "buy",
  quantity: 12,
  stop_loss: 134.25,
  take_profit: 145,
} as const;

/** The two tools over one small market, with a signing key of their own. */
export function checkReceipts(over: Parameters<typeof smallMarket>[0] = {}) {
  const { meters } = countingMeters({ burst: 1e6, day: 1e6 });
  const ports = { ...smallMarket(over).ports, ...receiptPorts(), meters };
  const as = (more: Partial<typeof ports>) => ({
    ports: { ...ports, ...more },
    principal: pro,
    transport: "test",
  });
  return {
    ports,
    check: (input: object, more: Partial<typeof ports> = {}) =>
      invoke(checkOrder, { receipt: true, ...input }, as(more)),
    verify: (input: object, more: Partial<typeof ports> = {}) => invoke(verifyReceipt, input, as(more)),
  };
}
