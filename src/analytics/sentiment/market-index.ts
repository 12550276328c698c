import type { Bars } from "../../domain/market/bars.ts";
import type { IndexPart } from "../../domain/nightly/engine.ts";
import { deviation } from "../indicators/deviation.ts";
import { percentRank } from "../indicators/percent-rank.ts";
import { roc } from "../indicators/roc.ts";
import { nanSeries, type Series } from "../indicators/series.ts";
import { sma } from "../indicators/sma.ts";
import { aboveMean, MIN_COINS, MIN_STOCKS, newHighsLessLows, volumeBreadth } from "./breadth.ts";

const YEAR = 252;
/** Daily bars that rank each part within 252 values, of which the first new high takes 252 bars. */
export const INDEX_BARS = 2 * YEAR - 1;
const MONTH = 20;
const MIN_PARTS = 5;
/** Number of put/call ratios in a mean, and the days they must lie within. */
const WEEK = 5;
const MAX_WEEK_MS = 10 * 86_400_000;

type PartName = IndexPart["part"];

/** Inputs of the index of one day: daily bars up to that day. */
export interface IndexBars {
  /** SPY; its sessions are the days of the index. */
  readonly benchmark: Bars | null;
  /** TLT. */
  readonly bonds: Bars | null;
  readonly stocks: readonly Bars[];
  readonly coins: readonly Bars[];
  /** Put/call ratios of the market by day (00:00 UTC of its date, epoch ms), ascending; omitted without a provider. */
  readonly putCall?: readonly { readonly day: number; readonly ratio: number }[];
}

/**
 * Returns the market sentiment index: the mean of its parts, 0-100, where high is greed; null with fewer than five
 * values.
 */
export function indexValue(parts: readonly IndexPart[]): number | null {
  return meanOf(parts.flatMap(({ value }) => value ?? []));
}

/** Returns the mean of the parts of one day; null with fewer than five. */
const meanOf = (values: readonly number[]): number | null =>
  values.length >= MIN_PARTS ? values.reduce((sum, value) => sum + value, 0) / values.length : null;

/** Returns the index of each day from the history of every part, oldest first; null with fewer than five values. */
export function indexHistory(histories: readonly Series[]): (number | null)[] {
  const days = Math.max(0, ...histories.map(({ length }) => length));
  return Array.from({ length: days }, (_, day) =>
    meanOf(histories.flatMap((history) => (Number.isNaN(history[day] ?? Number.NaN) ? [] : history[day]!))),
  );
}

/**
 * Returns one of the seven parts of the market sentiment index on the newest day of the benchmark, ranked within its own
 * last 252 days (at least 126) as 0-100, where high is greed; without data its value is null with the reason.
 * @see CNN Business, Fear & Greed Index, for the choice of parts
 */
export function indexPart(part: PartName, bars: IndexBars): IndexPart {
  const none = (reason: string): IndexPart => ({ part, value: null, reading: null, reason });
  const ranked = rankedPart(part, bars);
  if (typeof ranked === "string") return none(ranked);
  const reading = ranked.readings.at(-1)!;
  if (Number.isNaN(reading)) return none("Too few bars, or too few members on the last day");
  const value = ranked.values.at(-1)!;
  return Number.isNaN(value)
    ? none("Fewer than 126 days for a rank")
    : { part, value, reading, reason: null };
}

/** Returns the values of one part for the newest `days` of the benchmark, oldest first; NaN without a value. */
export function partHistory(part: PartName, bars: IndexBars, days: number): Series {
  const ranked = rankedPart(part, bars);
  return typeof ranked === "string" ? nanSeries(0) : ranked.values.slice(-days);
}

/** Returns the readings of a part by day, and their values of 0-100 where high is greed; the reason if it has none. */
function rankedPart(part: PartName, bars: IndexBars) {
  const { benchmark } = bars;
  if (benchmark === null || benchmark.time.length === 0) return "This market has no bars of SPY";
  const missing = MISSING[part](bars);
  if (missing !== null) return missing;
  const readings = PART_SERIES[part](benchmark, bars);
  const isFear = part === "volatility" || part === "put_call";
  const values = percentRank(readings, YEAR).map((rank) => 100 * (isFear ? 1 - rank : rank));
  return { readings, values };
}

