import type { Instrument } from "../../domain/market.ts";
import { inContext } from "./in-context.ts";
import { namedAt, type Setting } from "./mentions.ts";
import { misspellings } from "./misspelling.ts";
import { EVERYDAY } from "./ordinary.ts";
import type { Mention } from "./reading.ts";
import { goesOn, isNext, type Span, written } from "./span.ts";
import { AMBIGUOUS, FUNCTION, JOIN, STOCK, TALK } from "./talk.ts";
import { isMarketTalk, nameOrThing } from "./things.ts";
import { CASHTAG } from "./tickers.ts";
import { unknownAt } from "./unknown.ts";
import type { Word, Words } from "./words.ts";

/** A span, and whether it stands only beside another. */
interface Found extends Span {
  readonly beside: boolean;
}

/** Words of at most so many that join two items of a list: `A as well as B` is none. */
const MOST_JOINED = 2;

/** The spans of a text that mean an instrument, in its order, known or not. */
export function spansOf(
  { plain, words }: Words,
  setting: Setting,
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
  return inCompany(settled(found, words), setting);

  function spansAt(at: number): readonly Found[] {
    const word = words[at]!;
    const one = (length: number, instrument: Instrument | null, beside = false): readonly Found[] => [
      { at, length, text: written(plain, words, at, length), instrument, beside },
    ];
    if (word.text.startsWith("$")) {
      if (!CASHTAG.test(word.base)) return [];
      const found = symbols.find(word.base)?.instrument ?? null;
      const instrument = found && heldOf(word.base, found);
      return [{ at, length: 1, text: word.base.slice(1), instrument, beside: false }];
    }
    if (/^usd[tc]?$/i.test(word.text) && /[:/_-]$/.test(word.gap)) return [];
    const spaced = spacedPair(at);
    if (spaced !== null) return one(spaced.length, spaced.instrument);
    const { length, mentions } = namedAt(words, at, setting);
    if (mentions.length > 0) {
      const read = length === 1 ? nameOrThing(words, at, market) : "name";
      if (read === "thing") return [];
      if (mentions.length > 1)
        return mentions.map(({ text, instrument }) => ({
          at,
          length,
          text,
          instrument: heldOf(text, instrument),
          beside: false,
        }));
      const [{ text, instrument }] = mentions as readonly [Mention];
      const spans = one(length, heldOf(text, instrument), read === "beside");
      return /['’]s$/.test(text) ? spans : spans.map(bare);
    }
    if (length > 1) return [];
    const several = listed(at);
    if (several !== null) return several;
    const name = asName(at);
    if (name !== null) {
      const read = nameOrThing(words, at, market);
      return read === "thing" ? [] : one(name.length, name.instrument, name.beside || read === "beside");
    }
    const ticker = inContext(words, at, setting);
    if (ticker !== null && ticker.doubt !== "none")
      return one(1, heldOf(word.base, ticker.instrument), ticker.doubt === "beside");
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
        !right.sure || (!held(right.instrument) && written(plain, words, at, right.length).length < 8),
      ).map(bare);
    const unknown = unknownAt(words, at, setting);
    if (unknown === null) return [];
    const known = words
      .slice(at + 1, at + unknown.length)
      .findIndex((_, i) => namedAt(words, at + 1 + i, setting).mentions.length > 0);
    if (known >= 0 && word.opens) return [];
    return one(known >= 0 ? known + 1 : unknown.length, null, unknown.doubt === "beside").map(bare);
  }

  /** Of the two that share a ticker the one whose data this market has. */
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

  /** `sol usd`: a token and its money, each a word. */
  function spacedPair(at: number): { readonly length: number; readonly instrument: Instrument } | null {
    const next = words[at + 1];
    if (next === undefined || !/^(usd|usdt|usdc|perp)$/i.test(next.text) || !/^[\s/-]{1,3}$/.test(next.gap))
      return null;
    const { base } = words[at]!;
    const instrument = /^[A-Za-z0-9]{2,10}$/.test(base) ? token(base) : null;
    return instrument === null ? null : { length: 2, instrument };
  }

  /** `coke/pepsi`, `btc/eth/sol`: names about a slash. */
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
    return read.map(({ text, instrument }) => ({ at, length: 1, text, instrument, beside: false }));
  }

  /** Whether a word stands against one that is no everyday word: `alphabet vs microsoft`. */
  function isRival(at: number): boolean {
    const against = (word: Word | undefined) => /^(vs|versus|against)$/.test(word?.lower ?? "");
    return [at - 2, at + 2].some((other) => {
      const rival = words[other];
      return rival !== undefined && !rival.everyday && against(words[(at + other) / 2]);
    });
  }

  /** A name that its context alone tells from a word: a plural, or `coke stock`, `gold or bitcoin`. */
  function asName(
    at: number,
  ): { readonly length: number; readonly instrument: Instrument; readonly beside: boolean } | null {
    const { base, everyday, naming, opens } = words[at]!;
    if (!naming || base.length > 30) return null;
    const next = isNext(words[at + 1]) ? words[at + 1]!.lower : "";
    const sole = (text: string): Instrument | null => {
      const [instrument, another] = symbols.named(text).filter((one) => symbols.familiar(one));
      return instrument !== undefined && another === undefined ? instrument : null;
    };
    for (let length = Math.min(4, words.length - at); length > 1; length--) {
      const slice = words.slice(at, at + length);
      if (!slice.every((word, i) => word.everyday && (i === 0 || isNext(word)))) continue;
      if (length === 2 && slice[1]!.lower !== "coin") continue;
      const instrument = sole(slice.map((word) => word.base).join(" "));
      if (instrument !== null) return { length, instrument, beside: false };
    }
    if (!everyday) {
      const single = /^(.{4,})s$/i.exec(base)?.[1];
      const instrument = single === undefined || EVERYDAY.has(single.toLowerCase()) ? null : sole(single);
      if (AMBIGUOUS.has(single?.toLowerCase() ?? "") && !TALK.has(next)) return null;
      return instrument === null ? null : { length: 1, instrument, beside: false };
    }
    if (FUNCTION.has(base.toLowerCase()) || base.length < 3) return null;
    const instrument = sole(base);
    if (instrument === null) return null;
    if (/^(gold|silver|coke)$/i.test(base))
      return { length: 1, instrument, beside: !market && words.length > 2 };
    if (STOCK.has(next) && !/^(total|match|live)$/i.test(base))
      return { length: 1, instrument, beside: false };
    const title = /^\p{Lu}\p{Ll}/u.test(base) && setting.small;
    if (isRival(at)) return { length: 1, instrument, beside: true };
    if (title && words.length === 1) return { length: 1, instrument, beside: false };
    if (!title || !opens) return null;
    if (TALK.has(next))
      return /^(earnings|news|shareholders)$/.test(next) ? { length: 1, instrument, beside: false } : null;
    return { length: 1, instrument, beside: true };
  }
}

