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
export function mentionsOf(title: string, subject: Subject): readonly string[] {
  const { name, capitals, ticker, patterns } = searchOf(subject);
  // most headlines name neither, and the patterns take most of the time
  if (!title.includes(name) && !title.includes(capitals) && !title.includes(ticker)) return [];
  const found = patterns.flatMap((pattern) => [...title.matchAll(pattern)].map(([word]) => word));
  return [...new Set(found)];
}

interface Search extends Subject {
  readonly capitals: string;
  readonly patterns: readonly RegExp[];
}

const searches = new WeakMap<Subject, Search>();

/** Returns the patterns of a subject, compiled once. */
function searchOf(subject: Subject): Search {
  const known = searches.get(subject);
  if (known !== undefined) return known;
  const capitals = subject.name.toUpperCase();
  const ticker = escaped(subject.ticker);
  const patterns = [
    // names start with a capital or are all capitals: "target prices" does not name Target
    `(?<![\\p{L}\\p{N}])(?:${escaped(subject.name)}|${escaped(capitals)})(?![\\p{L}\\p{N}])`,
    `\\$${ticker}(?![\\p{L}\\p{N}])`,
    `(?<=[(:]\\s?)${ticker}(?=\\s?[):,])`,
    ...(subject.ticker.length > MAX_MARKED_TICKER_LENGTH
      ? [`(?<![\\p{L}\\p{N}$.])${ticker}(?![\\p{L}\\p{N}.]*[\\p{L}\\p{N}])`]
      : []),
  ].map((pattern) => new RegExp(pattern, "gu"));
  const search = { ...subject, capitals, patterns };
  searches.set(subject, search);
  return search;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
