import type { Instrument, NotListed } from "../../../domain/market/market.ts";
import { everydayName } from "./ambiguous-names.ts";
import { confirmedSpans, type Found } from "./confirmed-spans.ts";
import { namedAt, type TextContext } from "./mentions.ts";
import { isNearName, misspellings } from "./misspelling.ts";
import { classifyName, isMarketTalk } from "./name-or-word.ts";
import type { Mention } from "./span.ts";
import { type Span, written } from "./span.ts";
import { tickerInContext } from "./ticker-in-context.ts";
import { CASHTAG } from "./tickers.ts";
import { unknownAt } from "./unknown-names.ts";
import { WORDS } from "./vocabulary.ts";
import type { Word, Words } from "./words.ts";

/** Returns the spans of a text that name an instrument, known or not, in order. */
export function spansOf(
  { plain, words }: Words,
  setting: TextContext,
  held: (instrument: Instrument) => boolean,
): readonly Span[] {
  const { symbols } = setting;
  const market = isMarketTalk(words);
  const corrected = misspellings(words, setting);
  const found: Found[] = [];
  for (let at = 0; at < words.length; ) {
    const spans = spansAt(at);
    found.push(...spans);
    at += spans[0]?.length ?? 1;
  }
  return preferTokens(confirmedSpans(found, words), setting);

  function spansAt(at: number): readonly Found[] {
    const word = words[at]!;
    const one = (
      length: number,
      instrument: Instrument | null,
      needsNeighbour = false,
      sure = isShortTicker(words[at]!) || !words.slice(at, at + length).every(({ everyday }) => everyday),
    ): readonly Found[] => [
      { at, length, text: written(plain, words, at, length), instrument, needsNeighbour, sure },
    ];
    if (word.text.startsWith("$")) {
      if (!CASHTAG.test(word.base)) return [];
      const found = symbols.find(word.base)?.instrument ?? null;
      const instrument = found && heldOf(word.base, found);
      return [{ at, length: 1, text: word.base.slice(1), instrument, needsNeighbour: false, sure: true }];
    }
    if (/^usd[tc]?$/i.test(word.text) && /[:/_-]$/.test(word.gap)) return [];
    const spaced = spacedPair(at);
    if (spaced !== null) return one(spaced.length, spaced.instrument);
    const { length, mentions } = namedAt(words, at, setting);
    if (mentions.length > 0) {
      const read = length === 1 ? classifyName(words, at, market) : "name";
      if (read === "thing") return [];
      if (mentions.length > 1)
        return mentions.map(({ text, instrument }) => ({
          at,
          length,
          text,
          instrument: heldOf(text, instrument),
          needsNeighbour: false,
          sure: !isEveryday(text),
        }));
      const [{ text, instrument }] = mentions as readonly [Mention];
      const spans = one(length, heldOf(text, instrument), read === "with_neighbour");
      return /['’]s$/.test(text) ? spans : spans.map(withoutPossessive);
    }
    if (length > 1) return [];
    const several = listed(at);
    if (several !== null) return several;
    const name = everydayName(words, at, { ...setting, market });
    if (name !== null) {
      const read = classifyName(words, at, market);
      return read === "thing"
        ? []
        : one(name.length, name.instrument, name.needsNeighbour || read === "with_neighbour");
    }
    const ticker = tickerInContext(words, at, setting);
    if (ticker !== null && ticker.doubt !== "none")
      return one(1, heldOf(word.base, ticker.instrument), ticker.doubt === "with_neighbour");
    const perpetual = /^([A-Za-z0-9]{2,12}?)(USD[TC]?)?([-_.]?(PERP|P))$/i.exec(word.base);
    const base =
      perpetual && (perpetual[2] !== undefined || /perp/i.test(perpetual[4]!)) ? token(perpetual[1]!) : null;
    if (base !== null) return one(1, base);
    const aliased = /^(xbt)[-/_]?usd[tc]?$/i.test(word.base) ? token("XBT") : null;
    if (aliased !== null) return one(1, aliased);
    const right = corrected(at);
    if (right !== null)
      return one(
        right.length,
        right.instrument,
        !right.sure ||
          (!held(right.instrument) && words.length > 1 && written(plain, words, at, right.length).length < 8),
        false,
      ).map(withoutPossessive);
    const former = formerTicker(word);
    if (former !== null) return one(1, former.instrument);
    const unknown = unknownAt(words, at, setting);
    if (unknown === null) return isNearName(words, symbols) ? one(1, null) : [];
    const known = words
      .slice(at + 1, at + unknown.length)
      .findIndex((_, i) => namedAt(words, at + 1 + i, setting).mentions.length > 0);
    if (known >= 0 && word.opens) return [];
    return one(known >= 0 ? known + 1 : unknown.length, null, unknown.doubt === "with_neighbour").map(
      withoutPossessive,
    );
  }

  /** Returns the meaning of a former ticker in capitals; null for two letters, which are often a word, except SQ. */
  function formerTicker({ base, everyday }: Word): NotListed | null {
    if (!setting.small || everyday || WORDS.acronyms.has(base) || !/^([A-Z]{3,5}|SQ)$/.test(base))
      return null;
    const other = symbols.notListed?.(base) ?? null;
    return other?.kind === "index" ? null : other;
  }

  /** Returns the instrument with this ticker for which the market has data; the given one if there is none. */
  function heldOf(text: string, instrument: Instrument): Instrument {
    if (held(instrument)) return instrument;
    const found = symbols.find(text);
    return (
      [found?.instrument, ...(found?.alternatives ?? [])].find((one) => one !== undefined && held(one)) ??
      instrument
    );
  }

  function token(base: string): Instrument | null {
    const pair = symbols.find(`${base}-USD`)?.instrument;
    if (pair?.asset_class === "crypto") return pair;
    return symbols.named(base).find(({ asset_class }) => asset_class === "crypto") ?? null;
  }

  /** Returns a token and its currency written as two words: `sol usd`. */
  function spacedPair(at: number): { readonly length: number; readonly instrument: Instrument } | null {
    const next = words[at + 1];
    if (next === undefined || !/^(usd|usdt|usdc|perp)$/i.test(next.text) || !/^[\s/-]{1,3}$/.test(next.gap))
      return null;
    const { base } = words[at]!;
    const instrument = /^[A-Za-z0-9]{2,10}$/.test(base) ? token(base) : null;
    return instrument === null ? null : { length: 2, instrument };
  }

  /** Returns names separated by slashes: `coke/pepsi`, `btc/eth/sol`; null if one of them is unknown. */
  function listed(at: number): readonly Found[] | null {
    const parts = words[at]!.base.split("/");
    if (parts.length < 2 || parts.length > 40 || parts.some(isSmall)) return null;
    const read = parts.map((text) => {
      const named = symbols.named(text).filter((one) => symbols.familiar(one));
      const instrument = named.length === 1 ? named[0]! : (symbols.find(text)?.instrument ?? null);
      return instrument !== null && symbols.familiar(instrument)
        ? { text, instrument: heldOf(text, instrument) }
        : null;
    });
    if (!read.every((one) => one !== null)) return null;
    return read.map(({ text, instrument }) => ({
      at,
      length: 1,
      text,
      instrument,
      needsNeighbour: false,
      sure: !isEveryday(text),
    }));
  }
}

const isEveryday = (text: string): boolean => WORDS.everyday.has(text.toLowerCase());

/** Returns true for a ticker of one or two letters that is no word of a sentence. */
const isShortTicker = ({ base }: Word): boolean =>
  /^[A-Za-z]{1,2}$/.test(base) && !WORDS.functionWords.has(base.toLowerCase());

/** Returns true for a part between slashes that is not a name: `now/all`. */
const isSmall = (part: string): boolean =>
  part.length < 2 || (WORDS.functionWords.has(part.toLowerCase()) && !/^[A-Z]+$/.test(part));

/** Returns a span without the possessive ending of its text. */
const withoutPossessive = (span: Found): Found => ({ ...span, text: span.text.replace(/['’]s$/iu, "") });

/** Replaces a stock with the token of the same ticker if all other instruments are tokens. */
function preferTokens(spans: readonly Span[], { symbols }: TextContext): readonly Span[] {
  const tokens = spans.map(({ text, instrument }) => {
    const found = instrument && symbols.find(text);
    return found?.instrument === instrument
      ? (found?.alternatives.find(({ asset_class }) => asset_class === "crypto") ?? null)
      : null;
  });
  const others = spans.filter((_, i) => tokens[i] === null);
  if (others.length === 0 || !others.every(({ instrument }) => instrument?.asset_class === "crypto"))
    return spans;
  return spans.map((span, i) => (tokens[i] ? { ...span, instrument: tokens[i] } : span));
}
