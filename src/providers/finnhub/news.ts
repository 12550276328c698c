import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { newsFrom } from "../shared/headline.ts";
import { createHttpClient } from "../shared/http-client.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { BASE_URL, type FinnhubSetup } from "./client.ts";

/** Its free key reaches a year back. */
const YEAR_MS = 365 * 86_400_000;

const Item = z.object({
  id: z.number().nullish(),
  headline: z.string(),
  source: z.string().nullish(),
  url: z.string().nullish(),
  /** Seconds. */
  datetime: z.number(),
  /** Symbols it is filed under. */
  related: z.string().nullish(),
});

/**
 * Finnhub's company news of US stocks, a year back, whole days, one call a question. It answers a symbol that it does not know
 * with an empty list. Of 60 calls a minute it publishes, quotes use 50 and this 8.
 * @see https://finnhub.io/docs/api/company-news
 */
export function finnhubNews({
  key,
  now,
  ...setup
}: FinnhubSetup & { readonly now: () => number }): NewsProvider {
  const wire = createHttpClient({
    ...setup,
    baseUrl: setup.baseUrl ?? BASE_URL,
    headers: { accept: "application/json", "X-Finnhub-Token": key },
  });
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return {
    name: "finnhub",
    serves: new Set(["equity", "etf"]),
    past: true,
    reachMs: YEAR_MS,
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from, until }, { signal }) {
      const reaches = now() - YEAR_MS;
      if (until < reaches) throw new ProviderFailure("unsupported", "it reaches a year back");
      const symbol = usTicker(instrument);
      const query = { symbol, from: day(from), to: day(until) };
      const { body } = await wire.json("/api/v1/company-news", { query, signal });
      const read = z.array(z.unknown()).safeParse(body);
      if (!read.success)
        throw new ProviderFailure("malformed", "another answer than documented", { cause: read.error });
      const rows = read.data.flatMap((item) => {
        const { success, data } = Item.safeParse(item);
        return success ? [data] : [];
      });
      if (read.data.length > 0 && rows.length === 0)
        throw new ProviderFailure("malformed", "rows that are no headlines");
      const others = rows.filter(
        ({ related }) => related && !related.toUpperCase().split(",").includes(symbol),
      );
      if (rows.length > 0 && others.length === rows.length)
        throw new ProviderFailure("malformed", "an answer about another symbol");
      return newsFrom(
        rows
          .filter((row) => !others.includes(row))
          .map(({ id, headline, source, url, datetime, related }) => ({
            id,
            title: headline,
            publisher: source,
            url,
            publishedAt: datetime * 1_000,
            tags: [
              instrument.symbol,
              ...(related ?? "").split(",").filter((tag) => tag !== symbol && tag !== ""),
            ],
          })),
        { complete: true, ...(from < reaches && { reaches }) },
      );
    },
  };
}
