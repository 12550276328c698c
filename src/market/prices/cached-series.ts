import {
  type Bar,
  type Bars,
  type BarTimeframe,
  barColumns,
  barRows,
  hasDateLabel,
  type ProviderTimeframe,
  sliceBars,
} from "../../domain/market/bars.ts";
import type { AssetClass, BarSeries, Instrument } from "../../domain/market/market.ts";
import type { CachedBars } from "../../domain/market/market-cache-port.ts";
import type { Origin, ProviderAttempt } from "../../domain/market/provenance.ts";
import type { BarLayout } from "../../domain/market/trading-hours.ts";
import {
  type PriceProvider,
  type ProviderBar,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { barCloseMs, sessionOf } from "../calendar/calendar.ts";
import { aggregate } from "./aggregate.ts";
import { sanitizeBars, zoneFor } from "./sanitize-bars.ts";
import { newestPlausible } from "./spikes.ts";

const MINUTE = 60_000;
/** Time after its close for which a bar may still change, ms. */
const SETTLING_MS = { day: 10 * MINUTE, intraday: 5_000 } as const;
/** Clock difference that rounding to seconds and network delay explain, ms. */
const CLOCK_TOLERANCE_MS = 2_000;
/** Maximum tolerated number of daily rows on days without a session. */
const MAX_OFF_SESSION_ROWS = 2;
/** Maximum delay of the last part of a bar, ms: that of the last day of a week, and that of shorter parts. */
const MAX_LATE_MS = { week: 7 * 24 * 60 * MINUTE, intraday: 60 * MINUTE } as const;

/** Cached bars as columns, and how they were obtained. */
export interface CachedSeries {
  readonly metadata: Omit<CachedBars, "bars">;
  readonly bars: Bars;
  /** Start of the window that these bars cover completely, epoch ms. */
  readonly coversFrom: number;
  readonly tried: readonly ProviderAttempt[];
  readonly servedFrom: Origin["served_from"];
}

/**
 * Sanitizes a provider's bars, aggregates them to the requested timeframe and separates the forming bar. Throws
 * ProviderFailure.
 */
export function prepareBars(
  response: Parameters<typeof sanitizeBars>[0],
  provider: PriceProvider,
  request: {
    readonly assetClass: AssetClass;
    readonly timeframe: BarTimeframe;
    /** Bar length of the response. */
    readonly base: ProviderTimeframe;
    readonly from: number;
    readonly at: number;
    readonly now: number;
    /** How far the provider's clock is ahead of ours, ms. */
    readonly skewMs: number;
    readonly layout: BarLayout;
  },
): CachedBars {
  const { assetClass, timeframe, base, from, at, now, skewMs, layout } = request;
  // a delayed provider does not yet have the end of a bar that just closed
  const settling =
    hasDateLabel(timeframe) && assetClass !== "crypto" ? SETTLING_MS.day : SETTLING_MS.intraday;
  const lag = Math.max((provider.barDelayMinutes ?? provider.delayMinutes) * MINUTE, settling);
  // our clock is ahead of the provider, which has no data for that time yet
  const ahead = skewMs < -CLOCK_TOLERANCE_MS ? -skewMs : 0;
  const known = Math.min(at, now - lag - ahead);
  const inRange = response.bars.filter(({ time }) => time <= at);
  if (offSessionRows(inRange, base, assetClass) > MAX_OFF_SESSION_ROWS)
    throw new ProviderFailure("malformed", "bars on days without trading");
  const clean = sanitizeBars(
    { ...response, bars: inRange },
    { assetClass, timeframe: base, at: known, layout },
  );
  const short = clean.forming === null ? barRows(clean.bars) : [...barRows(clean.bars), clean.forming];
  const { bars, forming } =
    base === timeframe
      ? clean
      : sanitizeBars(aggregate({ ...response, bars: short }, timeframe, assetClass, layout), {
          assetClass,
          timeframe,
          at: known,
          layout,
        });
  const rows =
    base === timeframe
      ? barRows(bars)
      : completeRows(barRows(bars), short, { timeframe, base, assetClass, known, layout });
  const first = rows.findIndex(({ time }) => time >= from);
  const usable = first === -1 ? [] : rows.slice(first);
  if (usable.length === 0 && response.bars.length > 0)
    throw new ProviderFailure("malformed", "no usable bars");
  return {
    source: provider.name,
    venue: response.venue,
    volumeScope: response.volumeScope,
    adjustment: response.adjustment,
    currency: response.currency ?? "USD",
    fetchedAt: now,
    from,
    at: known,
    bars: usable,
    omitted: clean.omitted.filter(({ time }) => time >= from),
    forming,
    actions: response.actions ?? null,
  };
}

/** Returns the number of daily rows of a stock on days without a session; such rows mean wrong dates. */
const offSessionRows = (
  rows: readonly ProviderBar[],
  base: ProviderTimeframe,
  assetClass: AssetClass,
): number =>
  base !== "1d" || assetClass === "crypto"
    ? 0
    : rows.filter(
        ({ time, close }) => close !== null && sessionOf(new Date(time).toISOString().slice(0, 10)) === null,
      ).length;

/** Returns the rows without the newest bar if its last part is still missing. */
function completeRows(
  rows: readonly Bar[],
  parts: readonly ProviderBar[],
  {
    timeframe,
    base,
    assetClass,
    known,
    layout,
  }: {
    readonly timeframe: BarTimeframe;
    readonly base: ProviderTimeframe;
    readonly assetClass: AssetClass;
    readonly known: number;
    readonly layout: BarLayout;
  },
): readonly Bar[] {
  const newest = rows.at(-1);
  const lastPart = parts.at(-1);
  if (newest === undefined || lastPart === undefined) return rows;
  const zone = zoneFor(assetClass);
  const end = barCloseMs(newest.time, timeframe, zone, layout);
  const partEnd = barCloseMs(lastPart.time, base, zone, layout);
  const late = timeframe === "1w" ? MAX_LATE_MS.week : MAX_LATE_MS.intraday;
  return partEnd < end && known - end < late ? rows.slice(0, -1) : rows;
}

/** Converts bars from a provider or the store to a cache entry. */
export function toCachedSeries(
  { bars: rows, ...metadata }: CachedBars,
  origin: Pick<CachedSeries, "tried" | "servedFrom"> & {
    readonly timeframe: BarTimeframe;
    readonly assetClass: AssetClass;
    /** Start of the requested window, epoch ms. Default: start of the bars. */
    readonly needed?: number;
  },
): CachedSeries {
  const { timeframe, assetClass, tried, servedFrom, needed = metadata.from } = origin;
  const bars = barColumns(rows, { timeframe, adjustment: metadata.adjustment, zone: zoneFor(assetClass) });
  return { metadata, bars, tried, servedFrom, coversFrom: Math.min(metadata.from, needed) };
}

/** Returns at most `limit` closed bars from a cache entry; an empty series for null. */
export function seriesOf(
  cached: CachedSeries | null,
  {
    instrument,
    timeframe,
    limit,
    at,
    stale,
    layout,
  }: {
    readonly instrument: Instrument;
    readonly timeframe: BarTimeframe;
    readonly limit: number;
    /** Time as of which bars are requested, epoch ms; null: now. */
    readonly at: number | null;
    readonly stale: boolean;
    readonly layout: BarLayout;
  },
): BarSeries {
  const assetClass = instrument.asset_class;
  const zone = zoneFor(assetClass);
  if (cached === null) {
    const bars = barColumns([], { timeframe, adjustment: "unknown", zone });
    return { bars, forming: null, source: "none", venue: "none", adjustment: "unknown", as_of: null };
  }
  const { metadata, bars } = cached;
  let count = bars.time.length;
  while (at !== null && count > 0 && barCloseMs(bars.time[count - 1]!, timeframe, zone, layout) > at) count--;
  const until = Math.min(at ?? metadata.at, metadata.at);
  const dropped = metadata.omitted.filter(({ time }) => barCloseMs(time, timeframe, zone, layout) <= until);
  const { bars: plausible, omitted } = newestPlausible(sliceBars(bars, 0, count), limit, dropped);
  return {
    bars: plausible,
    omitted,
    forming: at === null && !stale ? metadata.forming : null,
    source: metadata.source,
    venue: metadata.venue,
    adjustment: metadata.adjustment,
    currency: metadata.currency,
    ...(metadata.actions !== null && { actions: metadata.actions }),
    as_of:
      plausible.time.length === 0
        ? null
        : new Date(barCloseMs(plausible.time.at(-1)!, timeframe, zone, layout)).toISOString(),
    origin: {
      fetched_at: new Date(metadata.fetchedAt).toISOString(),
      session: assetClass === "crypto" ? "24h" : layout === "regular" ? "regular" : null,
      stale,
      served_from: cached.servedFrom,
      tried: cached.tried,
      volume_unit: assetClass === "crypto" ? "tokens" : "shares",
      volume_scope: metadata.volumeScope,
    },
  };
}
