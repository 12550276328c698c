import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { newsFrom, tagsFor } from "../shared/headline.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { createClient, type MassiveSetup } from "./client.ts";

const ROWS = 100;

const Item = z.object({
  id: z.string().nullish(),
  title: z.string(),
  publisher: z.object({ name: z.string().nullish() }).nullish(),
  article_url: z.string().nullish(),
  published_utc: z.iso.datetime({ offset: true }),
  tickers: z.array(z.string()),
});
const News = z.object({ results: z.array(Item).nullish(), next_url: z.string().nullish() });

/**
 * Massive's news of US stocks, funds and tokens, years back, one call a question: the newest 100 of the window. A symbol that it
 * does not know has none. Of 5 calls a minute it publishes for free keys, prices use 4 and this 1.
 * @see https://massive.com/docs/rest/stocks/news
 */
export function massiveNews(setup: MassiveSetup): NewsProvider {
  const ask = createClient(setup);
  return {
    name: "massive",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    budget: { calls: 1, perMs: 60_000, atOnce: 1 },
    async call({ instrument, from, until }, { signal }) {
      const ticker =
        instrument.asset_class === "crypto" ? `X:${tickerOf(instrument)}USD` : usTicker(instrument);
      const query = {
        ticker,
        "published_utc.gte": new Date(from).toISOString(),
        "published_utc.lte": new Date(until).toISOString(),
        order: "desc",
        sort: "published_utc",
        limit: ROWS,
      };
      const told = await ask({ path: "/v2/reference/news", shape: News, query, signal });
      if (told === null) throw new ProviderFailure("unsupported", "not in the plan of this account");
      const items = told.results ?? [];
      if (items.some(({ tickers }) => !tickers.includes(ticker)))
        throw new ProviderFailure("malformed", "an answer about another symbol");
      return newsFrom(
        items.map(({ id, title, publisher, article_url, published_utc, tickers }) => ({
          id,
          title,
          publisher: publisher?.name,
          url: article_url,
          publishedAt: Date.parse(published_utc),
          tags: tagsFor(tickers, ticker, instrument.symbol),
        })),
        { complete: !told.next_url },
      );
    },
  };
}
