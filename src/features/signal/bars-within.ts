import {
  type BarTimeframe,
  barLabel,
  hasDateLabel,
  sliceBars,
  TIMEFRAME_MS,
} from "../../domain/market/bars.ts";
import type { Resolution } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import { type ClosedBars, closedBars } from "./closed-bars.ts";
import { encodeCursor } from "./time-page.ts";
import { type RangeRequest, resolveRange, type TimeRange, zoneOf } from "./time-range.ts";

/** Maximum number of bars that start after a range and close within one bar length of its end. */
const MAX_LATER_BARS = 3;

interface BarsRequest extends RangeRequest {
  readonly timeframe: BarTimeframe;
  /** Maximum number of bars of the page. */
  readonly limit: number;
  /** Number of bars read before the first bar of the page. Default: 0. */
  readonly warmUp?: number;
  readonly extendedHours?: boolean;
  readonly signal: AbortSignal;
}

/** One page of closed bars, with the bars before it. */
export interface BarsWithin {
  /** Bars that end with the last of the page. `as_of` is the close of that bar; in an empty page, of the last bar before. */
  readonly series: ClosedBars;
  /** Index of the first bar of the page; the number of bars for an empty page. */
  readonly first: number;
  /** true: the range has older bars. */
  readonly hasOlder: boolean;
  readonly nextCursor: string | null;
  readonly range: TimeRange;
}

/**
 * Reads a page of the closed bars that start within a range, newest first page first. A daily or weekly bar starts on its
 * date at 00:00 UTC, as its label says. Rejects like `closedBars`, and with INVALID_INPUT for an invalid range.
 */
export async function barsWithin(
  resolution: Resolution,
  { timeframe, limit, warmUp = 0, extendedHours = false, signal, ...request }: BarsRequest,
  ports: Pick<Ports, "symbols" | "bars" | "clock">,
): Promise<BarsWithin> {
  const { instrument } = resolution;
  const now = ports.clock.now();
  const zone = hasDateLabel(timeframe) ? "UTC" : zoneOf(instrument.asset_class);
  const range = resolveRange(request, { now, zone, filters: [instrument.symbol, timeframe, extendedHours] });
  const closedBy = closingTime(range, timeframe);
  const later = request.to === undefined && range.position === null ? 0 : MAX_LATER_BARS;
  const series = await closedBars(
    resolution,
    {
      timeframe,
      // at least one more, to detect older bars
      limit: limit + Math.max(1, warmUp) + later,
      as_of: closedBy === null ? request.as_of : new Date(closedBy).toISOString(),
      extendedHours,
      signal,
    },
    ports,
  );
  const { time } = series.bars;
  const last = range.position === null ? range.until : range.pageEnd - 1;
  const end = time.findLastIndex((start) => start <= last) + 1;
  const inRange = time.findIndex((start) => range.from === null || start >= range.from);
  const oldest = inRange === -1 ? end : Math.min(inRange, end);
  const first = Math.max(oldest, end - limit);
  const bars = sliceBars(series.bars, 0, end);
  const asOf =
    end === 0 || end === time.length
      ? series.as_of
      : new Date(
          barCloseMs(time[end - 1]!, timeframe, bars.zone, extendedHours ? "by_session" : "regular"),
        ).toISOString();
  return {
    series: { ...series, bars, as_of: asOf },
    first,
    hasOlder: first > oldest,
    nextCursor:
      first > oldest
        ? encodeCursor({ from: range.from, at: time[first]!, returned: 1 }, range.filterKey)
        : null,
    range,
  };
}

/** Returns the time by which all bars of a page have closed, epoch ms; null if that is not before `asOf`. */
function closingTime({ pageEnd, asOf }: TimeRange, timeframe: BarTimeframe): number | null {
  const time = pageEnd + TIMEFRAME_MS[timeframe];
  return time >= asOf ? null : time;
}

/** Returns the reason why a page has no bars. `before`: start of the last bar before the range, epoch ms. */
export const noBarsReason = (symbol: string, timeframe: BarTimeframe, before: number | undefined): string =>
  `No ${timeframe} bar of ${symbol} starts in this range${before === undefined ? "" : `; the last one before it is ${barLabel(before, timeframe)}`}.`;
