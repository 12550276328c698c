import { publisherKey } from "../news/duplicates.ts";
import { newsWeight } from "../news/fact.ts";
import type { Story } from "../news/stories.ts";

/** Number of neutral stories that the mean is shrunk towards. */
export const PRIOR_STORIES = 4;

/** Combined sentiment of the stories of the last 7 days, and their publishers. */
export interface NewsLean {
  /** -1 to 1, shrunk towards 0 if stories are few, old or barely relevant; null if none could be scored. */
  readonly lean: number | null;
  /** Sum of relevance x exp(-age / 3 days) over the scored stories. */
  readonly weight: number;
  readonly stories: number;
  readonly scored: number;
  readonly positive: number;
  readonly neutral: number;
  readonly negative: number;
  /** Number of distinct publishers that were first with a scored story; those without a name count as one. */
  readonly publishers: number;
  /** The same for positive and for negative stories. */
  readonly positivePublishers: number;
  readonly negativePublishers: number;
  /** First publication of the newest story, epoch ms; null without stories. */
  readonly newest: number | null;
}

/**
 * Returns the lean of news at time `at` (epoch ms): the sum of score x w over the scored stories of the last 7 days,
 * divided by the sum of w plus 4, where w = relevance x exp(-age / 3 days). Stories first published later are ignored.
 * @see Tetlock, "Giving Content to Investor Sentiment", Journal of Finance 62 (2007)
 */
export function newsLean(stories: readonly Story[], at: number): NewsLean {
  const known = stories.filter((story) => newsWeight(story, at) !== null);
  const scored = known.filter(({ judgement }) => judgement.score !== null);
  let [sum, weight] = [0, 0];
  for (const story of scored) {
    const own = newsWeight(story, at)!;
    sum += own * story.judgement.score!;
    weight += own;
  }
  const labelled = (label: Story["judgement"]["label"]) =>
    scored.filter(({ judgement }) => judgement.label === label);
  const [positive, negative] = [labelled("positive"), labelled("negative")];
  return {
    lean: scored.length === 0 ? null : sum / (weight + PRIOR_STORIES),
    weight,
    stories: known.length,
    scored: scored.length,
    positive: positive.length,
    neutral: labelled("neutral").length,
    negative: negative.length,
    publishers: publishersOf(scored),
    positivePublishers: publishersOf(positive),
    negativePublishers: publishersOf(negative),
    newest: known.length === 0 ? null : Math.max(...known.map(({ first }) => first.publishedAt)),
  };
}

const publishersOf = (stories: readonly Story[]): number =>
  new Set(stories.map(({ first }) => (first.publisher === null ? "" : publisherKey(first.publisher)))).size;

/**
 * Returns the probability that news gives an event with probability `neutral` without news; both strictly between 0
 * and 1: 1 / (1 + exp(-(ln(neutral / (1 - neutral)) + lean))). It rises with both and equals `neutral` at a lean of 0.
 * The scale is chosen, not fitted: the best possible news raises even odds to 73%.
 */
export const newsProbability = (neutral: number, lean: number): number =>
  1 / (1 + Math.exp(-(Math.log(neutral / (1 - neutral)) + lean)));
