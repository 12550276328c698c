import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { Instant, OptionalText } from "../shared/fields.ts";
import { itemsAbout, newsFrom, tagsFor } from "../shared/headline.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type MassiveSetup, massiveApi, requireInPlan } from "./api.ts";

const ROWS = 100;

const Item = z.object({
  id: OptionalText,
  title: z.string(),
  publisher: z.object({ name: OptionalText }).nullish(),
  article_url: OptionalText,
  published_utc: Instant,
  tickers: z.array(z.string()),
});
const News = z.object({ results: rowsOf(Item).nullish(), next_url: OptionalText });

/**
 * Creates the provider of Massive's news of US stocks, funds and tokens, years back. A request takes one call and
 * returns the newest 100 articles of the window. An unknown symbol has none. Of a free key's 5 calls a minute, prices
 * use 4 and news 1.
 * @see https://massive.com/docs/rest/stocks/news
 */
export function massiveNews(setup: MassiveSetup): NewsProvider {
  const get = massiveApi(setup);
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
      const { results, next_url } = requireInPlan(await get("/v2/reference/news", News, { query, signal }));
      const items = itemsAbout(ticker, results ?? [], ({ tickers }) => tickers);
      return newsFrom(
        items.map(({ id, title, publisher, article_url, published_utc, tickers }) => ({
          id,
          title,
          publisher: publisher?.name,
          url: article_url,
          publishedAt: published_utc,
          tags: tagsFor(tickers, ticker, instrument.symbol),
        })),
        { complete: !next_url },
      );
    },
  };
}
