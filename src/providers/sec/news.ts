import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { parseFeed } from "../shared/feed.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";
import { parseZonedTime } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";

const BASE_URL = "https://www.sec.gov";
const COUNT = 40;
const PUBLISHER = "SEC EDGAR";

export interface SecNewsSetup extends ProviderSetup {
  /** Name and email address of the caller, `Company contact@example.com`; without them, every call is refused. */
  readonly contact: string;
}

/**
 * Creates the provider of EDGAR's feed of a company's newest 8-K filings, as headlines that name their items. It is the
 * last fallback for news, because it has no text to score. A request takes one call. Of the allowed 10 calls a second,
 * 2 are used. Written from descriptions by third parties, not from recorded responses.
 * @see https://www.sec.gov/about/rss-feeds
 */
export function secNews({ contact, ...setup }: SecNewsSetup): NewsProvider {
  const headers = { "user-agent": contact, accept: "application/atom+xml, application/xml" };
  const client = createHttpClient({ ...setup, baseUrl: setup.baseUrl ?? BASE_URL, headers });
  return {
    name: "sec",
    serves: new Set(["equity"]),
    past: false,
    budget: { calls: 2, perMs: 1_000, atOnce: 1 },
    async call({ instrument }, { signal }) {
      if (instrument.asset_class === "etf")
        throw new ProviderFailure("unsupported", "funds have no filings feed");
      const query = {
        action: "getcompany",
        CIK: usTicker(instrument, "-"),
        type: "8-K",
        owner: "include",
        count: COUNT,
        output: "atom",
      };
      const { body } = await client.text("/cgi-bin/browse-edgar", { query, signal });
      if (/no matching (?:ticker|cik|companies)/i.test(body.slice(0, 20_000)))
        throw new ProviderFailure("unknown_symbol", "no filer has this ticker");
      const rows = parseFeed(body).map((entry) => ({
        id: entry.get("id"),
        title: [entry.get("title"), entry.get("items-desc")].filter((part) => part !== undefined).join(": "),
        publisher: PUBLISHER,
        url: entry.get("link"),
        publishedAt: parseZonedTime(entry.get("updated") ?? ""),
        tags: [instrument.symbol],
      }));
      return newsFrom(rows, { complete: rows.length < COUNT });
    },
  };
}
