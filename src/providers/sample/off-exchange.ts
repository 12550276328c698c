import type {
  OffExchangeAnswer,
  OffExchangeDay,
  OffExchangeWeek,
  PriceVolume,
} from "../../domain/off-exchange/off-exchange.ts";
import type { Clock, OffExchange } from "../../domain/ports.ts";
import { bell, draw, drift, keyOf, unit } from "./draws.ts";
import { BUCKET_TICKS, DAY_TICKS } from "./intraday.ts";
import type { Recording, Recordings } from "./recordings.ts";
import { DAY_MS, EPOCH, startOf } from "./time.ts";

const SOURCE = "sample";
const HOUR = 3_600_000;
/** Delay of publication after the end of a day. Real files are published in the evening. */
const PUBLISHED_MS = 2 * HOUR;
const WEEK_DAYS = 7;
/** Days from a week's last day to the publication of its figures. */
const WEEKLY_LAG_DAYS = 17;
/** The first Monday of the simulated market. */
const FIRST_MONDAY = 1;
const CRYPTO_NOT_COVERED = "Off-exchange volume is reported only for US stocks and funds";
/** Number of days over which a listing's off-exchange and short shares drift. */
const DRIFT_DAYS = 20;

/**
 * Creates the off-exchange volume of the simulated market: around 0.42 of each day's volume. Around 0.47 of
 * it is sold short, more on rising days: 0.03 more for a rise by the usual spread, with noise of about the same
 * size. Nothing is returned before it would have been published.
 */
export function sampleOffExchange(recordings: Recordings, clock: Clock): OffExchange {
  const now = () => clock.now().getTime();
  /** Returns the rows of a listing with the time at which the newest became known, or the reason why there are none. */
  function answer<T>(
    symbol: string,
    read: (recording: Recording) => readonly [rows: readonly T[], asOf: number | undefined],
  ): OffExchangeAnswer<T> {
    const recording = recordings(symbol);
    const head = { source: SOURCE, fetchedAt: now(), stale: false };
    const none = (gap: string) => ({ ...head, rows: [], asOf: null, gap });
    if (recording === null) return none(`The simulated market does not list ${symbol}`);
    if (recording.listing.instrument.asset_class === "crypto") return none(CRYPTO_NOT_COVERED);
    const [rows, asOf = null] = read(recording);
    return { ...head, rows, asOf, gap: null };
  }

  return {
    missing: { days: null, weeks: null, byPrice: null },
    async days({ symbol }, { from, until }) {
      return answer(symbol, (recording) => {
        const rows: OffExchangeDay[] = [];
        for (let day = Math.max(0, dayKnownFrom(from)); publishedAt(day) <= Math.min(until, now()); day++)
          rows.push(offExchangeOn(recording, day));
        return [rows, rows.at(-1)?.knownAt];
      });
    },
    async weeks({ symbol }, { from, until }) {
      return answer(symbol, (recording) => {
        const lag = (WEEK_DAYS + WEEKLY_LAG_DAYS) * DAY_MS;
        const rows: OffExchangeWeek[] = [];
        const earliest = Math.ceil((from - lag - EPOCH) / DAY_MS / WEEK_DAYS - FIRST_MONDAY / WEEK_DAYS);
        for (let week = Math.max(0, earliest); ; week++) {
          const monday = FIRST_MONDAY + week * WEEK_DAYS;
          const knownAt = startOf(monday) + lag;
          if (knownAt > Math.min(until, now())) return [rows, rows.at(-1)?.knownAt];
          const days = Array.from({ length: WEEK_DAYS }, (_, i) => monday + i);
          rows.push(...offExchangeWeek(recording, days, knownAt));
        }
      });
    },
    async byPrice({ symbol }, { until }) {
      return answer(symbol, (recording) => {
        const newest = dayKnownFrom(Math.min(until, now()) + 1) - 1;
        const rows = newest < 0 ? [] : volumeByPrice(recording, newest);
        return [rows, rows.length === 0 ? undefined : publishedAt(newest)];
      });
    },
  };
}

const publishedAt = (day: number): number => startOf(day + 1) + PUBLISHED_MS;
/** Returns the first day that is published at or after an instant. */
const dayKnownFrom = (instant: number): number => Math.ceil((instant - PUBLISHED_MS - EPOCH) / DAY_MS) - 1;

/** Returns the off-exchange volume of a day, in whole shares. */
export function offExchangeOn({ key, path }: Recording, day: number): OffExchangeDay {
  const { open, close, spread, volume } = path.candle(day);
  const ofShare = keyOf(key, "off-exchange");
  const ofShort = keyOf(key, "short");
  const rise = Math.max(-2, Math.min(2, (close - open) / Math.max(spread, open / 1_000)));
  const slow = (of: number) => drift(DRIFT_DAYS, (back) => bell(draw(of, day - back + 1_000_000)));
  const part = 0.42 + 0.04 * slow(ofShare) + 0.015 * bell(draw(ofShare, day));
  const shortPart = 0.47 + 0.02 * slow(ofShort) + 0.03 * rise + 0.025 * bell(draw(ofShort, day));
  const total = Math.round((volume / path.parts) * Math.max(0.25, Math.min(0.6, part)));
  const short = Math.round(total * Math.max(0.2, Math.min(0.8, shortPart)));
  const shortExempt = Math.round(short * 0.01 * unit(draw(keyOf(key, "exempt"), day)));
  return { day: startOf(day), short, shortExempt, total, knownAt: publishedAt(day) };
}

/**
 * Returns the weekly volume by kind of venue, which adds up to the volume of `days`. The first day identifies the week.
 */
export function offExchangeWeek(
  recording: Recording,
  days: readonly number[],
  knownAt: number,
): readonly OffExchangeWeek[] {
  const { key, path, listing } = recording;
  let [shares, notional] = [0, 0];
  for (const day of days) {
    const { total } = offExchangeOn(recording, day);
    shares += total;
    notional += (total * path.candle(day).close) / listing.scale;
  }
  const ofWeek = keyOf(key, "week", days[0]!);
  const ats = Math.round(shares * (0.3 + 0.1 * unit(draw(ofWeek, 0))));
  const row = (kind: OffExchangeWeek["kind"], own: number, size: number): OffExchangeWeek => ({
    week: startOf(days[0]!),
    kind,
    shares: own,
    trades: Math.max(1, Math.round(own / size)),
    notional: Math.round((notional * own) / Math.max(1, shares)),
    knownAt,
  });
  return [row("ats", ats, 150), row("otc", shares - ats, 130)];
}

/**
 * Returns a day's volume by price step. Each five-minute span is counted at its close, with the day's off-exchange
 * share.
 */
export function volumeByPrice(recording: Recording, day: number): readonly PriceVolume[] {
  const { tape, path, listing } = recording;
  const { total } = offExchangeOn(recording, day);
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
