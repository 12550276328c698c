import { type Decimal, decimal, stepDown } from "../../lib/decimal.ts";
import { pricePlaces } from "../../lib/price-places.ts";
import type { AssetClass } from "../market/market.ts";
import type { Amount, Intent } from "./trading.ts";

/** Every price of an order, with the field that sets it. */
const PRICE_FIELDS = ["limit_price", "stop_price", "stop_loss", "take_profit"] as const;
export type OrderPrices = { readonly [Field in (typeof PRICE_FIELDS)[number]]?: Intent[Field] | undefined };

/** Returns the smallest price increment at a price, in USD: see `pricePlaces`. */
export const priceStep = (price: Decimal, assetClass: AssetClass): Amount =>
  decimal(`1e-${pricePlaces(price.toNumber(), assetClass)}`).toFixed();

/** A price that is not a multiple of the venue's price step, and the nearest valid prices. */
export interface PriceStepFault {
  readonly field: (typeof PRICE_FIELDS)[number];
  readonly price: Amount;
  readonly nearest: readonly Amount[];
  readonly reason: string;
}

/**
 * Returns the prices of an order that are no multiples of its venue's price step.
 * @see https://www.law.cornell.edu/cfr/text/17/242.612
 */
export const priceStepFaults = (prices: OrderPrices, assetClass: AssetClass): readonly PriceStepFault[] =>
  PRICE_FIELDS.flatMap((field) => {
    const price = prices[field];
    if (price === null || price === undefined) return [];
    const step = priceStep(decimal(price), assetClass);
    const below = stepDown(decimal(price), decimal(step));
    if (below.eq(price)) return [];
    const places = step.split(".")[1]!.length;
    const nearest = [below, below.plus(step)].filter((one) => one.gt(0)).map((one) => one.toFixed(places));
    const are = nearest.length === 1 ? "price is" : "prices are";
    const reason = `${field} ${price} is not on a price step: ${ruleOf(price, step, assetClass)}. The nearest valid ${are} ${nearest.join(" and ")}`;
    return [{ field, price, nearest, reason }];
  });

/** Returns the first of these prices; null if all are multiples. */
export const priceStepFault = (prices: OrderPrices, assetClass: AssetClass): PriceStepFault | null =>
  priceStepFaults(prices, assetClass)[0] ?? null;

function ruleOf(price: Amount, step: Amount, assetClass: AssetClass): string {
  if (assetClass === "crypto") return `coins at this price trade in steps of ${step} USD`;
  return decimal(price).gte(1)
    ? "stocks and funds at 1 USD or more trade in whole cents (SEC Rule 612)"
    : `stocks and funds below 1 USD trade in steps of ${step} USD (SEC Rule 612)`;
}
