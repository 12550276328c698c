import type { Instrument } from "../../domain/market/market.ts";
import { escapeRegExp } from "../../lib/escape-regexp.ts";

/** Names of an instrument in headlines. */
export interface Subject {
  /** Name without legal forms: `Berkshire Hathaway`. */
  readonly name: string;
  /** Ticker as written by exchanges: `BRK.B`, `BTC`. */
  readonly ticker: string;
  /** Patterns that match the name, or the ticker in capitals, in a headline. */
  readonly patterns: readonly RegExp[];
}

const FORMS =
  /[\s,]+(?:class [a-z]\b.*|(?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|holdings?|group|common stock|ordinary shares)\b\.?.*)$/i;
/** Maximum length of a ticker that counts only as `$T` or `(T)`: it may be a word or initials. */
const MAX_MARKED_TICKER_LENGTH = 2;

/** Returns the names by which headlines refer to an instrument. */
export function subjectOf({ name, symbol }: Pick<Instrument, "name" | "symbol">): Subject {
  const plain = name.replace(FORMS, "").trim() || name;
  const ticker = symbol.replace(/\.US$|-USD$/, "");
  return { name: plain, ticker, patterns: patternsOf(plain, ticker) };
}

/** Compiles the patterns of a name and a ticker, which takes longer than a match. */
function patternsOf(name: string, ticker: string): readonly RegExp[] {
  const literal = escapeRegExp(ticker);
  return [
    // names start with a capital or are all capitals: "target prices" does not name Target
    `(?<![\\p{L}\\p{N}])(?:${escapeRegExp(name)}|${escapeRegExp(name.toUpperCase())})(?![\\p{L}\\p{N}])`,
    `\\$${literal}(?![\\p{L}\\p{N}])`,
    `(?<=[(:]\\s?)${literal}(?=\\s?[):,])`,
    ...(ticker.length > MAX_MARKED_TICKER_LENGTH
      ? [`(?<![\\p{L}\\p{N}$.])${literal}(?![\\p{L}\\p{N}.]*[\\p{L}\\p{N}])`]
      : []),
  ].map((pattern) => new RegExp(pattern, "gu"));
}

/**
 * Returns the words of a headline that name the subject: its name, or its ticker in capitals; empty if it is not named.
 */
export function mentionsOf(title: string, { name, ticker, patterns }: Subject): readonly string[] {
  // most headlines name neither
  const mayName = [name, name.toUpperCase(), ticker].some((text) => title.includes(text));
  if (!mayName) return [];
  return [...new Set(patterns.flatMap((pattern) => [...title.matchAll(pattern)].map(([word]) => word)))];
}
