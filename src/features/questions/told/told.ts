import type { OddsAsked } from "../asked/level.ts";
import type { Reader } from "./reader.ts";

/** Summary of one answer: its figures, and a sentence that uses only those figures. */
export interface Told {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly sentence: string;
}

/** Formats the answer of one skill. `brief` omits detail for long lists; `list` selects the lines of a list. */
export type Teller = (
  answer: Reader,
  symbol: string | null,
  brief: boolean,
  asked?: OddsAsked,
  list?: ListAsked,
) => Told;

/** Selects the lines of a list: their number, and filters that the answer has not applied yet. */
export interface ListAsked {
  readonly shown: number;
  readonly bias?: string;
  readonly grade?: string;
  readonly min_score?: number;
  readonly weakest?: boolean;
  /** Symbols that are left aside. */
  readonly without?: readonly string[];
  /** Shows reward-to-risk for each line. Default: false. */
  readonly rr?: boolean;
  /** Requested direction if the lines are not filtered by it. */
  readonly wants?: "LONG" | "SHORT";
}

/** A reason as the end of a sentence that has no full stop yet; nothing where there is none. */
export const because = (reason: string | null, before = ", "): string =>
  reason === null ? "" : `${before}${lower(reason.replace(/[.]$/, ""))}`;

/** Our own words for why, within a sentence. */
const lower = (reason: string): string =>
  /^[A-Z][a-z]/.test(reason) ? `${reason[0]!.toLowerCase()}${reason.slice(1)}` : reason;

/** Source and time as the end of a sentence. */
export const from = (source: string | null, asOf: string | null): string =>
  `(${source ?? "no source"}${asOf === null ? "" : `, ${asOf}`})`;

/** A figure in a sentence; a word in the place of one that is not there. */
export const show = (value: number | string | null, unit = ""): string =>
  value === null ? "unknown" : `${value}${unit}`;

/** A price in a sentence, with its currency; prices here are in US dollars. */
export const dollars = (price: number | null): string =>
  price === null ? "unknown" : `${price < 0 ? "-" : ""}$${grouped(Math.abs(price), price % 1 === 0 ? 0 : 2)}`;

/** So many million dollars, in a sentence. */
export const millions = (value: number | null): string =>
  value === null ? "unknown" : `$${grouped(value)} million`;

/** A number in a sentence, its thousands apart. */
export const grouped = (value: number | null, decimals = 0): string =>
  value === null
    ? "unknown"
    : value.toLocaleString("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: 12 });

/** `one`, `one and two`, `one, two and three`. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Words of others, whole and marked as theirs, for the figures; a sentence of ours never holds them. */
export interface Quote {
  readonly text: string;
  readonly source: string | null;
  readonly untrusted: true;
}

/** Words of others at a path of each row, each once, so many at most. */
export function quotesOf(
  rows: readonly Reader[],
  { text, source, most }: { readonly text: string; readonly source: string; readonly most: number },
): readonly Quote[] {
  const quotes = new Map<string, Quote>();
  for (const row of rows) {
    const words = row.text(text);
    if (words !== null && !quotes.has(words))
      quotes.set(words, { text: words, source: row.text(source), untrusted: true });
  }
  return [...quotes.values()].slice(0, most);
}
