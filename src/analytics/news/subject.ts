import type { Instrument } from "../../domain/market/market.ts";

/** Names of an instrument in headlines. */
export interface Subject {
  /** Name without legal forms: `Berkshire Hathaway`. */
  readonly name: string;
  /** Ticker as written by exchanges: `BRK.B`, `BTC`. */
  readonly ticker: string;
}

const FORMS =
  /[\s,]+(?:class [a-z]\b.*|(?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|holdings?|group|common stock|ordinary shares)\b\.?.*)$/i;
/** Maximum length of a ticker that counts only as `$T` or `(T)`: it may be a word or initials. */
const MAX_MARKED_TICKER_LENGTH = 2;

/** Returns the names by which headlines refer to an instrument. */
export function subjectOf({ name, symbol }: Pick<Instrument, "name" | "symbol">): Subject {
  const plain = name.replace(FORMS, "").trim();
  return { name: plain === "" ? name : plain, ticker: symbol.replace(/\.US$|-USD$/, "") };
}

/**
 * Returns the words of a headline that name the subject: its name, or its ticker in capitals; empty if it is not named.
 */
export function mentionsOf(title: string, { name, ticker }: Subject): readonly string[] {
  const capitals = name.toUpperCase();
  // most headlines name neither, and the patterns take most of the time
  if (!title.includes(name) && !title.includes(capitals) && !title.includes(ticker)) return [];
  const found = [
    // names start with a capital or are all capitals: "target prices" does not name Target
    ...matches(title, `(?<![\\p{L}\\p{N}])(?:${escaped(name)}|${escaped(capitals)})(?![\\p{L}\\p{N}])`),
    ...matches(title, `\\$${escaped(ticker)}(?![\\p{L}\\p{N}])`),
    ...matches(title, `(?<=[(:]\\s?)${escaped(ticker)}(?=\\s?[):,])`),
    ...(ticker.length > MAX_MARKED_TICKER_LENGTH
      ? matches(title, `(?<![\\p{L}\\p{N}$.])${escaped(ticker)}(?![\\p{L}\\p{N}.]*[\\p{L}\\p{N}])`)
      : []),
  ];
  return [...new Set(found)];
}

const matches = (text: string, pattern: string): readonly string[] =>
  [...text.matchAll(new RegExp(pattern, "gu"))].map(([found]) => found);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
