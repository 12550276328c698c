/** Text of a value that is missing. */
export const MISSING = "–";

/** Returns a price with two decimals, below 1 with four. */
export function price(value: number | null | undefined): string {
  if (value === null || value === undefined) return MISSING;
  const digits = Math.abs(value) < 1 ? 4 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns a number with a fixed number of decimals. */
export const fixed = (value: number | null | undefined, digits: number): string =>
  value === null || value === undefined ? MISSING : value.toFixed(digits);

/** Returns a change in percent with its sign. */
export const signedPercent = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? MISSING
    : `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)} %`;
