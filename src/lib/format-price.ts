const MAX_DIGITS = 20;

/** Formats a price with two decimals from one dollar up, and with four significant digits below one dollar. */
export function formatPrice(price: number): string {
  const size = Math.abs(price);
  if (size >= 1 || size === 0) return price.toFixed(2);
  return price.toFixed(Math.min(MAX_DIGITS, 3 - Math.floor(Math.log10(size))));
}
