import type { Timeframe } from "../domain/bars.ts";
import type { Instrument } from "../domain/market.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Symbols } from "../ports/index.ts";

/** An instrument that a text speaks of, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}

const LONGEST_NAME = 4;

/** Words that are also names or tickers, and in a sentence mostly are not; a cashtag or capital letters still name them. */
const WORDS = new Set(
  (
    "a all am an and any are as ask at be beat best big block buy by can coin cost day do doc dow ed edge es fast " +
    "flow for fun gap get go good has have he hold how i if in is it its key let link lite long low me now of on " +
    "one op open or out own path play price progressive pump rare real reg rose run say see sell sense she short " +
    "signal silver gold snap so story strategy sun tap target team tech tell tell than that the they this tip to " +
    "today top total trend true two unity up us very was wave we week well what when which who why will with would you " +
    "move movement near net maker match quant square spectrum stop story threshold chain"
  ).split(" "),
);
/** Capital letters that mean something else when one talks of markets; a cashtag still names the ticker. */
const ACRONYMS = new Set(
  "A I AI AM PM US USA USD UK EU ETF IPO CEO EPS PE RSI ATR EMA SMA IV OI ATH OK IT".split(" "),
);

/** The instruments a question names, in its order, each once. Small words are not read as tickers; nothing is guessed. */
export function mentionsIn(text: string, symbols: Symbols): readonly Mention[] {
  const words = wordsOf(text);
  const shouted = !/\p{Ll}/u.test(text);
  const found = new Map<string, Mention>();
  for (let at = 0; at < words.length; ) {
    const hit =
      longestName(words.slice(at, at + LONGEST_NAME), symbols) ?? ticker(words[at]!, shouted, symbols);
    if (hit !== null && !found.has(hit.instrument.symbol)) found.set(hit.instrument.symbol, hit);
    at += hit === null ? 1 : hit.text.split(" ").length;
  }
  return [...found.values()];
}

/** The bar length a question asks for (`4h`, `15 minutes`, `daily`); undefined where it names none. */
export function timeframeIn(text: string): Timeframe | undefined {
  const [, count, unit] =
    /\b(1|4|5|15|30)[\s-]?(h|m|d)(?:(?:ou)?rs?|in(?:ute)?s?|ays?|ly)?\b/i.exec(text) ?? [];
  const named = `${count}${unit?.toLowerCase()}`;
  if (SERVED.has(named)) return named as Timeframe;
  if (/\bhourly\b/i.test(text)) return "1h";
  return /\bdaily\b/i.test(text) ? "1d" : undefined;
}
const SERVED: ReadonlySet<string> = new Set<Timeframe>(["1d", "4h", "1h", "30m", "15m", "5m"]);

/** Words without the punctuation around them and without a possessive's ending. */
const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[\s,;:!?()"“”]+/u)
    .map((word) => word.replace(/^['‘’.]+|['‘’.]+$/gu, "").replace(/['’]s$/u, ""))
    .filter((word) => word !== "");

/** A name that one instrument alone bears, the longest that starts here. */
function longestName(words: readonly string[], symbols: Symbols): Mention | null {
  for (let length = words.length; length > 0; length--) {
    const text = words.slice(0, length).join(" ");
    if (length === 1 && WORDS.has(text)) continue;
    const [instrument, another] = symbols.named(text);
    if (instrument !== undefined && another === undefined) return { text, instrument };
  }
  return null;
}

/** A ticker or pair: a cashtag, a pair form, capital letters, or small ones that are no word. */
function ticker(word: string, shouted: boolean, symbols: Symbols): Mention | null {
  const cashtag = /^\$[A-Za-z]{1,6}([.-][A-Za-z])?$/.test(word);
  if (!cashtag) {
    const pair = /^[A-Za-z0-9]{2,10}[-/]?USD[TC]?$/i.test(word);
    const capitals = /^[A-Z]{1,5}([.-][A-Z])?$/.test(word) && !shouted && !ACRONYMS.has(word);
    const small = /^[A-Za-z]{3,5}([.-][A-Za-z])?$/.test(word) && !WORDS.has(word.toLowerCase());
    if (!pair && !capitals && !small) return null;
  }
  try {
    return { text: word, instrument: symbols.resolve(word).instrument };
  } catch (cause) {
    // who writes a cashtag means a ticker and is told that there is none
    if (cause instanceof ToolError && !cashtag) return null;
    throw cause;
  }
}
