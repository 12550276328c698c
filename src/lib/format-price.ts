const MAX_DIGITS = 20;
const MOST = 5;
const LEAST = 4;

/**
 * Formats a price with five significant digits or two decimals, whichever is more. Zeros at the end are omitted down to
 * two decimals, below one dollar down to four significant digits.
 */
export function formatPrice(price: number): string {
  const size = Math.abs(price);
  if (size === 0) return price.toFixed(2);
  const exponent = Math.floor(Math.log10(size));
  const [least, most] = [LEAST, MOST].map((digits) =>
    size >= 1 && digits === LEAST ? 2 : Math.min(MAX_DIGITS, Math.max(2, digits - 1 - exponent)),
  ) as [number, number];
  const text = price.toFixed(most);
  return most > least && text.endsWith("0") ? price.toFixed(Math.max(least, placesWithoutZeros(text))) : text;
}

const placesWithoutZeros = (text: string): number => text.replace(/0+$/, "").split(".")[1]!.length;
