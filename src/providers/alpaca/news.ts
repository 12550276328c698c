import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { newsFrom, type RawHeadline, tagsFor } from "../shared/headline.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlpacaSetup, createClient } from "./client.ts";

const PAGE = 50;
const PAGES = 3;

const Item = z.object({
  id: z.number().nullish(),
  headline: z.string(),
  source: z.string().nullish(),
  url: z.string().nullish(),
  created_at: z.iso.datetime({ offset: true }),
  symbols: z.array(z.string()),
});
const News = z.object({ news: z.array(Item).nullable(), next_page_token: z.string().nullish() });

/**
 * Alpaca's news of stocks, funds and tokens, years back, one call for each 50 headlines and three at most. A symbol that it does
 * not know has none. Of 200 calls a minute it publishes, prices use 150, prints 40 and this 8.
 * @see https://docs.alpaca.markets/reference/news-3
 */
export function alpacaNews(setup: AlpacaSetup): NewsProvider {
  const ask = createClient(setup);
  return {
    name: "alpaca",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from, until }, { signal }) {
      const crypto = instrument.asset_class === "crypto";
      const symbol = crypto ? `${tickerOf(instrument)}USD` : usTicker(instrument);
      const [start, end] = [from, until].map((at) => new Date(at).toISOString());
      const query = { symbols: symbol, start, end, limit: PAGE, sort: "desc" };
      const rows: RawHeadline[] = [];
      let token: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const told = await ask("/v1beta1/news", News, { ...query, page_token: token }, signal);
        const items = told.news ?? [];
        if (items.some(({ symbols }) => !symbols.includes(symbol)))
          throw new ProviderFailure("malformed", "an answer about another symbol");
        for (const { id, headline, source, url, created_at, symbols } of items)
          rows.push({
            id,
            title: headline,
            publisher: source,
            url,
            publishedAt: Date.parse(created_at),
            tags: tagsFor(symbols, symbol, instrument.symbol),
          });
        token = told.next_page_token ?? undefined;
        if (token === undefined || items.length === 0) break;
      }
      return newsFrom(rows, { complete: token === undefined });
    },
  };
}
