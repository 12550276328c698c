import type { Timeframe } from "../domain/bars.ts";
import type { Instrument } from "../domain/market.ts";
import type { Symbols } from "../ports/index.ts";
import { ACRONYMS, EVERYDAY } from "./everyday.ts";

/** An instrument that a text speaks of, and the words that name it. */
export interface Mention {
  readonly text: string;
  readonly instrument: Instrument;
}

interface Word {
  readonly text: string;
  /** Without a possessive's ending. */
  readonly base: string;
  /** Whether a sentence begins with it, where a capital says nothing. */
  readonly opens: boolean;
  readonly everyday: boolean;
  /** false for letters of another alphabet, and for a cashtag, which is a ticker. */
  readonly naming: boolean;
}

/** Words of the longest name read. */
const LONGEST_NAME = 8;

/**
 * The instruments a question names, in its order, each once. Small words are not read as tickers; nothing is guessed.
 * What only long lists know is read as a cashtag, as a pair, or in capitals that the text around it does not have.
 */
export function mentionsIn(text: string, symbols: Symbols): readonly Mention[] {
  const words = wordsOf(text);
  const small = /\p{Ll}/u.test(text);
  const sure = small || words.every(({ base, everyday }) => !everyday && !ACRONYMS.has(base.toUpperCase()));
  const isTicker = ({ base }: Word) => {
    const read = CAPITALS.test(base) ? symbols.find(base) : null;
    return read !== null && (sure || symbols.familiar(read.instrument));
  };
  const told = small || words.every(isTicker);
  const found = new Map<string, Mention>();
  for (let at = 0; at < words.length; ) {
    const name = longestName(words, at, { small, symbols });
    const isName = name !== null && (name.mentions.length > 0 || name.length > 1);
    const mentions = isName ? name.mentions : tickers(words, at, { told, sure, symbols });
    for (const mention of mentions)
      if (!found.has(mention.instrument.symbol)) found.set(mention.instrument.symbol, mention);
    at += isName ? name.length : 1;
  }
  return [...found.values()];
}

/** The bar length a question asks for (`4h`, `15 minutes`, `daily`); undefined where it names none that is served. */
export function timeframeIn(text: string): Timeframe | undefined {
  for (const [, count, unit, next = ""] of text.matchAll(SPAN)) {
    if ((unit === "M" && !/^(chart|candle|bar|timeframe)/i.test(next)) || /^(ago|shares)$/i.test(next))
      continue;
    const length = /^h(ours?|ourly|rs?)?$|^m(in(ute)?s?)?$|^d(ays?)?$/i.test(unit!) ? unit![0]! : "";
    const named = `${count}${length.toLowerCase()}`.replace("60m", "1h");
    if (SERVED.has(named)) return named as Timeframe;
  }
  if (/(?<![\w-])hourly\b/i.test(text)) return "1h";
  return /\bdaily\b/i.test(text) ? "1d" : undefined;
}

/** The words that ask for bars of a length that is not served (`weekly`, `2h chart`); undefined where there are none. */
export function unservedIn(text: string): string | undefined {
  const [asked] = timeframeIn(text) === undefined ? (UNSERVED.exec(text) ?? []) : [];
  return asked?.trim();
}
const UNSERVED =
  /(?<![\w-])(?:weekly|monthly)\b|(?<![\w.,$€£])\d+[\s-]?[a-z]+\s+(?=(?:charts?|bars?|candles?|timeframe)\b)/i;

const SERVED: ReadonlySet<string> = new Set<Timeframe>(["1d", "4h", "1h", "30m", "15m", "5m"]);
/** Number, unit and next word: `4 hours ago` is no length, and `5M` may be millions or months. */
const SPAN = /(?<![\w.,$€£])(\d+)[\s-]?([a-z]+)\b(?=(?:\s+([a-z]+))?)/gi;

