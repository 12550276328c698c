import { type Bar, type Bars, sliceBars, type Timeframe } from "../../domain/market/bars.ts";
import type { AssetClass, BarSeries, Instrument } from "../../domain/market/market.ts";
import type { CachedBars } from "../../domain/market/market-cache-port.ts";
import type { Origin, ProviderAttempt } from "../../domain/market/provenance.ts";
import {
  type PriceProvider,
  type ProviderBar,
  ProviderFailure,
} from "../../domain/providers/price-provider.ts";
import { barCloseMs, sessionOf } from "../calendar/calendar.ts";
import { aggregate } from "./aggregate.ts";
import { sanitizeBars, zoneFor } from "./sanitize-bars.ts";

const MINUTE = 60_000;
/** After its last trade a bar is still being settled. */
const SETTLING_MS = { day: 10 * MINUTE, intraday: 5_000 } as const;
/** What a Date header of whole seconds and the way it took explain is no wrong clock. */
const CLOCK_TOLERANCE_MS = 2_000;
/** Daily rows on days without a session that may be a vendor's slip. */
const MAX_OFF_SESSION_ROWS = 2;
/** How long the last part of a bar may be missing only because it is late. */
const MAX_LATE_MS = 60 * MINUTE;

/** Bars that are held, as columns alone, and how they came to be. */
export interface CachedSeries {
  readonly metadata: Omit<CachedBars, "bars">;
  readonly bars: Bars;
  /** Whoever needs nothing before this moment (epoch ms) is answered as well as it can be. */
  readonly coversFrom: number;
  readonly tried: readonly ProviderAttempt[];
  readonly place: Origin["kept"];
}

/** What a source gave, cleaned, made as long as asked and closed as of what the source can have seen. Throws ProviderFailure. */
export function prepareBars(
  said: Parameters<typeof sanitizeBars>[0],
  source: PriceProvider,
  asked: {
    readonly assetClass: AssetClass;
    readonly timeframe: Timeframe;
    /** The length that the source gave. */
    readonly base: Timeframe;
    readonly from: number;
    readonly at: number;
    readonly now: number;
    /** How far the source's clock is ahead of ours. */
    readonly skewMs: number;
  },
): CachedBars {
  const { assetClass, timeframe, base, from, at, now, skewMs } = asked;
  // a source that lags has not seen the end of a bar that closed just now
  const settling = timeframe === "1d" && assetClass !== "crypto" ? SETTLING_MS.day : SETTLING_MS.intraday;
  const lag = Math.max((source.barDelayMinutes ?? source.delayMinutes) * MINUTE, settling);
  // where our clock is ahead, what we take for now has not been
  const ahead = skewMs < -CLOCK_TOLERANCE_MS ? -skewMs : 0;
  const known = Math.min(at, now - lag - ahead);
  const inRange = said.bars.filter(({ time }) => time <= at);
  if (offSessionRows(inRange, base, assetClass) > MAX_OFF_SESSION_ROWS)
    throw new ProviderFailure("malformed", "bars of days on which nothing trades");
  const clean = sanitizeBars({ ...said, bars: inRange }, { assetClass, timeframe: base, at: known });
  const short = clean.forming === null ? rowsOf(clean.bars) : [...rowsOf(clean.bars), clean.forming];
  const { bars, forming } =
    base === timeframe
      ? clean
      : sanitizeBars(aggregate({ ...said, bars: short }, timeframe, assetClass), {
          assetClass,
          timeframe,
          at: known,
        });
  const rows =
    base === timeframe
      ? rowsOf(bars)
      : completeRows(rowsOf(bars), short, { timeframe, base, assetClass, known });
  const first = rows.findIndex(({ time }) => time >= from);
  const kept = first === -1 ? [] : rows.slice(first);
  if (kept.length === 0 && said.bars.length > 0)
    throw new ProviderFailure("malformed", "bars of which none can be used");
  return {
    source: source.name,
    venue: said.venue,
    volumeScope: said.volumeScope,
    adjustment: said.adjustment,
    fetchedAt: now,
    from,
    at: known,
    bars: kept,
    forming,
  };
}

/** Daily rows of a stock that lie on no session: bars told under the wrong date. */
const offSessionRows = (rows: readonly ProviderBar[], base: Timeframe, assetClass: AssetClass): number =>
  base !== "1d" || assetClass === "crypto"
    ? 0
    : rows.filter(
        ({ time, close }) => close !== null && sessionOf(new Date(time).toISOString().slice(0, 10)) === null,
      ).length;

