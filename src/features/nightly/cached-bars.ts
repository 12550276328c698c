import { ODDS_BARS } from "../../analytics/odds/range-model.ts";
import { INDEX_BARS } from "../../analytics/sentiment/market-index.ts";
import { type Bars, sliceBars, type Timeframe } from "../../domain/market/bars.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { BarHistory, HistoryRequest } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";

/** Error codes after which a retry may succeed. */
export const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  "UPSTREAM_UNAVAILABLE",
  "RATE_LIMITED",
  "DEADLINE",
]);

/** Returns true when a retry may succeed. */
export const isTransient = (cause: unknown): boolean =>
  cause instanceof ToolError && TRANSIENT_CODES.has(cause.code);

/** Bar history as of a fixed time. */
export interface CachedBars extends BarHistory {
  /** Returns the newest `limit` bars of a series already read, always the same object; null when it was not read yet. */
  peek(instrument: Instrument, limit: number): BarSeries | null;
  /** Returns the newest `limit` bars of each instrument if all were already read and end at `decidedAt`; else null. */
  peekAll(instruments: readonly Instrument[], limit: number, decidedAt: string): readonly Bars[] | null;
}

/** Bars read of each series: enough for a signal and for the index. */
const CACHED_BARS = Math.max(ODDS_BARS, INDEX_BARS);

/**
 * Creates a bar history as of a fixed time that reads each series once, however many symbols use it. A transient
 * failure is not cached, so the next request retries.
 */
export function cachedBars(
  bars: BarHistory,
  at: { readonly timeframe: Timeframe; readonly asOf: number; readonly signal: AbortSignal },
): CachedBars {
  const reads = new Map<string, Promise<BarSeries>>();
  const loaded = new Map<string, BarSeries>();
  /** Newest bars of the loaded series, by number of bars and symbol. */
  const slices = new Map<number, Map<string, BarSeries>>();

  function readFull(instrument: Instrument): Promise<BarSeries> {
    const { symbol } = instrument;
    const earlier = reads.get(symbol);
    if (earlier !== undefined) return earlier;
    const reading = bars.history(instrument, { ...at, limit: CACHED_BARS });
    reads.set(symbol, reading);
    reading.then(
      (series) => loaded.set(symbol, series),
      (cause: unknown) => {
        if (!(cause instanceof ToolError) || TRANSIENT_CODES.has(cause.code)) reads.delete(symbol);
      },
    );
    return reading;
  }

  function newest({ symbol }: Instrument, series: BarSeries, limit: number): BarSeries {
    const count = series.bars.time.length;
    if (count <= limit) return series;
    const known = slices.get(limit)?.get(symbol);
    if (known !== undefined) return known;
    const slice = { ...series, bars: sliceBars(series.bars, count - limit) };
    const ofLimit = slices.get(limit) ?? new Map<string, BarSeries>();
    slices.set(limit, ofLimit.set(symbol, slice));
    return slice;
  }

  const peek = (instrument: Instrument, limit: number): BarSeries | null => {
    const series = loaded.get(instrument.symbol);
    return series === undefined || limit > CACHED_BARS ? null : newest(instrument, series, limit);
  };

  return {
    async history(instrument: Instrument, request: HistoryRequest) {
      const { timeframe, limit } = request;
      const asOf = Math.min(request.asOf ?? at.asOf, at.asOf);
      if (timeframe === at.timeframe && limit <= CACHED_BARS) {
        const series = await readFull(instrument);
        if (series.as_of === null || Date.parse(series.as_of) <= asOf)
          return newest(instrument, series, limit);
      }
      return bars.history(instrument, { ...request, asOf });
    },
    peek,
    peekAll(instruments, limit, decidedAt) {
      const known = slices.get(limit);
      const found: Bars[] = [];
      for (const one of instruments) {
        const series = known?.get(one.symbol) ?? peek(one, limit);
        if (series === null || series.as_of !== decidedAt) return null;
        found.push(series.bars);
      }
      return found;
    },
  };
}
