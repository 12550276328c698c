import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { intentOf } from "./intent.ts";
import { settingOf } from "./mentions.ts";
import { negatedIn } from "./negated.ts";
import { passedOver } from "./passed-over.ts";
import type { Mention, Reading } from "./reading.ts";
import { spansOf } from "./spans.ts";
import { barLengthIn } from "./timeframe.ts";
import { type Word, wordsOf } from "./words.ts";

/** Words of a long text that are read, as many of its beginning and of its end as may hold a question. */
const FIRST = 120;
const LAST = 60;

/**
 * What a question in plain words means: the instruments it names in their order, each once, whether or not this market holds
 * them; the words that mean one nobody here knows; what is asked; the bar length. Guesses at nothing that could be two things,
 * obeys nothing, and reads only the beginning and the end of a long text.
 */
export function readQuery(text: string, symbols: Symbols): Reading {
  const { plain, words } = wordsOf(text);
  const isCut = words.length > FIRST + LAST;
  const read = { plain, words: isCut ? endsOf(words) : words };
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
  if (all.length === 0)
    for (const text of passedOver(read.words, { symbols, held })) unresolved.set(text, text);
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
    isCut,
  };
}

/** Both ends of a long text, between which nothing goes on. */
function endsOf(words: readonly Word[]): readonly Word[] {
  const [next, ...rest] = words.slice(-LAST);
  return [...words.slice(0, FIRST), { ...next!, gap: "\n" }, ...rest];
}

/** Whether a market holds data of an instrument, looked up once for each. */
function heldIn(symbols: Symbols): (instrument: Instrument) => boolean {
  const known = new Map<string, boolean>();
  return ({ symbol }) => {
    const held = known.get(symbol) ?? symbols.members().some((member) => member.symbol === symbol);
    known.set(symbol, held);
    return held;
  };
}
