import { namesTicker } from "../../analytics/contracts/relevance.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Symbols } from "../../domain/ports.ts";
import type { Contract } from "../../domain/prediction-markets/contracts.ts";
import { ToolError } from "../../kernel/errors.ts";
import { mentionsIn } from "../../market/symbols/mentions/mentions.ts";
import type { Mention } from "../../market/symbols/mentions/span.ts";

/** Which side a touch level lies on, as one venue writes it: words that are tickers too. */
const SIDES = /\((HIGH|LOW)\)/g;

/** Tickers that are initials of something else in most sentences. */
const INITIALS = /^[A-Z]{1,2}$/;

/** What a contract has to do with an instrument. `linked`: it is on this one alone, so that a level in it is a level of its price. */
export interface About {
  readonly about: boolean;
  readonly linked: boolean;
}

/**
 * Reads contracts' own words for an instrument: its ticker as such or a name of it, in the question or the event's title. What a venue
 * merely files under it, or matches by a similar word, does not count.
 */
export function aboutReader(
  instrument: Instrument,
  symbols: Symbols,
): (contract: Pick<Contract, "question" | "event_title">) => About {
  const { symbol } = instrument;
  const bare = symbol.replace(/\.US$|-USD$/, "");
  const owns = symbols.find(bare)?.instrument.symbol === symbol;
  const read = new Map<string, ReadonlySet<string>>();
  /** Symbols that a text names. */
  const named = (words: string): ReadonlySet<string> => {
    const text = words.replace(SIDES, " ");
    const known = read.get(text);
    if (known !== undefined) return known;
    // a ticker that is another's too is read as everywhere else: as the one that owns it
    const reading = (mention: Mention) =>
      owns && mention.text.replace("$", "") === bare ? symbol : mention.instrument.symbol;
    const found = new Set(mentionedIn(text, symbols).map(reading));
    if (namesTicker(text, symbol) || (owns && namesTicker(text, bare))) found.add(symbol);
    read.set(text, found);
    return found;
  };
  return ({ question, event_title }) => {
    const inQuestion = named(question);
    const mentioned = inQuestion.size > 0 ? inQuestion : named(event_title);
    const about = mentioned.has(symbol) || named(event_title).has(symbol);
    return { about, linked: about && mentioned.size === 1 && mentioned.has(symbol) };
  };
}

/** What a text mentions; a cashtag of something unknown makes it no text about anything. */
function mentionedIn(text: string, symbols: Symbols): readonly Mention[] {
  try {
    return mentionsIn(text, symbols).filter(({ text: word }) => !INITIALS.test(word));
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "UNKNOWN_SYMBOL") return [];
    throw cause;
  }
}
