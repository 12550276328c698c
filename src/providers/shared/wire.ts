import type { Headline } from "../../domain/news/news.ts";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { isWithin } from "../../lib/expiry.ts";
import { createSingleFlight } from "../../market/failover/single-flight.ts";
import { newsFrom, type RawHeadline, tagsFor } from "./headline.ts";
import { usTicker } from "./us-ticker.ts";

/** Time for which a read feed answers for every symbol, ms. */
const FRESH_MS = 2 * 60_000;
/** Maximum number and age of the items that are held in memory. */
const MAX_ITEMS = 2_000;
const MAX_AGE_MS = 8 * 86_400_000;
/** Maximum time that an item may lie in the future, ms. */
const MAX_SKEW_MS = 60 * 60_000;

export interface WireOptions extends Pick<NewsProvider, "name" | "serves" | "budget"> {
  /** Epoch ms. */
  readonly now: () => number;
  /** Reads the feed; tags are US tickers with their class after a dash. */
  readonly read: (signal: AbortSignal) => Promise<readonly RawHeadline[]>;
}

/**
 * Creates a provider from the feed of a whole market, such as a press wire, which has only its newest items: one call
 * every two minutes serves all symbols, and items with tickers are held for eight days, at most 2,000. Headlines may be
 * missing from before the last gap between two readings.
 */
export function createWire({ name, serves, budget, now, read }: WireOptions): NewsProvider {
  const flights = createSingleFlight<void>();
  let items: readonly Headline[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  /** Time of the newest item read, and time since which no item is missing; epoch ms. */
  let newest = Number.NEGATIVE_INFINITY;
  let completeFrom = Number.POSITIVE_INFINITY;

  async function refresh(signal: AbortSignal): Promise<void> {
    const answer = newsFrom(await read(signal), { complete: false });
    readAt = now();
    // one from the future would stay the newest, and no gap between two reads would be noticed
    const headlines = answer.headlines.filter(({ publishedAt }) => publishedAt <= readAt + MAX_SKEW_MS);
    if (headlines.length === 0) return;
    const times = headlines.map(({ publishedAt }) => publishedAt);
    const oldest = Math.min(...times);
    if (oldest > newest || completeFrom > oldest) completeFrom = oldest;
    newest = Math.max(newest, ...times);
    const known = new Map([...items, ...headlines].map((headline) => [headline.id, headline]));
    const tagged = [...known.values()]
      .filter(({ tags, publishedAt }) => tags.length > 0 && publishedAt > readAt - MAX_AGE_MS)
      .sort((a, b) => b.publishedAt - a.publishedAt);
    items = tagged.slice(0, MAX_ITEMS);
    const dropped = tagged[MAX_ITEMS];
    completeFrom = Math.max(
      completeFrom,
      readAt - MAX_AGE_MS,
      dropped === undefined ? 0 : dropped.publishedAt + 1,
    );
  }

  /** Waits until the feed is read, once for all concurrent callers. */
  async function refreshed(signal: AbortSignal): Promise<void> {
    try {
      await flights(name, refresh, signal);
    } catch (cause) {
      if (cause instanceof ProviderFailure) throw cause;
      throw new ProviderFailure("timeout", "the caller aborted", { cause });
    }
  }

  return {
    name,
    serves,
    past: false,
    budget,
    async call({ instrument, from, until }, { signal }) {
      if (!serves.has(instrument.asset_class))
        throw new ProviderFailure("unsupported", "this kind of instrument is not in the feed");
      const ticker = usTicker(instrument, "-");
      if (!isWithin(readAt, now(), FRESH_MS)) await refreshed(signal);
      const headlines = items
        .filter(({ tags }) => tags.includes(ticker))
        .map((headline) => ({ ...headline, tags: tagsFor(headline.tags, ticker, instrument.symbol) }));
      return { headlines, completeFrom: completeFrom <= from ? null : Math.min(completeFrom, until) };
    },
  };
}

const EXCHANGE = "nasdaq(?:[ -]?(?:gs|gm|cm))?|nyse(?:[ -]?(?:american|arca|mkt))?|amex|cboe(?: bzx)?|bats";
const TICKER = "[A-Z]{1,6}(?:[./-][A-Z]{1,2})?";
/** One or more tickers after a US exchange: `NASDAQ: AAPL`, `NYSE American: ABC, ABC-A`. */
const LISTED = new RegExp(`\\b(?:${EXCHANGE})\\s?:\\s?(${TICKER}(?:,\\s?${TICKER}){0,4})(?!\\w)`, "gi");

/**
 * Returns the tickers that a text names with a US exchange, as wires write them: `(NASDAQ: AAPL)`. A class is after a
 * dash.
 */
export const tickersIn = (text: string): readonly string[] =>
  [
    ...text
      .replace(/<[^>]{0,500}>|&nbsp;|\s/g, " ")
      .replace(/ +/g, " ")
      .matchAll(LISTED),
  ]
    .flatMap(([, tickers]) => tickers!.split(/,\s?/))
    .filter((ticker) => ticker === ticker.toUpperCase())
    .map((ticker) => ticker.replace(/[./]/, "-"));
