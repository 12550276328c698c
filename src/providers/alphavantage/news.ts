import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import type { FailureKind } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { OptionalText } from "../shared/fields.ts";
import { itemsAbout, newsFrom } from "../shared/headline.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";
import { parseCompactTime } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlphavantageSetup, alphavantageApi } from "./api.ts";

const ROWS = 50;

const News = z.object({
  feed: rowsOf(
    z.object({
      title: z.string(),
      url: OptionalText,
      /** `20260805T121500`, UTC. */
      time_published: z.string(),
      source: OptionalText,
      ticker_sentiment: z.array(z.object({ ticker: z.string() })),
    }),
  ),
});

/**
 * Creates the provider of Alpha Vantage's news of US stocks, funds and tokens, years back. A request takes one call and
 * returns the newest 50 articles of the window. Its sentiment is not used, because our own model scores the news of
 * every provider. Of a free key's 25 calls a day, 20 are used.
 * @see https://www.alphavantage.co/documentation/#news-sentiment
 */
export function alphavantageNews(setup: AlphavantageSetup): NewsProvider {
  const get = alphavantageApi(setup, kindOf);
  const stamp = (at: number) => new Date(at).toISOString().slice(0, 16).replace(/[-:]/g, "");
  return {
    name: "alphavantage",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    budget: { calls: 20, perMs: 86_400_000, atOnce: 1 },
    async call({ instrument, from, until }, { signal }) {
      const own =
        instrument.asset_class === "crypto" ? `CRYPTO:${tickerOf(instrument)}` : usTicker(instrument, "-");
      const query = {
        function: "NEWS_SENTIMENT",
        tickers: own,
        time_from: stamp(from),
        time_to: stamp(until),
        sort: "LATEST",
        limit: ROWS,
      };
      const { feed } = await get("/query", News, { query, signal });
      const about = itemsAbout(own, feed, ({ ticker_sentiment }) =>
        ticker_sentiment.map(({ ticker }) => ticker),
      );
      return newsFrom(
        about.map(({ title, url, time_published, source, ticker_sentiment }) => ({
          id: url,
          title,
          publisher: source,
          url,
          publishedAt: parseCompactTime(time_published),
          tags: ticker_sentiment.map(({ ticker }) =>
            ticker === own ? instrument.symbol : ticker.replace(/^CRYPTO:(.+)$/, "$1-USD"),
          ),
        })),
        { complete: pageSize(feed) < ROWS },
      );
    },
  };
}

/** Returns the kind of failure. Limit errors are matched first, because their text mentions the key too. */
function kindOf(text: string): FailureKind {
  if (/per day|per minute|per second|rate limit|call frequency/i.test(text)) return "rate_limited";
  if (/invalid inputs/i.test(text)) return "unknown_symbol";
  return /api ?key|premium/i.test(text) ? "auth" : "malformed";
}
