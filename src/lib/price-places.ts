const MAX_PLACES = 9;

/**
 * Returns the decimal places of a valid price in USD: 2, or 4 below 1 USD; crypto below 0.1 USD has four significant
 * digits.
 */
export function pricePlaces(price: number, assetClass: "equity" | "etf" | "crypto"): number {
  if (price >= 1) return 2;
  if (assetClass !== "crypto" || price >= 0.1) return 4;
  return Math.min(MAX_PLACES, 3 - Number(price.toExponential().split("e")[1]));
}
