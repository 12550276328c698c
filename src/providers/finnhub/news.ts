import { z } from "zod";
import type { NewsProvider } from "../../domain/news/provider.ts";
import { ProviderFailure } from "../../domain/providers/price-provider.ts";
import { OptionalText } from "../shared/fields.ts";
import { newsFrom } from "../shared/headline.ts";
import { rowsOf } from "../shared/rows.ts";
import { isoDay } from "../shared/timestamps.ts";
import { usTicker } from "../shared/us-ticker.ts";
import { type FinnhubSetup, finnhubApi } from "./api.ts";

/** Maximum age of news with a free key: one year. */
const YEAR_MS = 365 * 86_400_000;

const Item = z.object({
  id: z.number().nullish(),
  headline: z.string(),
  source: OptionalText,
  url: OptionalText,
  /** Epoch seconds. */
  datetime: z.number(),
  /** Tagged symbols, separated by commas. */
  related: OptionalText,
});

/**
 * Creates the provider of Finnhub's news of US companies, one year back by calendar day, one call per request. An
 * unknown symbol has an empty list. Of the published 60 calls a minute, 8 are used for news.
 * @see https://finnhub.io/docs/api/company-news
 */
export function finnhubNews(setup: FinnhubSetup & { readonly now: () => number }): NewsProvider {
  const get = finnhubApi(setup);
  return {
    name: "finnhub",
    serves: new Set(["equity", "etf"]),
    past: true,
    reachMs: YEAR_MS,
    budget: { calls: 8, perMs: 60_000, atOnce: 2 },
    async call({ instrument, from, until }, { signal }) {
      const reaches = setup.now() - YEAR_MS;
      if (until < reaches) throw new ProviderFailure("unsupported", "news older than a year");
      const symbol = usTicker(instrument);
      const query = { symbol, from: isoDay(from), to: isoDay(until) };
      const items = await get("/api/v1/company-news", rowsOf(Item), { query, signal });
      const own = items.filter(({ related }) => !related || tagsOf(related).includes(symbol));
      if (items.length > 0 && own.length === 0)
        throw new ProviderFailure("malformed", "response about another symbol");
      return newsFrom(
        own.map(({ id, headline, source, url, datetime, related }) => ({
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

const tagsOf = (related: string): readonly string[] => related.toUpperCase().split(",");
