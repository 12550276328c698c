const MAX_SIGNIFICANT_DIGITS = 5;
/** Of prices below one dollar. */
const MIN_SIGNIFICANT_DIGITS = 4;
const MIN_DECIMALS = 2;
const MAX_DECIMALS = 20;

/**
 * Formats a price with five significant digits or two decimals, whichever is more. Zeros at the end are omitted down to
 * two decimals, below one dollar down to four significant digits.
 */
export function formatPrice(price: number): string {
  const size = Math.abs(price);
  if (size === 0) return price.toFixed(MIN_DECIMALS);
  const most = decimalsFor(size, MAX_SIGNIFICANT_DIGITS);
  const fewest = size >= 1 ? MIN_DECIMALS : decimalsFor(size, MIN_SIGNIFICANT_DIGITS);
  const text = price.toFixed(most);
  const zeros = text.length - text.replace(/0+$/, "").length;
  return text.slice(0, text.length - Math.min(zeros, most - fewest));
}

/** Returns the number of decimals that show a price with this many significant digits, at least two. */
const decimalsFor = (size: number, digits: number): number =>
  Math.min(MAX_DECIMALS, Math.max(MIN_DECIMALS, digits - 1 - Math.floor(Math.log10(size))));
