import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://www.alphavantage.co";
const ROWS = 50;
const DAY = 86_400_000;

/** How it refuses, always with a status of 200. */
const Refusal = z.object({
  Information: z.string().optional(),
  Note: z.string().optional(),
  "Error Message": z.string().optional(),
});
const Item = z.object({
  title: z.string(),
  url: z.string().nullish(),
  /** `20260805T121500`, UTC. */
  time_published: z.string(),
  source: z.string().nullish(),
  ticker_sentiment: z.array(z.object({ ticker: z.string() })),
});
const News = z.object({ feed: z.array(Item) });

export interface AlphavantageSetup extends ProviderSetup {
  readonly key: string;
}

/**
 * Alpha Vantage's news of US stocks, funds and tokens, years back, one call a question: the newest 50 of the window. Its own
 * sentiment is not used: ours is judged alike for every source. Of 25 calls a day it publishes for free keys, 20 are used. The
 * key stands in the address, as it wants it.
 * @see https://www.alphavantage.co/documentation/#news-sentiment
 */
export function alphavantageNews({ key, ...setup }: AlphavantageSetup): NewsProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  const stamp = (at: number) => new Date(at).toISOString().slice(0, 16).replace(/[-:]/g, "");
  return {
    name: "alphavantage",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    budget: { calls: 20, perMs: DAY, atOnce: 1 },
    async call({ instrument, from, until }, { signal }) {
      const ticker =
        instrument.asset_class === "crypto" ? `CRYPTO:${tickerOf(instrument)}` : usTicker(instrument, "-");
      const query = {
        function: "NEWS_SENTIMENT",
        tickers: ticker,
        time_from: stamp(from),
        time_to: stamp(until),
        sort: "LATEST",
        limit: ROWS,
        apikey: key,
      };
      const { body } = await wire.json("/query", { query, signal });
      const refusal = refusalIn(body);
      if (refusal !== null) throw refusal;
      const read = News.safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      const { feed } = read.data;
      if (feed.some(({ ticker_sentiment }) => ticker_sentiment.every((one) => one.ticker !== ticker)))
        throw new ProviderFailure("malformed", "an answer about another symbol");
      return newsFrom(
        feed.map(({ title, url, time_published, source, ticker_sentiment }) => ({
          id: url,
          title,
          publisher: source,
          url,
          publishedAt: Date.parse(
            time_published.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)$/, "$1-$2-$3T$4:$5:$6Z"),
          ),
          tags: ticker_sentiment.map((one) =>
            one.ticker === ticker ? instrument.symbol : one.ticker.replace(/^CRYPTO:(.+)$/, "$1-USD"),
          ),
        })),
        { complete: feed.length < ROWS },
      );
    },
  };
}

/** Its words tell a limit from a wrong call; a limit names the key too, so it is looked for first. */
function refusalIn(body: unknown): ProviderFailure | null {
  const { Information, Note, "Error Message": error } = Refusal.catch({}).parse(body);
  const words = Information ?? Note ?? error;
  if (words === undefined) return null;
  if (/per day|per minute|per second|rate limit|call frequency/i.test(words))
    return new ProviderFailure("rate_limited", "too many calls, it says");
  if (/invalid inputs/i.test(words)) return new ProviderFailure("unknown_symbol", "it has no such symbol");
  if (/api ?key|premium/i.test(words)) return new ProviderFailure("auth", "it refuses the key");
  return new ProviderFailure("malformed", "a refusal it does not document");
}