/** Without a newest bar whose last part has not been told yet. */
function completeRows(
  rows: readonly Bar[],
  parts: readonly ProviderBar[],
  {
    timeframe,
    base,
    assetClass,
    known,
  }: {
    readonly timeframe: Timeframe;
    readonly base: Timeframe;
    readonly assetClass: AssetClass;
    readonly known: number;
  },
): readonly Bar[] {
  const newest = rows.at(-1);
  const lastPart = parts.at(-1);
  if (newest === undefined || lastPart === undefined) return rows;
  const zone = zoneFor(assetClass);
  const end = barCloseMs(newest.time, timeframe, zone);
  const told = barCloseMs(lastPart.time, base, zone);
  return told < end && known - end < MAX_LATE_MS ? rows.slice(0, -1) : rows;
}

/** What a source gave or the store remembers, held for answers. */
export function toCachedSeries(
  { bars: rows, ...kept }: CachedBars,
  how: Pick<CachedSeries, "tried" | "place"> & {
    readonly timeframe: Timeframe;
    readonly assetClass: AssetClass;
    /** What the one who asked for it needed, epoch ms: sources that reach so far back were asked first. */
    readonly needed?: number;
  },
): CachedSeries {
  const { timeframe, assetClass, tried, place, needed = kept.from } = how;
  const bars = columnsOf(rows, { timeframe, adjustment: kept.adjustment, zone: zoneFor(assetClass) });
  return { metadata: kept, bars, tried, place, coversFrom: Math.min(kept.from, needed) };
}

const COLUMNS = ["time", "open", "high", "low", "close", "volume"] as const;

function columnsOf(rows: readonly Bar[], about: Pick<Bars, "timeframe" | "adjustment" | "zone">): Bars {
  const columns = Object.fromEntries(
    COLUMNS.map((column) => [column, Float64Array.from(rows, (bar) => bar[column])]),
  ) as Record<(typeof COLUMNS)[number], Float64Array>;
  return { ...columns, ...about };
}

const rowsOf = (bars: Bars): Bar[] =>
  Array.from(bars.time, (time, i) => ({
    time,
    open: bars.open[i]!,
    high: bars.high[i]!,
    low: bars.low[i]!,
    close: bars.close[i]!,
    volume: bars.volume[i]!,
  }));

/** A shelf as an answer: at most `limit` closed bars; an empty series for no shelf. */
export function seriesOf(
  shelf: CachedSeries | null,
  {
    instrument,
    timeframe,
    limit,
    at,
    stale,
  }: {
    readonly instrument: Instrument;
    readonly timeframe: Timeframe;
    readonly limit: number;
    /** Epoch ms to look back from; null for now. */
    readonly at: number | null;
    readonly stale: boolean;
  },
): BarSeries {
  const assetClass = instrument.asset_class;
  const zone = zoneFor(assetClass);
  if (shelf === null) {
    const none = new Float64Array(0);
    const columns = { time: none, open: none, high: none, low: none, close: none, volume: none };
    const bars: Bars = { ...columns, timeframe, adjustment: "unknown", zone };
    return { bars, forming: null, source: "none", venue: "none", adjustment: "unknown", as_of: null };
  }
  const { metadata: kept, bars } = shelf;
  let count = bars.time.length;
  while (at !== null && count > 0 && barCloseMs(bars.time[count - 1]!, timeframe, zone) > at) count--;
  const closed = sliceBars(bars, Math.max(0, count - limit), count);
  const last = closed.time.at(-1);
  return {
    bars: closed,
    forming: at === null && !stale ? kept.forming : null,
    source: kept.source,
    venue: kept.venue,
    adjustment: kept.adjustment,
    as_of: last === undefined ? null : new Date(barCloseMs(last, timeframe, zone)).toISOString(),
    origin: {
      fetched_at: new Date(kept.fetchedAt).toISOString(),
      session: assetClass === "crypto" ? "24h" : "regular",
      stale,
      kept: shelf.place,
      tried: shelf.tried,
      volume_unit: assetClass === "crypto" ? "tokens" : "shares",
      volume_scope: kept.volumeScope,
    },
  };
}
