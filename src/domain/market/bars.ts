import { z } from "zod";
import { isoDate, isoTime } from "../../lib/iso-date.ts";

/** Bar lengths of signals, backtests, agents and alerts, longest first. */
export const TIMEFRAMES = ["1d", "4h", "1h", "30m", "15m", "5m"] as const;
export const Timeframe = z.enum(TIMEFRAMES);
export type Timeframe = z.infer<typeof Timeframe>;

/**
 * Bar lengths of tools that return bars and figures of single bars, longest first. Signals and backtests do not have
 * all of them: their windows, session counts, annualization and outcomes are defined for at most a day per bar, 500
 * weekly bars are more history than most symbols have, and providers have minute bars of a few days only.
 */
export const BAR_TIMEFRAMES = ["1w", ...TIMEFRAMES, "1m"] as const;
export const BarTimeframe = z.enum(BAR_TIMEFRAMES);
export type BarTimeframe = z.infer<typeof BarTimeframe>;

/** Bar lengths of providers and files, longest first; weekly bars are always built from daily bars. */
export const PROVIDER_TIMEFRAMES = [...TIMEFRAMES, "1m"] as const;
export type ProviderTimeframe = (typeof PROVIDER_TIMEFRAMES)[number];

/** Returns true for a timeframe of signals. */
export const isSignalTimeframe = (timeframe: BarTimeframe): timeframe is Timeframe =>
  TIMEFRAMES.some((length) => length === timeframe);

/** Returns true for daily and weekly bars, whose label is a date. */
export const hasDateLabel = (timeframe: BarTimeframe): boolean => timeframe === "1d" || timeframe === "1w";

/** Length of one bar in milliseconds; a daily bar is counted as a whole UTC day. */
export const TIMEFRAME_MS = {
  "1w": 604_800_000,
  "1d": 86_400_000,
  "4h": 14_400_000,
  "1h": 3_600_000,
  "30m": 1_800_000,
  "15m": 900_000,
  "5m": 300_000,
  "1m": 60_000,
} as const satisfies Record<BarTimeframe, number>;

/** Monday, 1970-01-05, 00:00 UTC, epoch ms. */
const FIRST_MONDAY = 4 * TIMEFRAME_MS["1d"];

/** Returns 00:00 UTC of the Monday of the week that contains a time (UTC), epoch ms. */
export const weekStart = (time: number): number =>
  FIRST_MONDAY + Math.floor((time - FIRST_MONDAY) / TIMEFRAME_MS["1w"]) * TIMEFRAME_MS["1w"];

/** Words for a bar length without a number. */
const TIMEFRAME_WORDS: ReadonlyMap<string, BarTimeframe> = new Map([
  ["weekly", "1w"],
  ["week", "1w"],
  ["w", "1w"],
  ["daily", "1d"],
  ["day", "1d"],
  ["d", "1d"],
  ["hourly", "1h"],
  ["hour", "1h"],
  ["h", "1h"],
  ["intraday", "15m"],
  ["minute", "1m"],
]);
const LENGTH = /^(\d{1,4})[ _-]?(w|weeks?|d|days?|h|hrs?|hours?|m|mins?|minutes?)$/;
/** Means one minute to some, one month to others. */
const AMBIGUOUS = /^1[ _-]?M$/;
const UNIT_MS = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000 } as const;

/**
 * Returns the bar length that a text means, in any case: `weekly`, `daily`, `1D`, `60m`, `4 hours`, `intraday` (15m).
 * Returns any other value unchanged, and `1M`, which may mean a month.
 */
function readTimeframe(value: unknown): unknown {
  if (typeof value !== "string" || value.length > 20 || AMBIGUOUS.test(value.trim())) return value;
  const text = value.trim().toLowerCase();
  const [, count, unit = ""] = LENGTH.exec(text) ?? [];
  const ms = Number(count) * UNIT_MS[unit.charAt(0) as keyof typeof UNIT_MS];
  return BAR_TIMEFRAMES.find((length) => TIMEFRAME_MS[length] === ms) ?? TIMEFRAME_WORDS.get(text) ?? value;
}

