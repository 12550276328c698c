import { tickerMatcher } from "../../analytics/contracts/relevance.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mentionsIn } from "../../market/symbols/mentions/mentions.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";

/** Side of a touch level in one venue's notation; it is removed, because HIGH and LOW are also tickers. */
const SIDES = /\((HIGH|LOW)\)/g;

/** Tickers of one or two letters, which are usually other abbreviations. */
const INITIALS = /^[A-Z]{1,2}$/;

/**
 * Creates a function that searches a contract's question and event title for the instrument's ticker or a name of it. A
 * venue's own classification and similar words do not count. `linked`: it names only this instrument, so that its level
 * is a level of the instrument's price.
 */
export function contractMatcher({ symbol }: Instrument, symbols: Symbols) {
  const bare = symbol.replace(/\.US$|-USD$/, "");
  const owns = symbols.find(bare)?.instrument.symbol === symbol;
  const namesSymbol = tickerMatcher(symbol);
  const namesBare = tickerMatcher(bare);
  const read = new Map<string, ReadonlySet<string>>();
  /** Returns the symbols that a text names. */
  const named = (words: string): ReadonlySet<string> => {
    const text = words.replace(SIDES, " ");
    const known = read.get(text);
    if (known !== undefined) return known;
    // an ambiguous ticker means the instrument that owns it, as everywhere else
    const reading = (mention: Mention) =>
      owns && mention.text.replace("$", "") === bare ? symbol : mention.instrument.symbol;
    const found = new Set(mentionedIn(text, symbols).map(reading));
    if (namesSymbol(text) || (owns && namesBare(text))) found.add(symbol);
    read.set(text, found);
    return found;
  };
  return ({ question, event_title }: Pick<Contract, "question" | "event_title">) => {
    const inQuestion = named(question);
    const mentioned = inQuestion.size > 0 ? inQuestion : named(event_title);
    const about = mentioned.has(symbol) || named(event_title).has(symbol);
    return { about, linked: about && mentioned.size === 1 && mentioned.has(symbol) };
  };
}

/** Returns the instruments that a text mentions; none if it contains an unknown cashtag. */
function mentionedIn(text: string, symbols: Symbols): readonly Mention[] {
  try {
    return mentionsIn(text, symbols).filter(({ text: word }) => !INITIALS.test(word));
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "UNKNOWN_SYMBOL") return [];
    throw cause;
  }
}
