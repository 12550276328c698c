import {
  type Bar,
  type Bars,
  barColumns,
  type SessionZone,
  TIMEFRAME_MS,
  type Timeframe,
} from "../../domain/market/bars.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import {
  type ProviderBar,
  type ProviderBars,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { newYorkDate } from "../../lib/newyork.ts";
import { barCloseMs, sessionOf } from "../calendar/calendar.ts";

/** Valid bars of a provider: ascending, unique and on the session grid, with the forming bar separate. */
export interface SanitizedBars {
  readonly bars: Bars;
  /** The newest bar if it has not closed; otherwise null. */
  readonly forming: Bar | null;
}

export interface SanitizeOptions {
  readonly assetClass: AssetClass;
  readonly timeframe: Timeframe;
  /** Epoch ms. A bar that closes later is the forming bar; a bar that starts later is dropped. */
  readonly at: number;
}

/** Maximum relative distance of open or close outside high and low that rounding explains. */
const ROUNDING = 1e-4;
/** Maximum time, within the range of Date, epoch ms. */
const LAST_TIME = 8e15;

/** Returns true for a valid price in US dollars. */
export const isPrice = (figure: number): boolean => figure >= 1e-12 && figure <= 1e9;
export const isVolume = (figure: number): boolean => figure >= 0 && figure <= 1e16;

/** Returns the time zone whose days group an instrument's bars. */
export const zoneFor = (assetClass: AssetClass): SessionZone =>
  assetClass === "crypto" ? "UTC" : "America/New_York";

/**
 * Drops rows with missing values, rows off the session grid (such as a 16:00 bar after the close, or a time at which no
 * bar starts) and days without trading. Of two rows with the same time, the one with more volume, then with the wider
 * range, is used. Rows may come in any order. Throws ProviderFailure "malformed" for impossible prices.
 */
export function sanitizeBars(
  { bars: given, adjustment }: ProviderBars,
  options: SanitizeOptions,
): SanitizedBars {
  const { assetClass, timeframe, at } = options;
  const zone = zoneFor(assetClass);
  const byTime = new Map<number, Bar>();
  for (const row of given) {
    const bar = completeBar(row);
    if (bar === null || bar.time > at || !onGrid(bar.time, timeframe, zone, at)) continue;
    const other = byTime.get(bar.time);
    if (other === undefined || hasMoreData(bar, other)) byTime.set(bar.time, bar);
  }
  const rows = [...byTime.values()].sort((a, b) => a.time - b.time);
  const last = rows.at(-1);
  const open = last !== undefined && barCloseMs(last.time, timeframe, zone) > at;
  const closed = open ? rows.slice(0, -1) : rows;
  return { bars: barColumns(closed, { timeframe, adjustment, zone }), forming: open ? last : null };
}

/** Returns the row as a bar; null if a value is missing. Throws ProviderFailure "malformed" for impossible values. */
function completeBar({ time, open, high, low, close, volume }: ProviderBar): Bar | null {
  if (open === null || high === null || low === null || close === null || volume === null) return null;
  const figures = [open, high, low, close];
  if (!(Math.abs(time) <= LAST_TIME) || !figures.every(isPrice) || !isVolume(volume))
    throw new ProviderFailure("malformed", "a bar with an impossible price or volume");
  const top = Math.max(open, close);
  const bottom = Math.min(open, close);
  if (high < top * (1 - ROUNDING) || low > bottom * (1 + ROUNDING))
    throw new ProviderFailure("malformed", "a bar whose open or close lies outside its range");
  return { time, open, high: Math.max(high, top), low: Math.min(low, bottom), close, volume };
}

/** Returns true if `bar` has more volume than `other`, or the same volume and a wider range. */
function hasMoreData(bar: Bar, other: Bar): boolean {
  const figures = ({ volume, high, low, close, open }: Bar) => [volume, high - low, close, open, high];
  const [these, those] = [figures(bar), figures(other)];
  const differs = these.findIndex((figure, index) => figure !== those[index]);
  return differs !== -1 && these[differs]! > those[differs]!;
}

/**
 * Returns true if a bar of the regular session or of a 24-hour market can start at `time`; a daily bar must have opened
 * by `at`.
 */
function onGrid(time: number, timeframe: Timeframe, zone: SessionZone, at: number): boolean {
  const length = TIMEFRAME_MS[timeframe];
  if (zone === "UTC") return time % length === 0;
  if (timeframe === "1d") {
    const open = time % length === 0 ? sessionOf(isoDate(time))?.open : undefined;
    return open !== undefined && open <= at;
  }
  const session = sessionOf(newYorkDate(time));
  return (
    session !== null && time >= session.open && time < session.close && (time - session.open) % length === 0
  );
}

const isoDate = (day: number): string => new Date(day).toISOString().slice(0, 10);
