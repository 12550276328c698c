import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newsFrom, tagsFor } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { BASE_URL, HEADERS, rethrowAuthAsBlocked, symbolOf } from "./client.ts";

/** Headlines that one call gives at most. */
const COUNT = 40;

const Item = z.object({
  uuid: z.string().nullish(),
  title: z.string(),
  publisher: z.string().nullish(),
  link: z.string().nullish(),
  providerPublishTime: z.number(),
  relatedTickers: z.array(z.string()).nullish(),
});
const Search = z.object({
  quotes: z.array(z.looseObject({ symbol: z.string().nullish() })),
  news: z.array(z.unknown()),
});

/**
 * Yahoo's search as a source of headlines of stocks, funds and tokens: the newest ones, each filed under the symbols it is
 * about, one call a question and no key. It answers words that nobody lists as well, so the symbol must be among what it finds.
 * It publishes no limits: the budget is ours. Undocumented; behaviour as recorded in 2025.
 */
export function yahooNews(setup: ProviderSetup): NewsProvider {
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: HEADERS });
  return {
    name: "yahoo",
    serves: new Set(["equity", "etf", "crypto"]),
    past: false,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const symbol = symbolOf(instrument);
      const query = { q: symbol, newsCount: COUNT, quotesCount: 6, enableFuzzyQuery: "false" };
      const { body } = await wire.json("/v1/finance/search", { query, signal }).catch(rethrowAuthAsBlocked);
      const read = Search.safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than is known", { cause: read.error });
      const { quotes, news } = read.data;
      if (!quotes.some((quote) => quote.symbol === symbol))
        throw new ProviderFailure("unknown_symbol", "it finds no such symbol");
      const rows = news.flatMap((item) => {
        const { success, data } = Item.safeParse(item);
        return success ? [data] : [];
      });
      if (news.length > 0 && rows.length === 0)
        throw new ProviderFailure("malformed", "rows that are no headlines");
      return newsFrom(
        rows.map(({ uuid, title, publisher, link, providerPublishTime, relatedTickers }) => ({
          id: uuid,
          title,
          publisher,
          url: link,
          publishedAt: providerPublishTime * 1_000,
          tags: tagsFor(relatedTickers ?? [], symbol, instrument.symbol),
        })),
        { complete: false },
      );
    },
  };
}
