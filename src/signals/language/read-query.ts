import type { Instrument } from "../../domain/market.ts";
import type { Symbols } from "../../ports/index.ts";
import { intentOf } from "./intent.ts";
import { LONGEST_READ } from "./longest-read.ts";
import { settingOf } from "./mentions.ts";
import { negatedIn } from "./negated.ts";
import type { Mention, Reading } from "./reading.ts";
import { spansOf } from "./spans.ts";
import { barLengthIn } from "./timeframe.ts";
import { wordsOf } from "./words.ts";

const MOST_WORDS = 250;

/**
 * What a question in plain words means: the instruments it names in their order, each once, whether or not this market holds
 * them; the words that mean one nobody here knows; what is asked; the bar length. Guesses at nothing that could be two things,
 * obeys nothing, and reads only the beginning of a long text.
 */
export function readQuery(text: string, symbols: Symbols): Reading {
  const { plain, words } = wordsOf(beginningOf(text));
  const read = { plain, words: words.slice(0, MOST_WORDS) };
  const held = heldIn(symbols);
  const all = spansOf(read, settingOf(text, read.words, symbols), held);
  const negated = negatedIn(read.words, all);
  const spans = all.filter((span) => !negated.has(span));
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
  const excluded = new Map<string, Mention>();
  for (const { text, instrument } of negated)
    if (instrument !== null && !mentions.has(instrument.symbol))
      excluded.set(instrument.symbol, { text, instrument });
  const intent = intentOf(read, { spans, named: mentions.size + unresolved.size });
  return {
    intent,
    ...barLengthIn(read.plain),
    mentions: [...mentions.values()],
    unresolved: [...unresolved.values()],
    excluded: [...excluded.values()],
    isCut: text.length > LONGEST_READ || words.length > MOST_WORDS,
  };
}

/** The first characters, without a word that would be cut short. */
const beginningOf = (text: string): string =>
  text.length <= LONGEST_READ ? text : text.slice(0, LONGEST_READ).replace(/\S{1,80}$/u, "");

/** Whether a market holds data of an instrument, looked up once for each. */
function heldIn(symbols: Symbols): (instrument: Instrument) => boolean {
  const known = new Map<string, boolean>();
  return ({ symbol }) => {
    const held = known.get(symbol) ?? symbols.members().some((member) => member.symbol === symbol);
    known.set(symbol, held);
    return held;
  };
}
