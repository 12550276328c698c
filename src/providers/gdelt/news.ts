import { z } from "zod";
import type { NewsProvider, NewsRequest } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { readBody } from "../shared/api.ts";
import { OptionalText } from "../shared/fields.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup, parseJson } from "../shared/http-client.ts";
import { pageSize, rowsOf } from "../shared/rows.ts";
import { parseCompactTime } from "../shared/timestamps.ts";

const BASE_URL = "https://api.gdeltproject.org";
const ROWS = 75;
/** Maximum age of a headline that the search finds, ms. */
const REACH_MS = 89 * 86_400_000;
/** Pause after a refusal, ms; doubles with each further one up to the maximum. */
const FIRST_PAUSE_MS = 15 * 60_000;
const MAX_PAUSE_MS = 6 * 3_600_000;
/** Words that must occur with the name, because GDELT searches words, not symbols. */
const CONTEXT_TERMS = {
  stock: "(stock OR shares OR earnings OR investors)",
  crypto: "(crypto OR price OR token OR traders)",
};

const Article = z.object({
  url: OptionalText,
  title: z.string(),
  /** `20260805T121500Z` */
  seendate: z.string(),
  domain: OptionalText,
});
const Articles = z.object({ articles: rowsOf(Article).nullish() });

/**
 * Creates the provider of GDELT's search of the world's English news by name, three months back. Headlines that do not
 * contain the name are dropped later. GDELT allows one call every five seconds; one every six seconds is made. Since
 * July 2026 it has refused most of them, so each refusal is followed by a pause. Written from GDELT's documentation,
 * not from recorded responses.
 * @see https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/
 */
export function gdeltNews({ now, ...setup }: ProviderSetup & { readonly now: () => number }): NewsProvider {
  const client = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  let pauseMs = FIRST_PAUSE_MS;
  let pausedUntil = Number.NEGATIVE_INFINITY;

  /** Begins a pause, and returns the failure that says how long it lasts. */
  function refused(): ProviderFailure {
    const retryAfterMs = pauseMs;
    pausedUntil = now() + pauseMs;
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    return new ProviderFailure("rate_limited", "too many calls", { retryAfterMs });
  }

  /** Returns the text of a search. Refusals have status 429, or are plain text with status 200. */
  async function search(question: NewsRequest, signal: AbortSignal): Promise<string> {
    const path = "/api/v2/doc/doc";
    const { status, body } = await client.text(path, {
      query: queryOf(question, now()),
      signal,
      accept: [429],
    });
    if (status === 429 || (/limit requests/i.test(body.slice(0, 300)) && !/^\s*</.test(body)))
      throw refused();
    pauseMs = FIRST_PAUSE_MS;
    return body;
  }

  return {
    name: "gdelt",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    reachMs: REACH_MS,
    budget: { calls: 1, perMs: 6_000, atOnce: 1 },
    async call(question, { signal }) {
      const reaches = now() - REACH_MS;
      if (question.until < reaches) throw new ProviderFailure("unsupported", "news older than three months");
      const remainingMs = pausedUntil - now();
      // a longer pause began while the clock was ahead
      if (remainingMs > 0 && remainingMs <= MAX_PAUSE_MS)
        throw new ProviderFailure("rate_limited", "a pause after a refusal", { retryAfterMs: remainingMs });
      const body = await search(question, signal);
      const articles = (await readBody(Articles, await parseJson(body), setup.onUnreadable)).articles ?? [];
      return newsFrom(
        articles.map(({ url, title, seendate, domain }) => ({
          id: url,
          title,
          publisher: domain,
          url,
          publishedAt: parseCompactTime(seendate),
          tags: [],
        })),
        {
          complete: pageSize(articles) < ROWS,
          // an empty search does not prove that there was no news about the company
          ...(articles.length === 0 ? { reaches: question.until } : question.from < reaches && { reaches }),
        },
      );
    },
  };
}

function queryOf({ instrument, from, until }: NewsRequest, now: number) {
  const name = instrument.name.replace(/[^\p{L}\p{N}&.' -]/gu, " ").trim();
  if (name.length < 3) throw new ProviderFailure("unsupported", "a name too short to search for");
  const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replace(/[-:T]/g, "");
  return {
    query: `"${name}" ${instrument.asset_class === "crypto" ? CONTEXT_TERMS.crypto : CONTEXT_TERMS.stock} sourcelang:english`,
    mode: "artlist",
    format: "json",
    sort: "datedesc",
    maxrecords: ROWS,
    startdatetime: stamp(Math.max(from, now - REACH_MS)),
    enddatetime: stamp(until),
  };
}
