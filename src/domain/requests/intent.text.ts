import type { Intent } from "../trading/trading.ts";

/** Formats an intent: side, quantity, symbol, price and time in force. */
export function formatIntent(intent: Intent): string {
  const { side, quantity, symbol, type, time_in_force } = intent;
  const at = type === "market" ? "at market" : formatPriceTerms(intent);
  return `${side} ${quantity} ${symbol}, ${at}, ${time_in_force === "day" ? "for the day" : "until cancelled"}`;
}

/** Formats the type of an order with its prices: `market`, `limit 120`, `stop 110, limit 109`. */
export const formatPriceTerms = ({ type, limit_price, stop_price }: Intent): string =>
  ({
    market: "market",
    limit: `limit ${limit_price}`,
    stop: `stop ${stop_price}`,
    stop_limit: `stop ${stop_price}, limit ${limit_price}`,
  })[type];

/** Formats the stop loss and take profit, if set. */
export const formatBracket = ({ stop_loss, take_profit }: Intent): string =>
  [
    stop_loss === null ? "no stop loss" : `stop loss ${stop_loss}`,
    take_profit === null ? "no take profit" : `take profit ${take_profit}`,
  ].join(", ");
