import { z } from "zod";
import type { NewsProvider, NewsQuestion } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient, type ProviderSetup } from "../shared/http-client.ts";

const BASE_URL = "https://api.gdeltproject.org";
const ROWS = 75;
const DAY = 86_400_000;
/** How far back it searches. */
const REACH_MS = 89 * DAY;
/** Words of markets, one of which must stand beside the name: it knows words alone, and no symbols. */
const CONTEXT_TERMS = {
  stock: "(stock OR shares OR earnings OR investors)",
  crypto: "(crypto OR price OR token OR traders)",
};

const Articles = z.object({ articles: z.array(z.unknown()).nullish() });
const Article = z.object({
  url: z.string().nullish(),
  title: z.string(),
  /** `20260805T121500Z` */
  seendate: z.string(),
  domain: z.string().nullish(),
});

/**
 * GDELT's search of the world's news by name, in English, three months back. It knows no symbols: what is not named in a
 * headline is left out later, and where it finds nothing it says nothing. Of one call in five seconds it allows, one in six is made. Built as it documents.
 * @see https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/
 */
export function gdeltNews({ now, ...setup }: ProviderSetup & { readonly now: () => number }): NewsProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json" },
  });
  return {
    name: "gdelt",
    serves: new Set(["equity", "etf", "crypto"]),
    past: true,
    reachMs: REACH_MS,
    budget: { calls: 1, perMs: 6_000, atOnce: 1 },
    async call(question, { signal }) {
      const reaches = now() - REACH_MS;
      if (question.until < reaches) throw new ProviderFailure("unsupported", "it searches three months back");
      const { body } = await wire.text("/api/v2/doc/doc", { query: queryOf(question, now()), signal });
      const read = Articles.safeParse(parseBody(body));
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      const told = read.data.articles ?? [];
      const rows = told.flatMap((article) => {
        const { success, data } = Article.safeParse(article);
        return success ? [data] : [];
      });
      if (told.length > 0 && rows.length === 0)
        throw new ProviderFailure("malformed", "rows that are no headlines");
      return newsFrom(
        rows.map(({ url, title, seendate, domain }) => ({
          id: url,
          title,
          publisher: domain,
          url,
          publishedAt: Date.parse(
            seendate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"),
          ),
          tags: [],
        })),
        {
          complete: told.length < ROWS,
          // words that are found nowhere do not say that a company was in no news
          ...(rows.length === 0 ? { reaches: question.until } : question.from < reaches && { reaches }),
        },
      );
    },
  };
}

function queryOf({ instrument, from, until }: NewsQuestion, now: number) {
  const name = instrument.name.replace(/[^\p{L}\p{N}&.' -]/gu, " ").trim();
  if (name.length < 3) throw new ProviderFailure("unsupported", "a name too short to be searched for");
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

/** Its refusals are words with a status of 200. */
function parseBody(body: string): unknown {
  const text = body.replace(/^\uFEFF/, "").trim();
  if (text.startsWith("<")) throw new ProviderFailure("blocked", "a page instead of data");
  if (/limit requests/i.test(text.slice(0, 300)))
    throw new ProviderFailure("rate_limited", "too many calls, it says");
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ProviderFailure("malformed", "an answer that is not JSON", { cause });
  }
}
