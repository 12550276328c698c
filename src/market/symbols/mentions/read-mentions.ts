import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { excludedSpans } from "./excluded-spans.ts";
import { textContextOf } from "./mentions.ts";
import { skippedCapitals } from "./skipped-capitals.ts";
import type { Mention, Span } from "./span.ts";
import { spansOf } from "./spans.ts";
import { type Word, type Words, wordsOf } from "./words.ts";

/** Number of words parsed at the beginning and at the end of a long text. */
const FIRST_WORDS = 120;
const LAST_WORDS = 60;

export interface NamedInstruments {
  /** In order of first mention, without duplicates. */
  readonly mentions: readonly Mention[];
  /** Words that name an unknown instrument, as written, without the sign of a cashtag. */
  readonly unresolved: readonly string[];
  /** Instruments that the text excludes, such as `not Apple`, unless it also asks for them. */
  readonly excluded: readonly Mention[];
  readonly text: Words;
  /** Spans that name the requested instruments, known or unknown. */
  readonly spans: readonly Span[];
  /** true: the text is so long that only its beginning and end were parsed. */
  readonly isCut: boolean;
}

/**
 * Returns the instruments that a question names, with or without data in this market. An ambiguous word names no
 * instrument.
 */
export function readMentions(text: string, symbols: Symbols): NamedInstruments {
  const { plain, words } = wordsOf(text);
  const isCut = words.length > FIRST_WORDS + LAST_WORDS;
  const read = { plain, words: isCut ? endsOf(words) : words };
  const held = heldIn(symbols);
  const all = spansOf(read, textContextOf(text, read.words, symbols), held);
  const excludedSpanSet = excludedSpans(read.words, all);
  const spans = all.filter((span) => !excludedSpanSet.has(span));
  const mentions = new Map<string, Mention>();
  const unresolved = new Map<string, string>();
  for (const { text, instrument, sure } of spans)
    if (instrument !== null && (sure || held(instrument))) {
      if (!mentions.has(instrument.symbol)) mentions.set(instrument.symbol, { text, instrument });
    } else {
      const key = instrument?.symbol ?? text.toLowerCase();
      if (!unresolved.has(key)) unresolved.set(key, text);
    }
  for (const symbol of mentions.keys()) unresolved.delete(symbol);
  if (all.length === 0)
    for (const text of skippedCapitals(read.words, { symbols, held })) unresolved.set(text, text);
  const excluded = new Map<string, Mention>();
  for (const { text, instrument } of excludedSpanSet)
    if (instrument !== null && !mentions.has(instrument.symbol))
      excluded.set(instrument.symbol, { text, instrument });
  return {
    mentions: [...mentions.values()],
    unresolved: [...unresolved.values()],
    excluded: [...excluded.values()],
    text: read,
    spans,
    isCut,
  };
}

/** Returns the first and last words of a long text, separated by a line break. */
function endsOf(words: readonly Word[]): readonly Word[] {
  const [next, ...rest] = words.slice(-LAST_WORDS);
  return [...words.slice(0, FIRST_WORDS), { ...next!, gap: "\n" }, ...rest];
}

/** Returns a function that checks whether the market has data for an instrument; each instrument is looked up once. */
function heldIn(symbols: Symbols): (instrument: Instrument) => boolean {
  const known = new Map<string, boolean>();
  return ({ symbol }) => {
    const held = known.get(symbol) ?? symbols.members().some((member) => member.symbol === symbol);
    known.set(symbol, held);
    return held;
  };
}
