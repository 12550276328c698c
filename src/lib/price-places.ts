const DIGITS = 5;
const MAX_PLACES = 9;

/**
 * Returns the decimal places of a valid price in USD. Stocks and funds: 2 from 1 USD up, else 4. Crypto: five
 * significant digits, so that a step is at most 0.01% of the price, but at least 2 and at most 9 places.
 */
export function pricePlaces(price: number, assetClass: "equity" | "etf" | "crypto"): number {
  if (assetClass !== "crypto") return price >= 1 ? 2 : 4;
  const exponent = Number(price.toExponential().split("e")[1]);
  return Math.min(MAX_PLACES, Math.max(2, DIGITS - 1 - exponent));
}
