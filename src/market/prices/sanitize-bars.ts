import {
  type Bar,
  type Bars,
  type BarTimeframe,
  barColumns,
  type SessionZone,
  TIMEFRAME_MS,
  weekStart,
} from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import type { OmittedRow } from "../../domain/market/omitted-rows.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import {
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf, sessionOn, sessionPartStart } from "../calendar/calendar.ts";
import { isTradingDate, type RowLimits, rowFault } from "./row-check.ts";

/** Valid bars of a provider: ascending, unique and on the session grid, with the forming bar separate. */
export interface SanitizedBars {
  readonly bars: Bars;
  /** The newest bar if it has not closed; otherwise null. */
  readonly forming: Bar | null;
  /** Rows left out: without a valid price, daily rows on a day without trading, and second rows of a time. */
  readonly omitted: readonly OmittedRow[];
}

export interface SanitizeOptions {
  readonly assetClass: AssetClass;
  readonly timeframe: BarTimeframe;
  /** Epoch ms. A bar that closes later is the forming bar; a bar that starts later is dropped. */
  readonly at: number;
  /** Default: regular. */
  readonly layout?: BarLayout;
}

const LIMITS: RowLimits = { minPrice: 1e-12, maxPrice: 1e9, maxVolume: 1e16 };
/** Maximum number of impossible rows that are left out; more mean that the response cannot be trusted. */
const MAX_IMPOSSIBLE_ROWS = 2;
/** Maximum time between two sessions, over a weekend with holidays, ms. */
const MAX_DAYS_APART_MS = 5 * 86_400_000;
/** Minimum number of rows from which the length of the bars is inferred. */
const MIN_SPACED_ROWS = 6;
/** Maximum time, within the range of Date, epoch ms. */
const LAST_TIME = 8e15;

/** Returns true for a valid price in US dollars. */
export const isPrice = (figure: number): boolean => figure >= LIMITS.minPrice && figure <= LIMITS.maxPrice;
export const isVolume = (figure: number): boolean => figure >= 0 && figure <= LIMITS.maxVolume;

/** Returns the time zone whose days group an instrument's bars. */
export const zoneFor = (assetClass: AssetClass): SessionZone =>
  assetClass === "crypto" ? "UTC" : "America/New_York";

/**
 * Drops rows with missing values, rows off the session grid (such as a 16:00 bar after the close, or a time at which no
 * bar starts) and days without trading. Of two rows with the same time, the one with more volume, then with the wider
 * range, is used. Rows may come in any order. Throws ProviderFailure "malformed" for more than two impossible rows, and
 * for daily bars that are bars of weeks, months or quarters.
 */
export function sanitizeBars(
  { bars: given, adjustment }: ProviderBars,
  options: SanitizeOptions,
): SanitizedBars {
  const { assetClass, timeframe, at, layout = "regular" } = options;
  const zone = zoneFor(assetClass);
  const byTime = new Map<number, Bar>();
  const omitted: OmittedRow[] = [];
  const impossible: ProviderFailure[] = [];
  for (const row of given) {
    const { time } = row;
    const bar = completeBar(row);
    if (bar instanceof ProviderFailure) impossible.push(bar);
    if (impossible.length > MAX_IMPOSSIBLE_ROWS) throw impossible[0]!;
    if (bar instanceof ProviderFailure) omitted.push({ time, reason: "invalid" });
    else if (bar !== null && time <= at && onGrid(time, { timeframe, zone, at, layout })) {
      const other = byTime.get(time);
      if (other !== undefined) omitted.push({ time, reason: "repeated" });
      if (other === undefined || hasMoreData(bar, other)) byTime.set(time, bar);
    } else if (bar !== null && time <= at && timeframe === "1d" && zone !== "UTC")
      omitted.push({ time, reason: "no_session" });
  }
  const rows = [...byTime.values()].sort((a, b) => a.time - b.time);
  if (timeframe === "1d" && areLongerThanDays(rows))
    throw new ProviderFailure("malformed", "bars of weeks or longer instead of days");
  const last = rows.at(-1);
  const open = last !== undefined && barCloseMs(last.time, timeframe, zone, layout) > at;
  const closed = open ? rows.slice(0, -1) : rows;
  return {
    bars: barColumns(closed, { timeframe, adjustment, zone }),
    forming: open ? last : null,
    omitted: omitted.sort(byStart),
  };
}

/** Returns true if most of the bars start further apart than sessions ever do; false for fewer than 6 bars. */
function areLongerThanDays(rows: readonly Bar[]): boolean {
  const far = rows.filter((row, i) => i > 0 && row.time - rows[i - 1]!.time > MAX_DAYS_APART_MS).length;
  return rows.length >= MIN_SPACED_ROWS && far > rows.length / 2;
}

const byStart = (a: OmittedRow, b: OmittedRow): number => a.time - b.time;

/** Returns the row as a bar; null if a value is missing, as in halts, and a failure "malformed" for impossible values. */
function completeBar({ time, open, high, low, close, volume }: ProviderBar): Bar | ProviderFailure | null {
  if (open === null || high === null || low === null || close === null || volume === null) return null;
  if (!(Math.abs(time) <= LAST_TIME)) throw new ProviderFailure("malformed", "a bar with an impossible time");
  const fault = rowFault(open, high, low, close, volume, LIMITS);
  if (fault === "range")
    return new ProviderFailure("malformed", "a bar whose open or close lies outside its range");
  if (fault !== null) return new ProviderFailure("malformed", "a bar with an impossible price or volume");
  return { time, open, high: Math.max(high, open, close), low: Math.min(low, open, close), close, volume };
}

/** Returns true if `bar` has more volume than `other`, or the same volume and a wider range. */
function hasMoreData(bar: Bar, other: Bar): boolean {
  const figures = ({ volume, high, low, close, open }: Bar) => [volume, high - low, close, open, high];
  const [these, those] = [figures(bar), figures(other)];
  const differs = these.findIndex((figure, index) => figure !== those[index]);
  return differs !== -1 && these[differs]! > those[differs]!;
}

/**
 * Returns true if a bar of the layout or of a 24-hour market can start at `time`; a daily bar must have opened by `at`.
 */
function onGrid(
  time: number,
  {
    timeframe,
    zone,
    at,
    layout,
  }: Pick<Bars, "timeframe" | "zone"> & { readonly at: number; readonly layout: BarLayout },
): boolean {
  if (timeframe === "1w") return weekStart(time) === time;
  const length = TIMEFRAME_MS[timeframe];
  if (zone === "UTC") return time % length === 0;
  if (timeframe === "1d") {
    return time % length === 0 && isTradingDate(time) && (sessionOn(time)?.open ?? time) <= at;
  }
  if (layout === "by_session") {
    const start = sessionPartStart(time);
    return start !== null && (time - start) % length === 0;
  }
  const session = sessionOf(newYorkDate(time));
  return (
    session !== null && time >= session.open && time < session.close && (time - session.open) % length === 0
  );
}
