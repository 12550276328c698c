const MAX_DIGITS = 20;

/** A price as a person reads it: two decimals for what costs dollars, four digits for what costs cents or less. */
export function formatPrice(price: number): string {
  const size = Math.abs(price);
  if (size >= 1 || size === 0) return price.toFixed(2);
  return price.toFixed(Math.min(MAX_DIGITS, 3 - Math.floor(Math.log10(size))));
}
