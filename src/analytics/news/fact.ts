import type { DatedFact } from "../drivers/facts.ts";
import type { Story } from "./stories.ts";

const DAY = 86_400_000;
/** Days in which the weight of news decays to 1/e. */
const FADING_DAYS = 3;
/** Maximum age of a story in days. */
export const NEWS_DAYS = 7;

/**
 * Returns the weight of a story at time `at` (epoch ms): relevance x exp(-age / 3 days). Null if it was not published
 * yet or is more than 7 days old.
 */
export function newsWeight({ first, relevance }: Story, at: number): number | null {
  const age = (at - first.publishedAt) / DAY;
  return age < 0 || age > NEWS_DAYS ? null : relevance * Math.exp(-age / FADING_DAYS);
}

/**
 * Returns the fact for n_sent at time `at` (epoch ms): tanh of the sum of score x relevance x exp(-age / 3 days) over
 * the scored stories published in the last 7 days. Null if there are none.
 * @see Tetlock, "Giving Content to Investor Sentiment", Journal of Finance 62 (2007)
 */
export function newsFact(stories: readonly Story[], at: number): DatedFact | null {
  let [sum, time, judged, abstained] = [0, Number.NEGATIVE_INFINITY, 0, 0];
  for (const story of stories) {
    const { first, judgement } = story;
    const weight = newsWeight(story, at);
    if (weight === null) continue;
    if (judgement.score === null) {
      abstained++;
      continue;
    }
    judged++;
    sum += judgement.score * weight;
    time = Math.max(time, first.publishedAt);
  }
  return judged === 0 ? null : { value: Math.tanh(sum), time, inputs: { stories: judged, abstained } };
}
