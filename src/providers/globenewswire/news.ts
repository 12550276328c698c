import type { NewsProvider } from "../../domain/news/provider.ts";
import { headlineOf, parseEntries } from "../shared/feed.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { createWire, tickersIn } from "../shared/wire.ts";
import { childrenOf, textOf } from "../shared/xml.ts";

const PATH = "/RssFeed/orgclass/1/feedTitle/GlobeNewswire%20-%20News%20about%20Public%20Companies";
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Creates the provider of GlobeNewswire's feed of public companies: the newest press releases, about twenty, each filed
 * under the tickers of its company (`Nasdaq:AAPL`), without a key. No limit is published. Written from a third-party
 * recording of 2021 and tests of public clients, not from own recordings.
 */
export function globenewswireNews(setup: ProviderSetup & { readonly now: () => number }): NewsProvider {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? "https://www.globenewswire.com",
    headers: { accept: "application/rss+xml, application/xml, text/xml" },
    maxBytes: MAX_BYTES,
  });
  return createWire({
    name: "globenewswire",
    serves: new Set(["equity", "etf"]),
    budget: { calls: 4, perMs: 60_000, atOnce: 1 },
    now: setup.now,
    async read(signal) {
      const { body } = await client.text(PATH, { signal });
      return parseEntries(body).map(({ fields, element }) => ({
        ...headlineOf(fields),
        publisher: fields.get("dc:contributor") ?? "GlobeNewswire",
        tags: childrenOf(element, "category")
          .filter((category) => /\/rss\/stock$/.test(String(category["@domain"] ?? "")))
          .flatMap((category) => tickersIn(textOf(category))),
      }));
    },
  });
}