const NAMING = /^[\p{Script=Latin}\p{M}\p{N}&.'’/_-]+$/u;

/** Words as written, without the marks around them. */
function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let end = 0;
  let opens = true;
  const plain = text.replace(/\p{Cf}/gu, "");
  for (const { 0: raw, index } of plain.matchAll(/[\p{L}\p{M}\p{N}$&.'’/_-]+/gu)) {
    opens ||= /[!?:\n]/.test(plain.slice(end, index));
    end = index + raw.length;
    const word = raw === "&" ? raw : raw.replace(/^[^\p{L}\p{N}$]+|[^\p{L}\p{N}]+$/gu, "");
    if (word === "") continue;
    const base = word.replace(/['’]s$/iu, "");
    const everyday = EVERYDAY.has(base.toLowerCase());
    words.push({ text: word, base, opens, everyday, naming: NAMING.test(word) });
    opens = /[.]$/.test(raw);
  }
  return words;
}

/** The longest name that starts here; without mentions where several instruments bear it. */
function longestName(
  words: readonly Word[],
  at: number,
  { small, symbols }: { readonly small: boolean; readonly symbols: Symbols },
): { readonly length: number; readonly mentions: readonly Mention[] } | null {
  for (let length = Math.min(LONGEST_NAME, words.length - at); length > 0; length--) {
    const slice = words.slice(at, at + length);
    const { text, base } = slice[length - 1]!;
    if (!slice.every(({ naming }) => naming) || text === "&" || slice[0]!.text === "&") continue;
    if (slice.every(({ everyday }) => everyday) && !(small && isMeant(words, at, length))) continue;
    const before = slice.slice(0, -1).map((word) => word.text);
    for (const last of new Set([text, base])) {
      const name = [...before, last].join(" ");
      const bearers = symbols.named(name).filter((one) => symbols.familiar(one));
      const [instrument, another] = bearers;
      if (instrument !== undefined)
        return { length, mentions: another === undefined ? [{ text: name, instrument }] : [] };
    }
  }
  return null;
}

const isCapital = (word: Word | undefined): boolean => word !== undefined && /^\p{Lu}/u.test(word.text);

/** Whether everyday words are written as a name: `Target` within a sentence, but not in `What Is The Target`. */
function isMeant(words: readonly Word[], at: number, length: number): boolean {
  const slice = words.slice(at, at + length);
  const asTitle = (word: Word | undefined) =>
    word !== undefined && isCapital(word) && word.everyday && !word.opens && word.text !== "I";
  return (
    slice.every(({ text }) => /^\p{Lu}.*\p{Ll}/u.test(text)) &&
    !(length === 1 && slice[0]!.opens) &&
    ![words[at - 1], words[at + length]].some(asTitle)
  );
}

const CASHTAG = /^\$[A-Za-z][A-Za-z0-9]{0,9}([./_-][A-Za-z]{1,4})?$/;
const PAIR = /^[A-Za-z0-9]{2,10}[-/_]?USD[TC]?$/i;
const CAPITALS = /^[A-Z]{1,5}([./-][A-Z]|-P[A-Z]|\.US)?$/;
const SMALL = /^([A-Za-z]{3,5}|[A-Za-z]{2,5}[./-][A-Za-z]|[A-Za-z]{1,5}\.us)$/;
/** Whether a token is written as its pair: a name of its own may end in USD. */
const isPair = (text: string, { symbol, asset_class }: Instrument): boolean =>
  asset_class === "crypto" && PAIR.test(text) && text.toUpperCase() !== symbol.replace(/-USD$/, "");
/** Capitals that the word before them explains: `grade B`, `50-day MA`. */
const EXPLAINED =
  /^(grade|class|series|plan|phase|wave|tier|type|model|option|part|\d) [A-Z]$|(\d|day|week|hour|bar|period|moving) MA$/i;

/** A ticker or pair: a cashtag, a pair form, capital letters, or small ones that are no word; or several about a slash. */
function tickers(
  words: readonly Word[],
  at: number,
  { told, sure, symbols }: { readonly told: boolean; readonly sure: boolean; readonly symbols: Symbols },
): readonly Mention[] {
  const { base } = words[at]!;
  // who writes a cashtag means a ticker and is told that there is none
  if (CASHTAG.test(base)) return [{ text: base, instrument: symbols.resolve(base).instrument }];
  const read = (text: string): Mention | null => {
    const capitals = CAPITALS.test(text) && told;
    const everyday = EVERYDAY.has(text.toLowerCase());
    if (ACRONYMS.has(text.toUpperCase()) || (everyday && !capitals)) return null;
    if (!(capitals || PAIR.test(text) || SMALL.test(text))) return null;
    const instrument = symbols.find(text)?.instrument;
    if (instrument === undefined) return null;
    // a word that is the ticker of something hardly known is a word
    const shown = isPair(text, instrument) || (capitals && sure && !everyday);
    if (!symbols.familiar(instrument) && !shown) return null;
    return { text, instrument };
  };
  if (EXPLAINED.test(`${words[at - 1]?.text ?? ""} ${base}`)) return [];
  const whole = read(base);
  if (whole !== null) return [whole];
  const parts = base.split("/").map((part) => (part.length > 1 ? read(part) : null));
  const isList = parts.length > 1 && parts.every((part) => part?.instrument.asset_class !== "crypto");
  return isList && parts.every((part) => part !== null) ? parts : [];
}
