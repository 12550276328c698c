import type { AssetClass } from "../market/market.ts";
import type { Amount, Intent } from "./trading.ts";

/**
 * Minimum notional of a purchase of coins, USD.
 * @see https://github.com/ccxt/ccxt/pull/30101
 */
const MIN_COIN_PURCHASE_USD = "10";
/**
 * Minimum notional of an order of a fraction of a share, USD.
 * @see https://docs.alpaca.markets/docs/fractional-trading
 */
const MIN_FRACTION_USD = "1";

/** Returns the minimum notional of an order at Alpaca, USD, which paper accounts share; null if there is none. */
export function minimumNotional(
  assetClass: AssetClass,
  { side, quantity }: Pick<Intent, "side" | "quantity">,
): Amount | null {
  if (assetClass === "crypto") return side === "buy" ? MIN_COIN_PURCHASE_USD : null;
  return /\.\d*[1-9]/.test(quantity) ? MIN_FRACTION_USD : null;
}
