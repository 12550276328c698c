import type { NewsProvider } from "../../domain/news/provider.ts";
import { headlinesIn } from "../shared/feed.ts";
import { newsFrom, tagsFor } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://www.nasdaq.com";
/** Request headers of a browser; without them, the feed never responds. */
const HEADERS = {
  accept: "application/rss+xml, application/xml, text/xml",
  "accept-language": "en-US,en;q=0.9",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
};

/**
 * Creates the provider of Nasdaq's news feed: about fifteen headlines per ticker, for stocks and funds, one call each,
 * without a key. An unknown ticker has an empty feed. No limit is published. Written from descriptions by third
 * parties, not from recorded responses.
 */
export function nasdaqfeedNews(setup: ProviderSetup): NewsProvider {
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers: HEADERS });
  return {
    name: "nasdaqfeed",
    serves: new Set(["equity", "etf"]),
    past: false,
    budget: { calls: 10, perMs: 60_000, atOnce: 1 },
    async call({ instrument }, { signal }) {
      const symbol = usTicker(instrument);
      const { body } = await client.text("/feed/rssoutbound", { query: { symbol }, signal });
      const rows = headlinesIn(body, (item) => ({
        tags: tagsFor((item.get("nasdaq:tickers") ?? symbol).split(/[\s,]+/), symbol, instrument.symbol),
      }));
      return newsFrom(rows, { complete: false });
    },
  };
}
