import { aggregateOf } from "../../analytics/news/aggregate.ts";
import type { Story } from "../../analytics/news/stories.ts";
import type { NewsRow } from "../../domain/news.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { NewsPicture } from "./read.ts";

/** Characters of outside text, at the edge whatever a source let through. */
const TITLE = 300;
const NAME = 60;

/** A story as callers see it. */
export const newsRow = (
  { first, again, relevance, relevanceBasis, judgement }: Story,
  source: string,
): NewsRow => ({
  title: plainText(first.title, TITLE),
  publisher: first.publisher === null ? null : plainText(first.publisher, NAME),
  published_at: new Date(first.publishedAt).toISOString(),
  url: first.url,
  source,
  relevance,
  relevance_basis: relevanceBasis,
  sentiment: { ...judgement },
  also_by: [
    ...new Set(again.flatMap(({ publisher }) => (publisher === null ? [] : plainText(publisher, NAME)))),
  ].filter((name) => name !== first.publisher),
});

/** Stories newest first, their figures, and what stands behind them. */
export function newsAnswer(
  { feed, read }: NewsPicture,
  { at, limit, missing }: { readonly at: number; readonly limit: number; readonly missing: string | null },
) {
  const rows = read.stories.toReversed().map((story) => newsRow(story, feed?.source ?? "none"));
  const aggregate = aggregateOf(read, at);
  const uncovered = feed === null ? (missing ?? "No source of news is connected") : feed.uncovered;
  const { completeFrom = null } = feed ?? {};
  return {
    news: rows.slice(0, limit),
    count: Math.min(rows.length, limit),
    aggregate: uncovered === null ? aggregate : { ...aggregate, reason: uncovered },
    coverage: {
      covered: uncovered === null,
      reason: uncovered,
      complete_from: completeFrom === null ? null : new Date(completeFrom).toISOString(),
    },
    source: feed?.source ?? null,
    fetched_at: feed === null ? null : new Date(feed.fetchedAt).toISOString(),
    stale: feed?.stale ?? false,
  };
}
