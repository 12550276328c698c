import type { Headline } from "../../domain/news/news.ts";
import type { Clock, News, NewsFeed } from "../../domain/ports.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { tickAt } from "./descent.ts";
import { draw, keyOf, normal, unit } from "./draws.ts";
import { headlineOf, rephraseHeadline, type Tone } from "./headlines.ts";
import { DAY_TICKS, tickEnd } from "./intraday.ts";
import { LISTINGS } from "./listing.ts";
import { cachedByDay, type Recording, type Recordings } from "./recordings.ts";
import { GAP_SHARE } from "./shocks.ts";
import { DAY_MS, dayAt, EPOCH, isoDate } from "./time.ts";

const SOURCE = "sample";
/** Start of the news: the second day, because the first has no previous close. */
const BEGIN = EPOCH + DAY_MS;
const PUBLISHERS = ["A", "B", "C", "D", "E"].map((letter) => `Sample Wire ${letter}`);
/** Number of days cached, all listings together. */
const CACHED_DAYS = 16_384;
/** Spread of the noise added to the move that determines a headline's tone, as a multiple of that move's spread. */
export const NOISE = 0.8;
/** Minimum size of the move plus noise for a positive or negative headline. */
const TONE_THRESHOLD = 0.5;
const REPUBLISHED_SHARE = 0.3;
const MINUTE = 60_000;

/**
 * Creates the simulated headlines, up to three a day. The tone of each follows the listing's own move of
 * the day so far (the part not explained by SPY and beta, as a multiple of its spread) plus noise of spread 0.8, so
 * news matches past moves with a known strength and contains no information about later ones. Some headlines are
 * republished by another wire within two hours.
 */
export function sampleNews(recordings: Recordings, clock: Clock): News {
  const headlinesOn = cachedByDay(CACHED_DAYS, (recording, day) =>
    headlinesOf(recording, recordings("SPY")!, day),
  );

  return {
    missing: null,
    async headlines({ symbol }, { from, until }): Promise<NewsFeed> {
      const now = clock.now().getTime();
      const end = Math.min(until, now);
      const recording = recordings(symbol);
      const found: Headline[] = [];
      // a story may be republished on the next day
      for (let day = Math.max(1, dayAt(from) - 1); recording !== null && day <= dayAt(end); day++)
        for (const headline of headlinesOn(recording, day))
          if (headline.publishedAt >= from && headline.publishedAt <= end) found.push(headline);
      return {
        headlines: found.sort((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? -1 : 1)),
        source: SOURCE,
        fetchedAt: now,
        asOf: end,
        completeFrom: from < BEGIN ? BEGIN : null,
        stale: false,
        uncovered:
          recording === null
            ? "The sample market has no news of this symbol"
            : end < BEGIN
              ? `The sample market begins on ${isoDate(BEGIN)}`
              : null,
        tried: [],
      };
    },
  };
}

/** Returns the headlines of a listing written on a day, unordered; `market` is the recording of SPY. */
export function headlinesOf(recording: Recording, market: Recording, day: number): readonly Headline[] {
  const { listing, key } = recording;
  const { symbol, asset_class } = listing.instrument;
  const ofDay = keyOf(key, "news", day);
  const share = (place: number) => unit(draw(ofDay, place));
  const count = Math.floor(2.6 * share(0) + 0.4);
  const peer = peerOf(listing, share(1));
  return Array.from({ length: count }, (_, i) => i).flatMap((i): readonly Headline[] => {
    const draws = (place: number) => share(20 * (i + 1) + place);
    const tick = Math.floor(draws(10) * DAY_TICKS);
    const tone = toneOf(ownMove(recording, market, day, tick) + NOISE * normal(keyOf(ofDay, "noise"), i));
    const about = { ticker: tickerOf(listing.instrument), peer, assetClass: asset_class };
    const title = headlineOf(about, tone, draws);
    const wire = Math.floor(draws(11) * PUBLISHERS.length);
    const at = tickEnd(day, tick);
    const headline = (id: string, text: string, publishedAt: number, by: number): Headline => ({
      id: `sample-${symbol}-${day}-${id}`,
      title: text,
      publisher: PUBLISHERS[by % PUBLISHERS.length]!,
      url: null,
      publishedAt,
      tags: [symbol, ...(peer !== null && text.includes(`$${peer}`) ? [peer] : [])],
    });
    const first = headline(`${i}`, title, at, wire);
    if (draws(12) >= REPUBLISHED_SHARE) return [first];
    const delay = Math.floor((10 + 110 * draws(13)) * MINUTE);
    const again = rephraseHeadline(title, (place) => draws(14 + place));
    const other = wire + 1 + Math.floor(draws(15) * (PUBLISHERS.length - 1));
    return [first, headline(`${i}b`, again, at + delay, other)];
  });
}

const toneOf = (move: number): Tone =>
  move > TONE_THRESHOLD ? "positive" : move < -TONE_THRESHOLD ? "negative" : "neutral";

/**
 * Returns the day's move up to a tick minus beta times the market's move, in standard deviations; for funds, the
 * whole move.
 */
function ownMove(recording: Recording, market: Recording, day: number, tick: number): number {
  const { listing, path } = recording;
  const { asset_class } = listing.instrument;
  const explained = asset_class === "etf" ? 0 : listing.beta * moveOf(market, day, tick);
  const candle = path.candle(day);
  const passed = (tick + 1) / DAY_TICKS;
  const gap = asset_class === "crypto" ? 0 : GAP_SHARE / (1 - GAP_SHARE);
  const spread = (candle.spread / candle.open) * Math.sqrt(gap + passed);
  return (moveOf(recording, day, tick) - explained) / spread;
}

/** Returns the move from the close of the day before to a tick, as a fraction. */
const moveOf = ({ path, key }: Recording, day: number, tick: number): number =>
  tickAt(path.candle(day), keyOf(key, "day", day), tick) / path.candle(day - 1).close - 1;

/** Returns the ticker of another stock of the same group; null for funds and coins. */
function peerOf({ instrument, group }: Recording["listing"], at: number): string | null {
  if (instrument.asset_class !== "equity") return null;
  const others = LISTINGS.filter((other) => other.group === group)
    .map((other) => other.instrument)
    .filter(({ asset_class, symbol }) => asset_class === "equity" && symbol !== instrument.symbol);
  return others[Math.floor(at * others.length)]?.symbol ?? null;
}
