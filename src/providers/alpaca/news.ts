import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { tickerOf } from "../../market/symbols/listings.ts";
import { Instant, OptionalText } from "../shared/fields.ts";
import { itemsAbout, newsFrom, type RawHeadline, tagsFor } from "../shared/headline.ts";
import { rowsOf } from "../shared/rows.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type AlpacaSetup, alpacaApi } from "./api.ts";

const PAGE_SIZE = 50;
const MAX_PAGES = 3;

const Item = z.object({
  id: z.number().nullish(),
  headline: z.string(),
  source: OptionalText,
  url: OptionalText,
  created_at: Instant,
  symbols: z.array(z.string()),
});
const News = z.object({ news: rowsOf(Item).nullable(), next_page_token: OptionalText });

/**
 * Creates the provider of Alpaca's news of stocks, funds and tokens, years back: one call per 50 headlines, at most
 * three calls. An unknown symbol has no news. Of the published 200 calls a minute, prices use 150, prints 40 and news
 * 8.
 * @see https://docs.alpaca.markets/reference/news-3
 */
export function alpacaNews(setup: AlpacaSetup): NewsProvider {
  const get = alpacaApi(setup);
  return {
    name: "alpaca",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from, until }, { signal }) {
      const crypto = instrument.asset_class === "crypto";
      const symbol = crypto ? `${tickerOf(instrument)}USD` : usTicker(instrument);
      const [start, end] = [from, until].map((at) => new Date(at).toISOString());
      const rows: RawHeadline[] = [];
      let token: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const query = { symbols: symbol, start, end, limit: PAGE_SIZE, sort: "desc", page_token: token };
        const { news, next_page_token } = await get("/v1beta1/news", News, { query, signal });
        const items = itemsAbout(symbol, news ?? [], ({ symbols }) => symbols);
        for (const { id, headline, source, url, created_at, symbols } of items)
          rows.push({
            id,
            title: headline,
            publisher: source,
            url,
            publishedAt: created_at,
            tags: tagsFor(symbols, symbol, instrument.symbol),
          });
        token = next_page_token ?? undefined;
        if (token === undefined || items.length === 0) break;
      }
      return newsFrom(rows, { complete: token === undefined });
    },
  };
}
