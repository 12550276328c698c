import { TIMEFRAME_MS, TIMEFRAMES, type Timeframe } from "../../../domain/market/bars.ts";
import { numberOf, numberWords } from "../../../lib/number-words.ts";
import { WORDS } from "../../../market/symbols/mentions/vocabulary.ts";
import words from "../data/words.json" with { type: "json" };
import { patterns } from "../phrases.ts";

const MINUTES: Readonly<Record<number, Timeframe>> = Object.fromEntries(
  TIMEFRAMES.map((timeframe) => [TIMEFRAME_MS[timeframe] / 60_000, timeframe]),
);
const UNIT_MINUTES = { m: 1, h: 60, d: 1440, w: 10_080 } as const;
type Unit = keyof typeof UNIT_MINUTES;

const COUNTS = `\\d{1,4}|${numberWords()}`;
const UNITS = "minutes?|mintues?|minuets?|mins?|m|hours?|hourly|hrs?|hr|h|days?|d|weeks?|w";
/** Matches a count, a unit and the next word: `4h`, `15 minutes`, `four-hour chart`. */
const SPAN = new RegExp(
  `(?<![\\p{L}\\p{N}_.,$€£])(?<count>${COUNTS})(?<space>[ -]?)(?<unit>${UNITS})(?![\\p{L}\\p{N}_])(?=[ -]*(?<next>\\p{L}{0,20}))`,
  "giu",
);
/** Matches the notation of charting programs: `H4`, `M15`, `D1`. */
const CODE = /(?<![\p{L}\p{N}_$])([HMDW])(\d{1,3})(?![\p{L}\p{N}_])/giu;
const NAMED =
  /(?<![\p{L}\p{N}_])(quarter[ -]hour(?:ly)?|half[ -](?:an[ -])?hour(?:ly)?|hourly|daily|dailies|weekly|weeklies|monthly)(?![\p{L}\p{N}_])(?=[ -]*(\p{L}{0,20}))/giu;

/** Maximum length of a text in which any length of time is a bar length, in characters. */
const SHORT = 24;
/** Matches words after a length: those for bars, those that make it a duration, and daily or weekly things. */
const NEXT = patterns(words.timeframe);
/** Matches words before a duration that is not a bar length: `in 5 minutes`, `the last 4 hours`. */
const DURING =
  /(?<![\p{L}\p{N}_])(in|last|past|next|within|for|over|every|after|previous|prior|first|final|about|around|another|than|took|takes?|timeout|wait|waited|sleep|retry|ttl|cooldown|expires?|refresh|delay|ago|since|until|till|just|recent|these|those|under|nearly|almost|only)\W{0,3}(the |a |an )?$/iu;

/** Groups of a match of `SPAN`, and the characters before it. */
type Span = Readonly<Record<"count" | "space" | "unit" | "next" | "before", string>>;

/**
 * Returns the bar length that a text names (`4h`, `15 min`, `H1`, `daily`), but not `last 4 hours` or `24h`. Linear
 * time.
 */
export function barLengthIn(text: string) {
  let unserved: string | null = null;
  const named = new Set<Timeframe>();
  const before = (at: number) => text.slice(Math.max(0, at - 24), at);
  for (const match of text.matchAll(SPAN)) {
    const span = { ...(match.groups as unknown as Span), before: before(match.index) };
    const { count, next } = span;
    const unit = span.unit[0]!.toLowerCase() as Unit;
    // a capital M without a word for bars means millions or months
    const bars = NEXT.bars.test(next);
    if (!bars && (span.unit === "M" || NEXT.after.test(next) || isDuring(span))) continue;
    const minutes = numberOf(count) * UNIT_MINUTES[unit];
    const served = (minutes === 1440) === (unit === "d") ? MINUTES[minutes] : undefined;
    const isShort = text.length < SHORT && !(unit === "h" && minutes >= 1440);
    if (served !== undefined) named.add(served);
    else if (bars || isOfBars(span, isShort)) unserved ??= isLeftOut(span.before) ? null : match[0];
  }
  for (const [all, unit, count] of text.matchAll(CODE)) {
    const minutes = Number(count) * UNIT_MINUTES[unit!.toLowerCase() as Unit];
    const served = MINUTES[minutes];
    if (served !== undefined) named.add(served);
    else if (/^(H[2368]|H12|W1)$/i.test(all)) unserved ??= all;
  }
  for (const { 1: word = "", 2: next = "", index } of text.matchAll(NAMED)) {
    if (NEXT.noBars.test(next)) continue;
    if (/^(week|month)/i.test(word)) unserved ??= isLeftOut(before(index)) ? null : word;
    else if (/^quarter/i.test(word)) named.add("15m");
    else if (/^half/i.test(word)) {
      if (NEXT.bars.test(next) || /ly$/i.test(word)) named.add("30m");
    } else named.add(/^hour/i.test(word) ? "1h" : "1d");
  }
  const [timeframe = null] = named;
  return {
    timeframe,
    /** Words for a length that is not supported. */
    unserved,
    /** true: the text names more than one bar length. */
    several: named.size > 1 || (timeframe !== null && unserved !== null),
  };
}

/** Returns true if an unsupported length means bars: `on the 10 minute`, `AAPL 3 minute`, `2h` in a short text. */
function isOfBars({ before, next, unit, space }: Span, isShort: boolean): boolean {
  const onIt = /\bon (the |a )?$/i.test(before);
  if (unit.length === 1) return onIt || (isShort && space === "");
  // a day or a week is a duration unless the text says it is on a chart
  if (!/^(m|h)/i.test(unit)) return onIt && next === "" && !unit.endsWith("s");
  const ends = next === "" || WORDS.talk.has(next.toLowerCase());
  // `3 minute` means bars, `3 minutes` may mean a duration
  return onIt || (ends && (isShort || !/s$/i.test(unit)));
}

/** Returns true if the preceding words exclude the bar length: `not the weekly`. */
const isLeftOut = (before: string): boolean =>
  /(?<![\p{L}])(not|no|than|instead of|except)( the| a| on the)? $/iu.test(before);

/**
 * Returns true if the preceding word makes the length a duration. A short form after `for` or `just`, such as `for 4h`,
 * may still mean bars.
 */
function isDuring({ before, unit, space }: Span): boolean {
  const [, word] = DURING.exec(before) ?? [];
  if (word === undefined) return false;
  return !(/^(for|just)$/i.test(word) && space === "" && unit.length === 1);
}
