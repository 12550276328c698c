import { atr } from "../../analytics/indicators/atr.ts";
import { sliceBars } from "../../domain/market/bars.ts";
import { type BarSeries, type Instrument, kindOf } from "../../domain/market/market.ts";
import type { BarHistory } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { barHours } from "../signal/bar-hours.ts";
import { SCORED_BARS } from "../signal/logged.ts";

const DAY = 86_400_000;
/** Period of the average true range. */
const RANGE_BARS = 14;
const NO_BARS = new Float64Array(0);

/** A complete series with the opening and close time of each bar, in epoch ms, and ATR14 at each. */
export interface PastSeries {
  readonly instrument: Instrument;
  readonly series: BarSeries;
  readonly opens: Float64Array;
  readonly closes: Float64Array;
  readonly ranges: Float64Array;
}

/** Complete daily series that can be read as of any past time. */
export interface PastBars extends BarHistory {
  /** Hides every bar that closed after `moment`. */
  setMoment(moment: number): void;
  /** Returns the newest `limit` bars at that time, always the same object; null for a series that is not loaded. */
  peek(instrument: Instrument, limit: number): BarSeries | null;
  /** Returns the index of the last bar closed at that time; -1 before the first close. */
  placeOf(one: PastSeries): number;
}

/**
 * Computes the close time of each bar from the calendar or from the bar length, whichever matches the `as_of` of the
 * series. @throws ToolError UPSTREAM_UNAVAILABLE when neither does
 */
export function pastSeries(instrument: Instrument, series: BarSeries): PastSeries {
  const { time, high, low, close } = series.bars;
  if (time.length === 0 || series.as_of === null)
    return { instrument, series, opens: NO_BARS, closes: NO_BARS, ranges: NO_BARS };
  const hours = barHours(series);
  if (hours === null)
    throw new ToolError(
      "UPSTREAM_UNAVAILABLE",
      `The close times of the bars of ${instrument.symbol} are unknown`,
    );
  const ranges = atr(high, low, close, RANGE_BARS);
  return { instrument, series, opens: time.map(hours.opensAt), closes: time.map(hours.closesAt), ranges };
}

/** Creates a history over the given series; other symbols have no bars. */
export function pastBars(seriesBySymbol: ReadonlyMap<string, PastSeries>): PastBars {
  let now = Number.NEGATIVE_INFINITY;
  const indices = new Map<string, number>();
  const slices = new Map<string, BarSeries>();

  function placeOf({ instrument: { symbol }, closes }: PastSeries): number {
    const known = indices.get(symbol);
    if (known !== undefined) return known;
    const index = closedBy(closes, now) - 1;
    indices.set(symbol, index);
    return index;
  }

  function seriesAt(one: PastSeries, index: number, limit: number): BarSeries {
    const { series, closes } = one;
    return {
      ...series,
      bars: sliceBars(series.bars, Math.max(0, index + 1 - limit), index + 1),
      forming: null,
      as_of: index < 0 ? null : new Date(closes[index]!).toISOString(),
    };
  }

  function peek({ symbol }: Instrument, limit: number): BarSeries | null {
    const one = seriesBySymbol.get(symbol);
    if (one === undefined) return null;
    const name = `${symbol}|${limit}`;
    const slice = slices.get(name) ?? seriesAt(one, placeOf(one), limit);
    slices.set(name, slice);
    return slice;
  }

  return {
    setMoment(moment) {
      now = moment;
      indices.clear();
      slices.clear();
    },
    peek,
    placeOf,
    async history(instrument, { limit, timeframe, asOf = now }) {
      const one = timeframe === "1d" ? seriesBySymbol.get(instrument.symbol) : undefined;
      if (one === undefined)
        throw new ToolError("NOT_ENOUGH_DATA", `No bars of ${instrument.symbol} are loaded`);
      return asOf >= now ? peek(instrument, limit)! : seriesAt(one, closedBy(one.closes, asOf) - 1, limit);
    },
  };
}

/** Counts the ascending times that are not after `moment`. */
export const closedBy = (closes: Float64Array, moment: number): number =>
  countLeading(closes.length, (i) => closes[i]! <= moment);

/** Closes to replay. */
export interface PastMoments {
  /** Ascending, epoch ms. */
  readonly moments: readonly number[];
  /** Returns true when the bar at index `place` of a series is replayed. */
  includes(one: PastSeries, index: number): boolean;
}

/**
 * Selects every nth close since `from` (epoch ms) at which a series has enough bars for a score. Stock and crypto days
 * are counted separately, so that all symbols of a kind are replayed on the same days.
 */
export function pastMoments(
  members: readonly PastSeries[],
  { from, every }: { readonly from: number; readonly every: number },
): PastMoments {
  const long = (one: PastSeries, index: number) => index + 1 >= SCORED_BARS && one.closes[index]! >= from;
  const days = { crypto: new Set<number>(), stocks: new Set<number>() };
  for (const one of members)
    for (const index of one.closes.keys())
      if (long(one, index)) days[kindOf(one.instrument)].add(dayOf(one, index));
  const thinned = (all: ReadonlySet<number>) =>
    new Set([...all].sort((a, b) => a - b).filter((_, i) => i % every === 0));
  const replayedDays = { crypto: thinned(days.crypto), stocks: thinned(days.stocks) };
  const includes = (one: PastSeries, index: number) =>
    long(one, index) && replayedDays[kindOf(one.instrument)].has(dayOf(one, index));
  const moments = new Set(
    members.flatMap((one) => [...one.closes].filter((_, index) => includes(one, index))),
  );
  return { moments: [...moments].sort((a, b) => a - b), includes };
}

/** Returns the day on which a bar begins, in days since 1970. */
const dayOf = ({ series }: PastSeries, index: number): number => Math.floor(series.bars.time[index]! / DAY);
