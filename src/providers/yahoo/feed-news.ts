import type { NewsProvider } from "../../domain/news/provider.ts";
import { parseFeed } from "../shared/feed.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { HEADERS, rethrowAuthAsBlocked, symbolOf } from "./client.ts";

const BASE_URL = "https://feeds.finance.yahoo.com";

/**
 * Yahoo's feed of headlines by symbol, the newest twenty or so, without publishers. One call a question and no key. A symbol that
 * it does not list has an empty feed. It publishes no limits: the budget is ours. Built as others document it.
 */
export function yahoofeedNews(setup: ProviderSetup): NewsProvider {
  const headers = { ...HEADERS, accept: "application/rss+xml, application/xml, text/xml" };
  const wire = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers });
  return {
    name: "yahoofeed",
    serves: new Set(["equity", "etf", "crypto"]),
    past: false,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const query = { s: symbolOf(instrument), region: "US", lang: "en-US" };
      const { body } = await wire.text("/rss/2.0/headline", { query, signal }).catch(rethrowAuthAsBlocked);
      const rows = parseFeed(body).map((item) => ({
        id: item.get("guid"),
        title: item.get("title"),
        publisher: item.get("source") ?? item.get("dc:creator"),
        url: item.get("link"),
        publishedAt: Date.parse(item.get("pubDate") ?? ""),
        tags: [instrument.symbol],
      }));
      return newsFrom(rows, { complete: false });
    },
  };
}
