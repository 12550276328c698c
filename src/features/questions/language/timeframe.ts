import type { Timeframe } from "../../../domain/market/bars.ts";
import { WORDS } from "../../../market/symbols/mentions/vocabulary.ts";

/** Bar length that a text names, and the words for a length that is not supported. */
export interface BarLength {
  readonly timeframe: Timeframe | null;
  readonly unserved: string | null;
  /** true: the text names more than one bar length. */
  readonly several: boolean;
}

const MINUTES: Readonly<Record<number, Timeframe>> = {
  5: "5m",
  15: "15m",
  30: "30m",
  60: "1h",
  240: "4h",
  1440: "1d",
};
const UNIT_MINUTES = { m: 1, h: 60, d: 1440, w: 10_080 } as const;
type Unit = keyof typeof UNIT_MINUTES;

const COUNTED: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  thirty: 30,
  sixty: 60,
};
const COUNTS = `\\d{1,4}|${Object.keys(COUNTED).join("|")}`;
const UNITS = "minutes?|mintues?|minuets?|mins?|m|hours?|hourly|hrs?|hr|h|days?|d|weeks?|w";
/** Matches a count, a unit and the next word: `4h`, `15 minutes`, `four-hour chart`. */
const SPAN = new RegExp(
  `(?<![\\p{L}\\p{N}_.,$€£])(${COUNTS})([ -]?)(${UNITS})(?![\\p{L}\\p{N}_])(?=(?:[ -]+(\\p{L}{1,20}))?)`,
  "giu",
);
/** Matches the notation of charting programs: `H4`, `M15`, `D1`. */
const CODE = /(?<![\p{L}\p{N}_$])([HMDW])(\d{1,3})(?![\p{L}\p{N}_])/giu;
const NAMED =
  /(?<![\p{L}\p{N}_])(quarter[ -]hour(?:ly)?|half[ -](?:an[ -])?hour(?:ly)?|hourly|daily|dailies|eod|weekly|weeklies|monthly)(?![\p{L}\p{N}_])(?=(?:[ -]+(\p{L}{1,20}))?)/giu;

/** Maximum length of a text in which any length of time is a bar length, in characters. */
const SHORT = 24;
const BARS = /^(charts?|bars?|candles?|candels?|candlesticks?|timeframes?|tf|time|interval|view|period)$/i;
/** Matches words before a duration that is not a bar length: `in 5 minutes`, `the last 4 hours`. */
const DURING =
  /(?<![\p{L}\p{N}_])(in|last|past|next|within|for|over|every|after|previous|prior|first|final|about|around|another|than|took|takes?|timeout|wait|waited|sleep|retry|ttl|cooldown|expires?|refresh|delay|ago|since|until|till|just|recent|these|those|under|nearly|almost|only)\W{0,3}(the |a |an )?$/iu;
const AFTER =
  /^(ago|later|old|shares?|from|before|after|away|early|late|delay|delayed|window|timeout|apart|straight|long|break|meeting|call)$/i;
/** Matches daily or weekly things that are not bars. */
const NO_BARS =
  /^(news|newsletters?|emails?|digests?|briefs?|briefings?|volumes?|limits?|loss|losses|expenses?|life|routine|basis|wages?|dose|paper|papers|mail|star|options?|calls?|puts?|expiry|expirations?|jobless|claims|meeting|income|dividends?|returns?|recap|summary|summaries|report|reports|schedule|pay|payer)$/i;

/**
 * Returns the bar length that a text names (`4h`, `15 min`, `H1`, `daily`), but not `last 4 hours` or `24h`. Linear
 * time.
 */
export function barLengthIn(text: string): BarLength {
  let unserved: string | null = null;
  const named = new Set<Timeframe>();
  for (const match of text.matchAll(SPAN)) {
    const [all, count, space, unitName, next = ""] = match;
    const unit = unitName![0]!.toLowerCase() as Unit;
    // a capital M without a word for bars means millions or months
    if (unitName === "M" && !BARS.test(next)) continue;
    const bars = BARS.test(next);
    const before = text.slice(Math.max(0, match.index - 24), match.index);
    if (!bars && (AFTER.test(next) || isDuring(before, unitName!, space!))) continue;
    const minutes = (COUNTED[count!.toLowerCase()] ?? Number(count)) * UNIT_MINUTES[unit];
    const served = minutes === 1440 && unit === "h" ? undefined : MINUTES[minutes];
    if (served !== undefined && !(minutes === 1440 && unit !== "d")) {
      named.add(served);
      continue;
    }
    if (bars || isOfBars({ text, before, next, unit: unitName!, space: space!, minutes }))
      unserved ??= isLeftOut(before) ? null : all;
  }
  for (const [all, unit, count] of text.matchAll(CODE)) {
    const minutes = Number(count) * UNIT_MINUTES[unit!.toLowerCase() as Unit];
    const served = MINUTES[minutes];
    if (served !== undefined) named.add(served);
    else if (/^(H[2368]|H12|W1)$/i.test(all)) unserved ??= all;
  }
  for (const { 1: word, 2: next = "", index } of text.matchAll(NAMED)) {
    if (NO_BARS.test(next)) continue;
    const name = word!.toLowerCase();
    if (name.startsWith("week") || name === "monthly")
      unserved ??= isLeftOut(text.slice(Math.max(0, index - 24), index)) ? null : word!;
    else if (name === "eod") continue;
    else if (/^(half|quarter)/.test(name)) {
      if (BARS.test(next) || name.endsWith("ly") || name.startsWith("quarter"))
        named.add(name.startsWith("half") ? "30m" : "15m");
    } else named.add(name === "hourly" ? "1h" : "1d");
  }
  const [timeframe = null] = named;
  return {
    timeframe,
    unserved,
    several: named.size + (timeframe !== null && unserved !== null ? 1 : 0) > 1,
  };
}

/** Returns true if an unsupported length means bars: `on the 10 minute`, `AAPL 3 minute`, `2h` in a short text. */
function isOfBars({
  text,
  before,
  next,
  unit,
  space,
  minutes,
}: {
  readonly text: string;
  readonly before: string;
  readonly next: string;
  readonly unit: string;
  readonly space: string;
  readonly minutes: number;
}): boolean {
  const isShort = text.length < SHORT && !(/^h/i.test(unit) && minutes >= 1440);
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
function isDuring(before: string, unit: string, space: string): boolean {
  const [, word] = DURING.exec(before) ?? [];
  if (word === undefined) return false;
  return !(/^(for|just)$/i.test(word) && space === "" && unit.length === 1);
}
