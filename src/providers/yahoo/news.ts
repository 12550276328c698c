import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { readBody } from "../shared/api.ts";
import { OptionalText } from "../shared/fields.ts";
import { newsFrom, tagsFor } from "../shared/headline.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { rowsOf } from "../shared/rows.ts";
import { symbolOf, yahooClient } from "./client.ts";

/** Maximum number of headlines per call. */
const COUNT = 40;

const Item = z.object({
  uuid: OptionalText,
  title: z.string(),
  publisher: OptionalText,
  link: OptionalText,
  providerPublishTime: z.number(),
  relatedTickers: z.array(z.string()).nullish(),
});
const Search = z.object({
  quotes: rowsOf(z.looseObject({ symbol: OptionalText })),
  news: rowsOf(Item),
});

/**
 * Creates the provider of Yahoo's news search: the newest headlines of stocks, funds and tokens with their symbols, one
 * call each, without a key. It also returns results for unlisted symbols, so the symbol must be among the quotes in the
 * response. No limit is published. Undocumented; behaviour as recorded in 2025.
 */
export function yahooNews(setup: ProviderSetup): NewsProvider {
  const client = yahooClient(setup);
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    past: false,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const symbol = symbolOf(instrument);
      const query = { q: symbol, newsCount: COUNT, quotesCount: 6, enableFuzzyQuery: "false" };
      const { body } = await client.json("/v1/finance/search", { query, signal });
      const { quotes, news } = await readBody(Search, body, setup.onUnreadable);
      if (!quotes.some((quote) => quote.symbol === symbol))
        throw new ProviderFailure("unknown_symbol", "no such symbol");
      return newsFrom(
        news.map((item) => ({
          id: item.uuid,
          title: item.title,
          publisher: item.publisher,
          url: item.link,
          publishedAt: item.providerPublishTime * 1_000,
          tags: tagsFor(item.relatedTickers ?? [], symbol, instrument.symbol),
        })),
        { complete: false },
      );
    },
  };
}