/** Bar length of a signal as a caller spells it; published as one of `TIMEFRAMES`. */
export const TimeframeText = z.preprocess(readTimeframe, Timeframe).describe("Bar length");

/** Bar lengths of backtests: those of signals, and weeks. */
export const BacktestTimeframe = z.enum(["1w", ...TIMEFRAMES]);
export type BacktestTimeframe = z.infer<typeof BacktestTimeframe>;

/** Bar length of a backtest as a caller spells it. */
export const BacktestTimeframeText = z.preprocess(readTimeframe, BacktestTimeframe).describe("Bar length");

/** Bar length as a caller spells it; published as one of `BAR_TIMEFRAMES`. */
export const BarTimeframeText = z.preprocess(readTimeframe, BarTimeframe).describe("Bar length");

/** Price adjustment: none, splits only, splits and dividends, or `unknown` if the provider does not say. */
export type Adjustment = "raw" | "split" | "total_return" | "unknown";

/** The zone whose calendar days group a symbol's bars. */
export type SessionZone = "America/New_York" | "UTC";

/**
 * Closed bars as columns of equal length, ascending and unique in `time`.
 * `time` is the bar's start in epoch ms; a daily bar carries 00:00 UTC of its session date, a weekly bar that of its
 * Monday, even if the exchange was closed on that day.
 */
export interface Bars {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly timeframe: BarTimeframe;
  readonly adjustment: Adjustment;
  readonly zone: SessionZone;
  /** Price changes of the size of a split that are known to be none. Default: none. */
  readonly noSplits?: readonly NoSplit[];
}

/** A session whose price change is no split. */
export interface NoSplit {
  /** 00:00 UTC of the date of the session, epoch ms. */
  readonly date: number;
  /** Declared by the owner of the server, listed in the file of splits, or a move that the market shared. */
  readonly basis: "declared" | "file" | "market";
}

/** Formats the start of a bar for callers: a date for daily and weekly bars, else ISO 8601 UTC. */
export function barLabel(time: number, timeframe: BarTimeframe): string {
  return hasDateLabel(timeframe) ? isoDate(time) : isoTime(time);
}

/** One bar as a row; `time` as in `Bars`. */
export interface Bar {
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

export function barColumns(
  rows: readonly Bar[],
  about: Pick<Bars, "timeframe" | "adjustment" | "zone">,
): Bars {
  const { timeframe, adjustment, zone } = about;
  const columns = Object.fromEntries(
    COLUMNS.map((column) => [column, Float64Array.from(rows, (bar) => bar[column])]),
  ) as Record<(typeof COLUMNS)[number], Float64Array>;
  return { ...columns, timeframe, adjustment, zone };
}

export const barRows = (bars: Bars): Bar[] =>
  Array.from(bars.time, (time, i) => ({
    time,
    open: bars.open[i]!,
    high: bars.high[i]!,
    low: bars.low[i]!,
    close: bars.close[i]!,
    volume: bars.volume[i]!,
  }));

export type BarColumn = keyof Bar;

/** Returns the bars with every column, `time` included, replaced by the result of `change`. */
export const mapColumns = (
  bars: Bars,
  change: (column: Float64Array, name: BarColumn) => Float64Array,
): Bars => ({
  ...bars,
  time: change(bars.time, "time"),
  open: change(bars.open, "open"),
  high: change(bars.high, "high"),
  low: change(bars.low, "low"),
  close: change(bars.close, "close"),
  volume: change(bars.volume, "volume"),
});

/** Returns the bars from `start` (inclusive) to `end` (exclusive) as views on the same memory. */
export const sliceBars = (bars: Bars, start: number, end = bars.time.length): Bars =>
  mapColumns(bars, (column) => column.subarray(start, end));

/** Concatenates bars that are in order of time. */
export const concatBars = (first: Bars, later: readonly Bars[]): Bars =>
  mapColumns(first, (column, name) => {
    const parts = [column, ...later.map((part) => part[name])];
    const all = new Float64Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  });
