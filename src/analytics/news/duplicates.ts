import type { Headline } from "../../domain/news/news.ts";
import { tokensOf } from "./tokens.ts";

/** One story: its first headline, and later near duplicates. */
export interface StoryCluster {
  readonly first: Headline;
  readonly again: readonly Headline[];
}

/** Minimum share of common shingles at which two headlines are one story. */
const MIN_RESEMBLANCE = 0.6;
/** Maximum age of a story for duplicates; the same words later are a new story, such as a weekly report. */
const CLUSTER_WINDOW_MS = 3 * 86_400_000;
const NO_SUBJECTS = { own: [], others: [] };

/**
 * Groups headlines into stories, oldest first: a headline that shares most of its words and word pairs with the first
 * headline of a story is a duplicate of it. Later headlines never change earlier stories.
 * @see Broder, "On the resemblance and containment of documents" (1997)
 */
export function clusterStories(headlines: readonly Headline[]): readonly StoryCluster[] {
  const stories: { first: Headline; again: Headline[]; shingles: ReadonlySet<string> }[] = [];
  const order = (a: Headline, b: Headline) => a.publishedAt - b.publishedAt || (a.id < b.id ? -1 : 1);
  for (const headline of headlines.toSorted(order)) {
    const shingles = shinglesOf(headline.title);
    const known = stories.find(
      ({ first, shingles: others }) =>
        headline.publishedAt - first.publishedAt <= CLUSTER_WINDOW_MS &&
        resemblance(shingles, others) >= MIN_RESEMBLANCE,
    );
    if (known === undefined) stories.push({ first: headline, again: [], shingles });
    else known.again.push(headline);
  }
  return stories.map(({ first, again }) => ({ first, again }));
}

/** Returns the words and the pairs of neighbouring words of a title. */
export function shinglesOf(title: string): ReadonlySet<string> {
  const words = tokensOf(title, NO_SUBJECTS).filter((token) => /[a-z0-9]/.test(token));
  return new Set([...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)]);
}

/** Returns the Jaccard index of two sets, 0-1; 0 for two empty sets. @see Jaccard (1901) */
export function resemblance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const one of a) if (b.has(one)) common++;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

/** Returns a publisher's normalised name for counting: `MarketWatch.com` and `marketwatch` are equal. */
export const publisherKey = (publisher: string): string =>
  publisher.toLowerCase().replace(/^www\.|\.(?:com|net|org|co\.uk)$|[^\p{L}\p{N}]/gu, "");
