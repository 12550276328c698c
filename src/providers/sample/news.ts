import { LRUCache } from "lru-cache";
import type { Headline } from "../../domain/news/news.ts";
import type { Clock, News, NewsFeed } from "../../domain/ports.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { DAY_MS, EPOCH } from "./daily.ts";
import { tickAt } from "./descent.ts";
import { draw, keyOf, normal, unit } from "./draws.ts";
import { headlineOf, rephraseHeadline, type Tone } from "./headlines.ts";
import { DAY_TICKS, TICK_MS } from "./intraday.ts";
import { LISTINGS } from "./listing.ts";
import { GAP_SHARE } from "./shocks.ts";
import type { Recording } from "./tapes.ts";

const SOURCE = "sample";
/** Its first day has no day before to move from. */
const BEGIN = EPOCH + DAY_MS;
const PUBLISHERS = [
  "Sample Wire A",
  "Sample Wire B",
  "Sample Wire C",
  "Sample Wire D",
  "Sample Wire E",
] as const;
/** Days kept over all listings. */
const CACHED_DAYS = 16_384;
/** Spread of what a headline adds to the move it tells, in spreads of that move. */
const NOISE = 0.8;
/** Beyond it, either way, a headline takes a side. */
const TONE_THRESHOLD = 0.5;
const REPUBLISHED_SHARE = 0.3;
const MINUTE = 60_000;

/**
 * Made-up headlines of the simulated market, none to three a day. The tone of each follows the listing's own move of the day
 * so far (what SPY and beta do not explain, in spreads of such a move) with noise of spread .8, so that news is right about
 * what has happened with a known strength and knows nothing of what comes. Some are retold by another wire within two hours.
 */
export function sampleNews(recordings: (symbol: string) => Recording | null, clock: Clock): News {
  const kept = new LRUCache<string, readonly Headline[]>({ max: CACHED_DAYS });

  function dayOf(recording: Recording, day: number): readonly Headline[] {
    const name = `${recording.listing.instrument.symbol} ${day}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    const made = headlinesOf(recording, recordings("SPY")!, day);
    kept.set(name, made);
    return made;
  }

  return {
    missing: null,
    async headlines({ symbol }, { from, until }): Promise<NewsFeed> {
      const now = clock.now().getTime();
      const end = Math.min(until, now);
      const recording = recordings(symbol);
      const found: Headline[] = [];
      // a story is retold into the next day
      const first = Math.max(1, Math.floor((from - EPOCH) / DAY_MS) - 1);
      for (let day = first; recording !== null && day <= Math.floor((end - EPOCH) / DAY_MS); day++)
        for (const headline of dayOf(recording, day))
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
            ? "The sample market makes up no news of it"
            : end < BEGIN
              ? `The sample market begins on ${new Date(BEGIN).toISOString().slice(0, 10)}`
              : null,
        tried: [],
      };
    },
  };
}

function headlinesOf(recording: Recording, market: Recording, day: number): readonly Headline[] {
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
    const title = headlineOf(
      { ticker: tickerOf(listing.instrument), peer, assetClass: asset_class },
      tone,
      draws,
    );
    const wire = Math.floor(draws(11) * PUBLISHERS.length);
    const at = EPOCH + day * DAY_MS + (tick + 1) * TICK_MS;
    const one = (id: string, text: string, publishedAt: number, by: number): Headline => ({
      id: `sample-${symbol}-${day}-${id}`,
      title: text,
      publisher: PUBLISHERS[by % PUBLISHERS.length]!,
      url: null,
      publishedAt,
      tags: [symbol, ...(peer !== null && text.includes(`$${peer}`) ? [peer] : [])],
    });
    const first = one(`${i}`, title, at, wire);
    if (draws(12) >= REPUBLISHED_SHARE) return [first];
    const delay = Math.floor((10 + 110 * draws(13)) * MINUTE);
    const again = rephraseHeadline(title, (place) => draws(14 + place));
    return [
      first,
      one(`${i}b`, again, at + delay, wire + 1 + Math.floor(draws(15) * (PUBLISHERS.length - 1))),
    ];
  });
}

const toneOf = (told: number): Tone =>
  told > TONE_THRESHOLD ? "positive" : told < -TONE_THRESHOLD ? "negative" : "neutral";

/** The day's move up to a tick less beta times that of the market, in spreads of such a move; of funds, the whole move. */
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

/** From the close of the day before to a tick, as a share. */
const moveOf = ({ path, key }: Recording, day: number, tick: number): number =>
  tickAt(path.candle(day), keyOf(key, "day", day), tick) / path.candle(day - 1).close - 1;

/** Another stock of the same group; null of what has none. */
function peerOf({ instrument, group }: Recording["listing"], at: number): string | null {
  if (instrument.asset_class !== "equity") return null;
  const others = LISTINGS.filter(
    (one) =>
      one.group === group &&
      one.instrument.asset_class === "equity" &&
      one.instrument.symbol !== instrument.symbol,
  );
  return others[Math.floor(at * others.length)]?.instrument.symbol ?? null;
}
