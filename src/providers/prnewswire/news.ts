import type { NewsProvider } from "../../domain/news/provider.ts";
import { headlineOf, parseFeed } from "../shared/feed.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { createWire, tickersIn } from "../shared/wire.ts";

const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Creates the provider of PR Newswire's feed: its newest press releases, about twenty, without a key. A release belongs
 * to the tickers that its title and first lines name with their exchange (`NASDAQ: AAPL`). No limit is published.
 * Written from tests of public clients of 2026, not from recordings.
 */
export function prnewswireNews(setup: ProviderSetup & { readonly now: () => number }): NewsProvider {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? "https://www.prnewswire.com",
    headers: { accept: "application/rss+xml, application/xml, text/xml" },
    maxBytes: MAX_BYTES,
  });
  return createWire({
    name: "prnewswire",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 4, perMs: 60_000, atOnce: 1 },
    now: setup.now,
    async read(signal) {
      const { body } = await client.text("/rss/news-releases-list.rss", { signal });
      return parseFeed(body).map((item) => ({
        ...headlineOf(item),
        publisher: item.get("dc:contributor") ?? "PR Newswire",
        tags: tickersIn(`${item.get("title") ?? ""} ${item.get("description") ?? ""}`),
      }));
    },
  });
}
