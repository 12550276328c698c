import type {
  OffExchangeAnswer,
  OffExchangeDay,
  OffExchangeWeek,
  PriceVolume,
} from "../../domain/off-exchange/off-exchange.ts";
import type { Clock, OffExchange } from "../../domain/ports.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { bell, draw, keyOf, unit } from "./draws.ts";
import { BUCKET_TICKS, DAY_TICKS } from "./intraday.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
const HOUR = 3_600_000;
/** After the end of a day, as the real files come in the evening. */
const PUBLISHED_MS = 2 * HOUR;
const WEEK_DAYS = 7;
/** Days after a week's last one at which its figures are published. */
const WEEKLY_LAG_DAYS = 17;
/** The first Monday of the simulated market. */
const FIRST_MONDAY = 1;
const CRYPTO_NOT_COVERED = "Off-exchange volume is reported of US stocks and funds alone";
/** Days over which the habits of a listing drift. */
const DRIFT_DAYS = 20;

/**
 * Off-exchange volume of the simulated market: a part of each day's volume that drifts around .42, of which around .47
 * is sold short, more on days that rise: .03 for a rise by its usual spread, under a noise of about as much. Nothing
 * is told before it would have been published.
 */
export function sampleOffExchange(
  recordings: (symbol: string) => Recording | null,
  clock: Clock,
): OffExchange {
  function told<T>(
    rows: readonly T[],
    knownAt: (row: T) => number,
    gap: string | null,
  ): OffExchangeAnswer<T> {
    const last = rows.at(-1);
    return {
      rows,
      source: SOURCE,
      fetchedAt: clock.now().getTime(),
      asOf: last === undefined ? null : knownAt(last),
      stale: false,
      gap,
    };
  }
  const listed = (symbol: string): Recording | string => {
    const recording = recordings(symbol);
    if (recording === null) return `The simulated market does not list ${symbol}`;
    return recording.listing.instrument.asset_class === "crypto" ? CRYPTO_NOT_COVERED : recording;
  };
  const now = () => clock.now().getTime();

  return {
    missing: { days: null, weeks: null, byPrice: null },
    async days({ symbol }, { from, until }) {
      const found = listed(symbol);
      const known = ({ knownAt }: OffExchangeDay) => knownAt;
      if (typeof found === "string") return told<OffExchangeDay>([], known, found);
      const rows: OffExchangeDay[] = [];
      for (let day = Math.max(0, dayKnownFrom(from)); publishedAt(day) <= Math.min(until, now()); day++)
        rows.push(dayOf(found, day));
      return told(rows, known, null);
    },
    async weeks({ symbol }, { from, until }) {
      const found = listed(symbol);
      const known = ({ knownAt }: OffExchangeWeek) => knownAt;
      if (typeof found === "string") return told<OffExchangeWeek>([], known, found);
      const lag = (WEEK_DAYS + WEEKLY_LAG_DAYS) * DAY_MS;
      const rows: OffExchangeWeek[] = [];
      const earliest = Math.ceil((from - lag - EPOCH) / DAY_MS / WEEK_DAYS - FIRST_MONDAY / WEEK_DAYS);
      for (let week = Math.max(0, earliest); ; week++) {
        const monday = FIRST_MONDAY + week * WEEK_DAYS;
        const knownAt = EPOCH + monday * DAY_MS + lag;
        if (knownAt > Math.min(until, now())) break;
        rows.push(...weekOf(found, monday, knownAt));
      }
      return told(rows, known, null);
    },
    async byPrice({ symbol }, { until }) {
      const found = listed(symbol);
      if (typeof found === "string") return told<PriceVolume>([], () => 0, found);
      const newest = dayKnownFrom(Math.min(until, now()) + 1) - 1;
      const rows = newest < 0 ? [] : pricesOf(found, newest);
      return { ...told(rows, () => publishedAt(newest), null) };
    },
  };
}

const publishedAt = (day: number): number => EPOCH + (day + 1) * DAY_MS + PUBLISHED_MS;
/** The first day published at or after an instant. */
const dayKnownFrom = (instant: number): number => Math.ceil((instant - PUBLISHED_MS - EPOCH) / DAY_MS) - 1;

/** The figures of a day, whole shares. */
function dayOf({ key, path }: Recording, day: number): OffExchangeDay {
  const { open, close, spread, volume } = path.candle(day);
  const ofShare = keyOf(key, "off-exchange");
  const ofShort = keyOf(key, "short");
  const rise = Math.max(-2, Math.min(2, (close - open) / Math.max(spread, open / 1_000)));
  const part = 0.42 + 0.04 * drift(ofShare, day) + 0.015 * bell(draw(ofShare, day));
  const shortPart = 0.47 + 0.02 * drift(ofShort, day) + 0.03 * rise + 0.025 * bell(draw(ofShort, day));
  const total = Math.round((volume / path.parts) * Math.max(0.25, Math.min(0.6, part)));
  const short = Math.round(total * Math.max(0.2, Math.min(0.8, shortPart)));
  const shortExempt = Math.round(short * 0.01 * unit(draw(keyOf(key, "exempt"), day)));
  return { day: EPOCH + day * DAY_MS, short, shortExempt, total, knownAt: publishedAt(day) };
}

/** The mean of the last days' draws, near a bell of spread .22. */
function drift(key: number, day: number): number {
  let sum = 0;
  for (let back = 0; back < DRIFT_DAYS; back++) sum += bell(draw(key, day - back + 1_000_000));
  return sum / Math.sqrt(DRIFT_DAYS);
}

/** Both kinds of venue of the week that begins on a day: together exactly what the days say. */
function weekOf(recording: Recording, monday: number, knownAt: number): readonly OffExchangeWeek[] {
  const { key, path, listing } = recording;
  let [shares, notional] = [0, 0];
  for (let day = monday; day < monday + WEEK_DAYS; day++) {
    const { total } = dayOf(recording, day);
    shares += total;
    notional += (total * path.candle(day).close) / listing.scale;
  }
  const ofWeek = keyOf(key, "week", monday);
  const ats = Math.round(shares * (0.3 + 0.1 * unit(draw(ofWeek, 0))));
  const row = (kind: OffExchangeWeek["kind"], own: number, size: number): OffExchangeWeek => ({
    week: EPOCH + monday * DAY_MS,
    kind,
    shares: own,
    trades: Math.max(1, Math.round(own / size)),
    notional: Math.round((notional * own) / Math.max(1, shares)),
    knownAt,
  });
  return [row("ats", ats, 150), row("otc", shares - ats, 130)];
}

/** The day's volume by whole steps of price: five-minute spans at their close, the day's part of it off exchange. */
function pricesOf(recording: Recording, day: number): readonly PriceVolume[] {
  const { tape, path, listing } = recording;
  const { total } = dayOf(recording, day);
  const { high, low, volume } = path.candle(day);
  const step = Math.max(0.01, Math.round(((high - low) / listing.scale / 12) * 100) / 100);
  const part = volume === 0 ? 0 : (total * path.parts) / volume;
  const sums = new Map<number, number>();
  for (let from = 0; from < DAY_TICKS; from += BUCKET_TICKS) {
    const span = tape(day, from, from + BUCKET_TICKS);
    const price = Math.round(span.close / step);
    sums.set(price, (sums.get(price) ?? 0) + span.volume);
  }
  return [...sums]
    .sort(([a], [b]) => b - a)
    .map(([price, traded]) => {
      const offExchange = Math.round(traded * part);
      return {
        price: Number((price * step).toFixed(2)),
        offExchange,
        onExchange: Math.round(traded) - offExchange,
      };
    });
}
