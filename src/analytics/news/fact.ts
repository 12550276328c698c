import type { DatedFact } from "../drivers/facts.ts";
import type { Story } from "./stories.ts";

const DAY = 86_400_000;
/** Days in which news fades to 1/e. */
const FADING_DAYS = 3;
/** Days after which a story says nothing any more. */
export const NEWS_DAYS = 7;

/**
 * Weight of a story at a moment (epoch ms): relevance x exp(-age / 3 days). Null if it was not published yet, or
 * more than 7 days before.
 */
export function newsWeight({ first, relevance }: Story, at: number): number | null {
  const age = (at - first.publishedAt) / DAY;
  return age < 0 || age > NEWS_DAYS ? null : relevance * Math.exp(-age / FADING_DAYS);
}

/**
 * The fact behind n_sent at a moment (epoch ms): tanh of the sum of score x relevance x exp(-age / 3 days) over the stories of
 * the last 7 days that had been published by then and judged. Null if there are none.
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
