import { MAX_HORIZON } from "../../analytics/odds/paths.ts";
import { TIMEFRAME_MS, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { ToolError } from "../../kernel/errors.ts";
import { MONTH } from "../../lib/months.ts";
import { numberOf, numberWords } from "../../lib/number-words.ts";
import { plainText } from "../../lib/plain-text.ts";
import { sessionOn } from "../../market/calendar/calendar.ts";
import { deadlineIn, namesTime } from "./deadline-in.ts";
import { beginsTime, COUNT, isUnclearTime, rewrittenTimes, UNITS } from "./time-words.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Number of bars that get_odds looks ahead by default. */
export const DEFAULT_HORIZON = 20;
/** Maximum number of characters of a text in a note. */
const MAX_ECHO_LENGTH = 60;
/** Hours of a regular session. */
const SESSION_HOURS = 6.5;

/** Words after a length of time that is no horizon. */
const NO_HORIZON =
  "(?![ -]?(?:ago|old|moving|average|ma|sma|ema|highs?|lows?|rsi|charts?|candles?|timeframe|bars?|realized|realised)\\b)";
const LEAD = "(?:in|within|over|inside|during|for|after|by|next|coming|following|through|across)";
const AHEAD = new RegExp(
  `\\b${LEAD} (?:the |about |around |next |coming |following |another )*(${COUNT})[ -]?(${UNITS})\\b${NO_HORIZON}|\\b(${COUNT})[ -]?(${UNITS}) (?:from (?:now|today)|out|ahead|hence)\\b`,
  "i",
);
const COUNTED_BARS = new RegExp(`\\b(${COUNT})[ -]?(bars?|candles?|sessions?|trading days?)\\b`, "i");
const NEXT =
  /(?<!\bend of (?:the )?)\b(?:next|coming|following) (session|trading day|day|week|month|quarter|year)\b/i;
const ALONE = new RegExp(
  `(?<![\\w.$])(\\d{1,4}(?:\\.\\d+)?|${numberWords(2)})[ -]?(${UNITS})\\b${NO_HORIZON}`,
  "i",
);

/** Matches times that contain numbers. */
const NUMBERED = new RegExp(
  [
    `(?<![\\w.$])\\d{1,4}(?:\\.\\d+)?[ -]?(?:${UNITS})\\b`,
    `\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b(?! ?(?:%|percent))(?:,? 20\\d\\d)?`,
    `\\b\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?![a-z])`,
    "\\b20\\d\\d-\\d\\d-\\d\\d\\b",
    "\\b\\d{1,2}/\\d{1,2}(?:/(?:20)?\\d\\d)?\\b",
    "\\b[HMDW]\\d{1,3}\\b",
  ].join("|"),
  "gi",
);

/** Returns a text with spaces in place of times that contain numbers. */
export const spansBlanked = (text: string): string =>
  text.replace(NUMBERED, (span) => " ".repeat(span.length));

/** The number of bars that a text looks ahead. */
export interface TextHorizon {
  /** null if the text names no time that is understood. */
  readonly bars: number | null;
  /** Bar length for a time shorter than a day; null for the length that the text names, or the default. */
  readonly timeframe: Timeframe | null;
  /** true: the text names a later time than the maximum number of bars. */
  readonly exceedsMax: boolean;
  /** true: the text names a time that is not understood. */
  readonly isNotUnderstood: boolean;
  /** End of the day that the text names, epoch ms; null if it names none, or a length of time. */
  readonly until: number | null;
  /** true: no bar closes between now and the end of that day. */
  readonly isOver: boolean;
}

const UNNAMED: TextHorizon = {
  bars: null,
  timeframe: null,
  exceedsMax: false,
  isNotUnderstood: false,
  until: null,
  isOver: false,
};

/**
 * Returns the number of bars of the time that a text names: `20 bars`, `two weeks`, `next month`, `by Friday`. A week of a stock
 * has 5 bars and a month 21, of a coin 7 and 30; a date counts the sessions or days until its end. In `asWritten`, names
 * are `¤`, price levels `#` and past moves and prices `~`.
 */
export function horizonIn(
  asWritten: string,
  subject: {
    readonly assetClass: AssetClass;
    /** Bar length that the text names; null if it names none. */
    readonly timeframe: Timeframe | null;
    readonly now: Date;
    /** true: the text is about a past day, so that its dates are no horizon. */
    readonly isPast: boolean;
  },
): TextHorizon {
  const { assetClass, timeframe, now, isPast } = subject;
  const text = rewrittenTimes(asWritten);
  if (!isPast && isUnclearTime(text)) return { ...UNNAMED, isNotUnderstood: true };
  const span = spanIn(text, timeframe);
  if (span === null) {
    const at = now.getTime();
    const date = isPast ? null : upcoming(text, at);
    if (date === null || date <= at)
      return { ...UNNAMED, isNotUnderstood: !isPast && (namesTime(text) || beginsTime(text)) };
    const days = daysUntil(date, at, assetClass);
    return { ...ofDays(days), until: date, isOver: days === 0 };
  }
  const { count, unit } = span;
  if (unit === "bar") return horizonOf(count);
  if (unit === "hour" || unit === "minute") {
    const ms = count * (unit === "hour" ? HOUR : HOUR / 60);
    if (ms >= DAY) return ofDays(ms / DAY);
    const length = timeframe === null || timeframe === "1d" ? (unit === "hour" ? "1h" : "5m") : timeframe;
    return { ...horizonOf(ms / TIMEFRAME_MS[length]), timeframe: length };
  }
  return ofDays(count * DAYS_OF[unit][assetClass === "crypto" ? 1 : 0]);

  function ofDays(days: number): TextHorizon {
    if (timeframe === null || timeframe === "1d") return horizonOf(days);
    const hours = assetClass === "crypto" ? 24 : SESSION_HOURS;
    return horizonOf(days * Math.ceil((hours * HOUR) / TIMEFRAME_MS[timeframe]));
  }
}

/** Returns the horizon of a number of bars: rounded up, at least 1, at most the maximum. */
function horizonOf(bars: number): TextHorizon {
  const whole = Math.max(1, Math.ceil(bars));
  return { ...UNNAMED, bars: Math.min(whole, MAX_HORIZON), exceedsMax: whole > MAX_HORIZON };
}

type Unit = "bar" | "minute" | "hour" | keyof typeof DAYS_OF;

/** Daily bars of a unit, of stocks and of coins. */
const DAYS_OF = {
  day: [1, 1],
  week: [5, 7],
  month: [21, 30],
  quarter: [63, 90],
  year: [252, 365],
} as const;

/** Returns the length of time that a text names; null if there is none. */
function spanIn(
  text: string,
  timeframe: Timeframe | null,
): { readonly count: number; readonly unit: Unit } | null {
  const match =
    COUNTED_BARS.exec(text) ??
    AHEAD.exec(text) ??
    NEXT.exec(text) ??
    (timeframe === null ? ALONE.exec(text) : null);
  if (match === null) return null;
  const [first = "", second] = match.slice(1).filter((group) => group !== undefined);
  return { count: second === undefined ? 1 : numberOf(first), unit: unitOf(second ?? first) };
}

function unitOf(text: string): Unit {
  const unit = text.toLowerCase();
  if (/^(bar|candle)/.test(unit)) return "bar";
  if (/^(session|d)|day/.test(unit)) return "day";
  if (/^h/.test(unit)) return "hour";
  if (/^min/.test(unit)) return "minute";
  if (/^w/.test(unit)) return "week";
  return /^y/.test(unit) ? "year" : /^q/.test(unit) ? "quarter" : "month";
}

/** Returns the end of the date that a text names, epoch ms; a past date without a year is the next such date. */
function upcoming(text: string, at: number): number | null {
  const date = deadlineIn(text, at);
  if (date === null || date > at || /\b20\d\d\b/.test(text)) return date;
  const day = new Date(date);
  return Date.UTC(day.getUTCFullYear() + 1, day.getUTCMonth(), day.getUTCDate());
}

/** Returns the number of daily bars that close after `at` and by `date`; for a distant date, more than the maximum. */
export function daysUntil(date: number, at: number, assetClass: AssetClass): number {
  if (assetClass === "crypto") return (date - at) / DAY;
  let sessions = 0;
  for (let day = Math.floor(at / DAY) * DAY; day < date && sessions <= MAX_HORIZON; day += DAY)
    if ((sessionOn(day)?.close ?? 0) > at) sessions++;
  return sessions;
}

/** Matches words that leave a length of time as it is: `in about 2 weeks from now`. */
const BESIDE_LENGTH =
  /\b(?:in|within|over|inside|during|for|by|up to|the|about|around|next|coming|following|another|from (?:now|today)|out|ahead|hence|time)\b|['’\s]/gi;
const COUNTED = new RegExp(`(?<![\\w.-])(${COUNT})[ -]?(?:${UNITS})\\b`, "i");
/** Matches times without an end, and several times. */
const SEVERAL = /\b(?:after|beyond|past|since|or|and|(?<!up )to)\b/i;

/** Returns true if a text names one length or one date, and nothing that changes it: not `2 weeks and 3 days`. */
function isOneTime(text: string): boolean {
  const time = rewrittenTimes(text);
  if (SEVERAL.test(time)) return false;
  const [length, count] = COUNTED.exec(time) ?? [];
  if (length === undefined) return true;
  return numberOf(count!) > 0 && time.replace(length, "").replace(BESIDE_LENGTH, "") === "";
}

/**
 * Returns the number of bars of a time ahead in words, such as `2 weeks` or `by Friday`, with notes on how it was read and
 * where the bars differ from it. Throws INVALID_INPUT for a time that is past, not understood or shorter than a bar, and for
 * several times.
 */
export function barsWithin(
  text: string,
  subject: { readonly assetClass: AssetClass; readonly timeframe: Timeframe; readonly now: Date },
): { readonly bars: number; readonly notes: readonly string[] } {
  const [read] = [text, `in ${text}`]
    .map((words) => horizonIn(words, { ...subject, isPast: false }))
    .filter(({ bars }) => bars !== null);
  if (read === undefined || !isOneTime(text))
    throw new ToolError("INVALID_INPUT", "within: the time is past or not understood", {
      hint: "Write one time: 2 weeks, by Friday or 2026-12-31.",
    });
  if (read.timeframe !== null && read.timeframe !== subject.timeframe)
    throw new ToolError("INVALID_INPUT", "within is shorter than one bar", {
      hint: `Pass timeframe ${read.timeframe}.`,
    });
  const bars = read.bars!;
  const until =
    read.until === null ? "" : `, to the end of ${new Date(read.until - DAY).toISOString().slice(0, 10)}`;
  const notes = [
    `within "${plainText(text, MAX_ECHO_LENGTH)}" was read as ${bars} ${bars === 1 ? "bar" : "bars"}${read.exceedsMax || read.isOver ? "" : until}`,
    ...(read.exceedsMax
      ? [`within is longer than ${MAX_HORIZON} bars; the odds are for ${MAX_HORIZON} bars`]
      : []),
    ...(read.isOver ? ["No bar closes before the end of within; the odds are for the next bar"] : []),
  ];
  return { bars, notes };
}
