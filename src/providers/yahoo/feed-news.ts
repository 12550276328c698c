import type { NewsProvider } from "../../domain/news/provider.ts";
import { headlinesIn } from "../shared/feed.ts";
import { newsFrom } from "../shared/headline.ts";
import type { ProviderSetup } from "../shared/http-client.ts";
import { symbolOf, yahooClient } from "./client.ts";

/**
 * Creates the provider of Yahoo's feed: about twenty headlines per symbol, without publishers, one call each, without a
 * key. An unlisted symbol has an empty feed. No limit is published. Written from descriptions by third parties, not
 * from recorded responses.
 */
export function yahoofeedNews(setup: ProviderSetup): NewsProvider {
  const client = yahooClient(setup, {
    hosts: ["https://feeds.finance.yahoo.com"],
    accept: "application/rss+xml, application/xml, text/xml",
  });
  return {
    name: "yahoofeed",
    serves: new Set(["equity", "etf", "crypto"]),
    past: false,
    budget: { calls: 20, perMs: 60_000, atOnce: 2 },
    async call({ instrument }, { signal }) {
      const query = { s: symbolOf(instrument), region: "US", lang: "en-US" };
      const { body } = await client.text("/rss/2.0/headline", { query, signal });
      const rows = headlinesIn(body, (item) => ({
        publisher: item.get("source") ?? item.get("dc:creator"),
        tags: [instrument.symbol],
      }));
      return newsFrom(rows, { complete: false });
    },
  };
}
