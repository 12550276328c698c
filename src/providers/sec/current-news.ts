import type { NewsProvider } from "../../domain/news/provider.ts";
import { type FeedItem, parseFeed } from "../shared/feed.ts";
import { createHttpClient } from "../shared/http-client.ts";
import { parseZonedTime } from "../shared/timestamps.ts";
import { createWire } from "../shared/wire.ts";
import { createClient, type SecSetup } from "./client.ts";

const COUNT = 100;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_COMPANY_LENGTH = 100;

/**
 * Creates the provider of EDGAR's feed of current 8-K filings of all companies, as headlines that name the company and
 * its items. A filing belongs to the tickers of its filer's CIK. One call every two minutes serves all symbols, and one
 * a day reads the list of tickers. Written from descriptions by third parties, not from recorded responses.
 * @see https://www.sec.gov/about/rss-feeds
 */
export function secCurrentNews(setup: SecSetup): NewsProvider {
  const { tickersOf } = createClient(setup);
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? "https://www.sec.gov",
    headers: { "user-agent": setup.contact, accept: "application/atom+xml, application/xml" },
    maxBytes: MAX_BYTES,
  });
  const query = {
    action: "getcurrent",
    type: "8-K",
    owner: "include",
    start: 0,
    count: COUNT,
    output: "atom",
  };
  return createWire({
    name: "sec",
    serves: new Set(["equity"]),
    budget: { calls: 1, perMs: 1_000, atOnce: 1 },
    now: setup.now,
    async read(signal) {
      const { body } = await client.text("/cgi-bin/browse-edgar", { query, signal });
      const entries = parseFeed(body);
      if (entries.length === 0) return [];
      const tickers = await tickersOf(signal);
      return entries.map((entry) => {
        const { company, cik } = filerOf(entry.get("title") ?? "");
        return {
          id: entry.get("id"),
          title: titleOf(entry, company),
          publisher: "SEC EDGAR",
          url: entry.get("link"),
          publishedAt: parseZonedTime(entry.get("updated") ?? ""),
          tags: (cik === null ? undefined : tickers.get(cik)) ?? [],
        };
      });
    },
  });
}

/** Returns the filer in a title such as `8-K - ACME INC (0000123456) (Filer)`; without a CIK, the whole title. */
function filerOf(title: string): { readonly company: string; readonly cik: number | null } {
  const [, company, digits] = /^\S{1,12} - (.{1,200}?) \((\d{10})\)/.exec(title) ?? [];
  return company === undefined
    ? { company: title, cik: null }
    : { company: company.slice(0, MAX_COMPANY_LENGTH), cik: Number(digits) };
}

/** Returns the company with the items of the filing, which its summary lists: `Item 2.02: Results of Operations`. */
function titleOf(entry: FeedItem, company: string): string | undefined {
  if (!entry.has("title")) return undefined;
  const summary = (entry.get("summary") ?? "").replace(/<br ?\/?>/gi, "\n").replace(/<[^>]{0,200}>/g, "");
  const items = [...summary.matchAll(/Item\s\d{1,2}\.\d\d:\s?[^\n]{1,200}/g)].map(([item]) => item.trim());
  return [`${company} files 8-K`, ...(items.length === 0 ? [] : [items.join("; ")])].join(": ");
}