/** A part about a slash that says nothing: `now/all`. */
const isSmall = (part: string): boolean =>
  part.length < 2 || (FUNCTION.has(part.toLowerCase()) && !/^[A-Z]+$/.test(part));

/** Without a possessive's ending. */
const bare = (span: Found): Found => ({ ...span, text: span.text.replace(/['’]s$/iu, "") });

/** Reads a ticker that a stock shares with a token as the token, where all others are tokens. */
function inCompany(spans: readonly Span[], { symbols }: Setting): readonly Span[] {
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

/** Keeps what stands by itself, and what stands in a list with such. */
function settled(found: readonly Found[], words: readonly Word[]): readonly Span[] {
  const kept = found.map(({ beside }) => !beside);
  const join = (i: number, other: number) => {
    const [left, right] = i < other ? [found[i], found[other]] : [found[other], found[i]];
    return left !== undefined && right !== undefined && isJoined(left, right, words);
  };
  const follows = (i: number) => {
    const next = words[found[i]!.at + found[i]!.length];
    const lower = next?.lower ?? "";
    const joined = words[found[i]!.at - 1]?.lower ?? "";
    return (
      next === undefined ||
      /^(or|vs|versus|than|against)$/.test(joined) ||
      !/^\s*$/.test(next.gap) ||
      JOIN.has(lower) ||
      TALK.has(lower) ||
      !FUNCTION.has(lower)
    );
  };
  for (let i = 1; i < found.length; i++)
    if (!kept[i] && kept[i - 1] && join(i, i - 1) && follows(i)) kept[i] = true;
  for (let i = found.length - 2; i >= 0; i--) if (!kept[i] && kept[i + 1] && join(i, i + 1)) kept[i] = true;
  // two in doubt on either side of a `vs` vouch for each other
  for (let i = 1; i < found.length; i++)
    if (!kept[i] && !kept[i - 1] && isRivalry(found[i - 1]!, found[i]!, words)) kept[i] = kept[i - 1] = true;
  return found.filter((_, i) => kept[i]);
}

function isJoined(left: Span, right: Span, words: readonly Word[]): boolean {
  const from = left.at + left.length;
  const between = words.slice(from, right.at);
  if (right.at < from || between.length > MOST_JOINED) return right.at === left.at;
  if (!words.slice(from, right.at + 1).every((word) => goesOn(word))) return false;
  if (/^(than|against)$/.test(between.at(-1)?.lower ?? "")) return true;
  if (between.length > 0)
    return (
      between.every(({ lower }) => JOIN.has(lower)) &&
      /^(and|or|vs|versus|v|n|&|against|with|than|to|nor|plus|over)$/.test(between[0]!.lower)
    );
  const everyday = words[left.at]!.everyday || words[right.at]!.everyday;
  const known = left.instrument !== null && right.instrument !== null;
  return (
    /[,/+|]|["'\])]\s*$/.test(words[right.at]!.gap) ||
    (known && !everyday && /^\s$/.test(words[right.at]!.gap))
  );
}

function isRivalry(left: Span, right: Span, words: readonly Word[]): boolean {
  const between = words[left.at + left.length];
  if (right.at !== left.at + left.length + 1 || between === undefined) return false;
  if (left.instrument === null || right.instrument === null) return false;
  const compared = /^(compare|between)$/.test(words[left.at - 1]?.lower ?? "");
  if (!(/^(vs|versus)$/.test(between.lower) || (compared && /^(and|or|&|to|with)$/.test(between.lower))))
    return false;
  return (
    [left, right].some((span) => !FUNCTION.has(span.text.toLowerCase()) && !words[span.at]!.everyday) ||
    [left, right].every((span) => !FUNCTION.has(span.text.toLowerCase()))
  );
}
