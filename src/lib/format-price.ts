const MAX_DIGITS = 20;

/** Formats a price: two decimals from one dollar up, four significant digits below. */
export function formatPrice(price: number): string {
  const size = Math.abs(price);
  if (size >= 1 || size === 0) return price.toFixed(2);
  return price.toFixed(Math.min(MAX_DIGITS, 3 - Math.floor(Math.log10(size))));
}