const tooFewReason = (name: string, count: number, needed: number): string | null =>
  count >= needed ? null : `Needs ${needed} ${name}, has ${count}`;

/** Returns why a part is unavailable on every day; null if it is available. */
const MISSING: Readonly<Record<PartName, (bars: IndexBars) => string | null>> = {
  momentum: () => null,
  new_highs_lows: ({ stocks }) => tooFewReason("stocks", stocks.length, MIN_STOCKS),
  volume_breadth: ({ stocks }) => tooFewReason("stocks", stocks.length, MIN_STOCKS),
  put_call: ({ putCall }) => (putCall === undefined ? "No provider of option volumes is connected" : null),
  volatility: () => null,
  safe_haven: ({ bonds }) => (bonds === null ? "This market has no bars of TLT" : null),
  risk_appetite: ({ coins }) => tooFewReason("coins", coins.length, MIN_COINS),
};

/** Series of each part by day of the benchmark; NaN if unknown. */
const PART_SERIES: Readonly<Record<PartName, (benchmark: Bars, bars: IndexBars) => Series>> = {
  /** Close relative to its 125-day mean, as a fraction. */
  momentum: ({ close }) => {
    const mean = sma(close, 125);
    return close.map((price, i) => price / mean[i]! - 1);
  },
  new_highs_lows: ({ time }, { stocks }) => newHighsLessLows(time, stocks),
  volume_breadth: ({ time }, { stocks }) => volumeBreadth(time, stocks),
  /** Mean of the five newest put/call ratios within ten calendar days; low is greed. */
  put_call: ({ time }, { putCall = [] }) => ratioMeans(time, putCall),
  /** 20-day realised volatility relative to its own 50-day mean, as a fraction; low is greed. */
  volatility: ({ close }) => {
    const spread = deviation(changesOf(close), MONTH).deviation;
    const mean = sma(spread, 50);
    return spread.map((value, i) => value / mean[i]! - 1);
  },
  /** 20-day return of stocks minus that of long Treasury bonds, in percentage points. */
  safe_haven: (benchmark, { bonds }) => {
    const stocks = roc(benchmark.close, MONTH);
    const haven = roc(bonds!.close, MONTH);
    const at = new Map(Array.from(bonds!.time, (time, i) => [time, haven[i]!]));
    return stocks.map((value, i) => value - (at.get(benchmark.time[i]!) ?? Number.NaN));
  },
  /** Share of coins above their 50-day mean on the day before, whose bars were closed by the session's close. */
  risk_appetite: ({ time }, { coins }) => aboveMean(time, coins),
};

function ratioMeans(time: Series, ratios: NonNullable<IndexBars["putCall"]>): Series {
  const means = nanSeries(time.length);
  let known = 0;
  for (let i = 0; i < time.length; i++) {
    while (known < ratios.length && ratios[known]!.day <= time[i]!) known++;
    const week = ratios.slice(Math.max(0, known - WEEK), known);
    if (week.length < WEEK || week[0]!.day <= time[i]! - MAX_WEEK_MS) continue;
    means[i] = week.reduce((sum, { ratio }) => sum + ratio, 0) / WEEK;
  }
  return means;
}

/** Names of the parts, in the order of the index. */
export const INDEX_PARTS = Object.keys(PART_SERIES) as readonly PartName[];

/** Returns the log change from the previous bar; NaN for the first. */
const changesOf = (close: Series): Series =>
  close.map((price, i) => (i === 0 ? Number.NaN : Math.log(price / close[i - 1]!)));

/** Returns the band of an index value, rounded to an integer: 45 to 55 is neutral. */
export function bandOf(value: number): "extreme fear" | "fear" | "neutral" | "greed" | "extreme greed" {
  const rounded = Math.round(value);
  if (rounded <= 24) return "extreme fear";
  if (rounded <= 44) return "fear";
  if (rounded <= 55) return "neutral";
  return rounded <= 75 ? "greed" : "extreme greed";
}
