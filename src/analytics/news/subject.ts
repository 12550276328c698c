import type { Instrument } from "../../domain/market/market.ts";

/** How headlines name an instrument. */
export interface Subject {
  /** As they write its name, without legal forms: `Berkshire Hathaway`. */
  readonly name: string;
  /** As exchanges write it: `BRK.B`, `BTC`. */
  readonly ticker: string;
}

const FORMS =
  /[\s,]+(?:class [a-z]\b.*|(?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|n\.?v|s\.?a|holdings?|group|common stock|ordinary shares)\b\.?.*)$/i;
/** A ticker so short is a word or an initial unless something marks it. */
const SHORT = 2;

/** The names under which a headline speaks of an instrument. */
export function subjectOf({ name, symbol }: Pick<Instrument, "name" | "symbol">): Subject {
  const plain = name.replace(FORMS, "").trim();
  return { name: plain === "" ? name : plain, ticker: symbol.replace(/\.US$|-USD$/, "") };
}

/** The words of a headline that mean the subject: its name, and its ticker in capitals; none where it is not named. */
export function mentionsOf(title: string, { name, ticker }: Subject): readonly string[] {
  const found = [
    // names begin with a capital, or are written in capitals alone: target prices are no Target
    ...matches(
      title,
      `(?<![\\p{L}\\p{N}])(?:${escaped(name)}|${escaped(name.toUpperCase())})(?![\\p{L}\\p{N}])`,
    ),
    ...matches(title, `\\$${escaped(ticker)}(?![\\p{L}\\p{N}])`),
    ...matches(title, `(?<=[(:]\\s?)${escaped(ticker)}(?=\\s?[):,])`),
    ...(ticker.length > SHORT
      ? matches(title, `(?<![\\p{L}\\p{N}$.])${escaped(ticker)}(?![\\p{L}\\p{N}.]*[\\p{L}\\p{N}])`)
      : []),
  ];
  return [...new Set(found)];
}

const matches = (text: string, pattern: string): readonly string[] =>
  [...text.matchAll(new RegExp(pattern, "gu"))].map(([found]) => found);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
