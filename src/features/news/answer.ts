import { aggregateOf } from "../../analytics/news/aggregate.ts";
import type { Story } from "../../analytics/news/stories.ts";
import type { NewsAggregate, NewsRow } from "../../domain/news/news.ts";
import { plainText } from "../../lib/plain-text.ts";
import type { NewsResult } from "./read.ts";

/** Maximum length of a headline and of a publisher's name, in characters, whatever a provider returns. */
const TITLE = 300;
const NAME = 60;

export const newsRow = (
  { first, again, relevance, relevanceBasis, judgement }: Story,
  source: string,
): NewsRow => ({
  title: plainText(first.title, TITLE),
  publisher: first.publisher === null ? null : plainText(first.publisher, NAME),
  published_at: new Date(first.publishedAt).toISOString(),
  url: first.url,
  source: first.source ?? source,
  relevance,
  relevance_basis: relevanceBasis,
  sentiment: sentimentOf(judgement),
  also_by: [
    ...new Set(again.flatMap(({ publisher }) => (publisher === null ? [] : plainText(publisher, NAME)))),
  ].filter((name) => name !== first.publisher),
});

const sentimentOf = ({ score, lexicon, ...judgement }: Story["judgement"]): NewsRow["sentiment"] => ({
  ...judgement,
  tone: rounded(score),
  lexicon: rounded(lexicon),
});

/** Returns the stories of a page, newest first, with figures of all stories and provenance. */
export function newsAnswer(
  { feed, read }: NewsResult,
  {
    at,
    page,
    missing,
  }: { readonly at: number; readonly page: readonly Story[]; readonly missing: string | null },
) {
  const uncovered = feed === null ? (missing ?? "No provider of news is connected") : feed.uncovered;
  if (feed === null || uncovered !== null)
    return {
      ...NO_LIST,
      aggregate: { ...NO_FIGURES, reason: uncovered },
      coverage: { covered: false, reason: uncovered, complete_from: null, note: noteOf(feed) },
    };
  const rows = page.map((story) => newsRow(story, feed.source ?? "unknown"));
  const from = isoOf(feed.completeFrom);
  const { mean_tone, n_sent, reason, ...counts } = aggregateOf(read, at);
  return {
    news: rows,
    count: rows.length,
    aggregate: {
      ...counts,
      mean_tone: rounded(mean_tone),
      n_sent: rounded(n_sent),
      reason:
        read.stories.length === 0 && from !== null
          ? `${reason}; headlines before ${from} may be missing`
          : reason,
    },
    coverage: { covered: true, reason: null, complete_from: from, note: noteOf(feed) },
    source: feed.source,
    fetched_at: isoOf(feed.fetchedAt),
    stale: feed.stale,
    data_as_of: isoOf(feed.asOf),
  };
}

const NO_LIST = {
  news: [],
  count: 0,
  source: null,
  fetched_at: null,
  stale: false,
  data_as_of: null,
};
const NO_FIGURES: NewsAggregate = {
  stories: null,
  publishers: null,
  near_duplicates_removed: null,
  unrelated_removed: null,
  positive: null,
  neutral: null,
  negative: null,
  abstained: null,
  mean_tone: null,
  n_sent: null,
  reason: null,
};

/** Outcomes after which a retry may succeed. */
const TRANSIENT_OUTCOMES = new Set([
  ...["rate_limited", "down", "timeout", "blocked", "malformed"],
  ...["resting", "paused", "over_budget", "overtaken"],
]);

/**
 * Returns a note on providers that were temporarily unavailable, ran out of calls or rejected their key; null if there
 * are none.
 */
function noteOf(feed: NewsResult["feed"]): string | null {
  const unavailable = (feed?.tried ?? []).filter(
    ({ provider, outcome }) => TRANSIENT_OUTCOMES.has(outcome) && provider !== feed?.source,
  );
  const names = [...new Set(unavailable.map(({ provider }) => provider))].join(", ");
  const notes = [
    ...(feed?.troubles ?? []),
    ...(names === "" ? [] : [`No response now: ${names}. A retry may return more headlines`]),
  ];
  return notes.length === 0 ? null : notes.join(". ");
}

const isoOf = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 1e4) / 1e4 + 0;
