import type { News, NewsFeed } from "../../src/domain/ports.ts";
import { NOW } from "./context.ts";

const HOUR = 3_600_000;

/** News about every symbol: one headline per title an hour ago, tagged AAPL, each from another publisher. */
export const fixedNews = (titles: readonly string[], over: Partial<NewsFeed> = {}): News => ({
  missing: null,
  headlines: async (_, { from, until }) => ({
    headlines: titles
      .map((title, i) => ({
        id: `h${i}`,
        title,
        publisher: `Desk ${i}`,
        url: null,
        publishedAt: NOW.getTime() - (i + 1) * HOUR,
        tags: ["AAPL"],
      }))
      .filter(({ publishedAt }) => publishedAt >= from && publishedAt <= until),
    source: "acme",
    fetchedAt: NOW.getTime(),
    asOf: until,
    completeFrom: null,
    stale: false,
    uncovered: null,
    tried: [],
    ...over,
  }),
});
