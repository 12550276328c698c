/** Range of dollars in a disclosure, which has no exact amount; `high` is null if the range has no upper end. */
export interface AmountBand {
  readonly low: number;
  readonly high: number | null;
  readonly label: string;
}

const LOWS = [
  1_001, 15_001, 50_001, 100_001, 250_001, 500_001, 1_000_001, 5_000_001, 25_000_001, 50_000_001,
] as const;
/** Tolerance for the ends of the form's ranges, dollars. */
const SLIP = 1;

const dollars = (amount: number): string => `$${String(amount).replace(/\B(?=(\d{3})+$)/g, ",")}`;
const labelled = (low: number, high: number | null): AmountBand => ({
  low,
  high,
  label: high === null ? `Over ${dollars(low - 1)}` : `${dollars(low)} - ${dollars(high)}`,
});

/**
 * Returns the ranges of the periodic transaction report, in dollars, ascending.
 * @see 5 U.S.C. 13104(d)(1), which the form follows
 */
export const amountBands = (): readonly AmountBand[] =>
  LOWS.map((low, i) => labelled(low, i + 1 < LOWS.length ? LOWS[i + 1]! - 1 : null));

/**
 * Returns the band for the two bounds as read; completes a missing upper bound from the form, and leaves a range of
 * another form unchanged. Null for invalid bounds: a lower bound that starts no band, or bounds in the wrong order.
 */
export function bandOf(low: number, high: number | null): AmountBand | null {
  if (!Number.isFinite(low) || low < 0 || (high !== null && !(Number.isFinite(high) && high > low)))
    return null;
  const near = (a: number, b: number) => Math.abs(a - b) <= SLIP;
  const found = amountBands().find(
    (band) => near(band.low, low) && (high === null || (band.high !== null && near(band.high, high))),
  );
  return found ?? (high === null ? null : labelled(low, high));
}

/**
 * Parses the band named in a text: `$1,001 - $15,000`, the lower bound alone, or `Over $1,000,000` (used for a spouse
 * or a child, without an upper bound). Null for anything else, since the text is untrusted.
 */
export function bandIn(text: string): AmountBand | null {
  const plain = text.replace(/\s+/g, " ").trim();
  const over = /^(?:spouse\/dc )?over \$?([\d,]{1,14})(?:\.00)?$/i.exec(plain)?.[1];
  if (over !== undefined) {
    const low = parseDollars(over) + 1;
    return low >= 1_000_001 ? labelled(low, null) : null;
  }
  const range = /^\$?([\d,]{1,14})(?:\.00)?(?: ?(?:-|–|to|\+) ?(?:\$?([\d,]{1,14})(?:\.00)?)?)?$/i.exec(
    plain,
  );
  if (range === null) return null;
  return bandOf(parseDollars(range[1]!), range[2] === undefined ? null : parseDollars(range[2]));
}

const parseDollars = (digits: string): number => Number(digits.replaceAll(",", ""));
