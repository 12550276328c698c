import type { NewsAggregate } from "../../domain/news/news.ts";
import { publisherKey } from "./duplicates.ts";
import { newsFact } from "./fact.ts";
import type { NewsAnalysis } from "./stories.ts";

export type NewsFigures = {
  readonly [Key in keyof NewsAggregate]: Key extends "mean_tone" | "n_sent" | "reason"
    ? NewsAggregate[Key]
    : number;
};

/** Returns the figures of all stories in a window, as of `at` (epoch ms). */
export function aggregateOf({ stories, unrelated }: NewsAnalysis, at: number): NewsFigures {
  const labelled = (label: string | null) =>
    stories.filter(({ judgement }) => judgement.label === label).length;
  const headlines = stories.flatMap(({ first, again }) => [first, ...again]);
  const publishers = headlines.flatMap(({ publisher }) =>
    publisher === null ? [] : [publisherKey(publisher)],
  );
  const fact = newsFact(stories, at);
  return {
    stories: stories.length,
    publishers: new Set(publishers).size,
    near_duplicates_removed: headlines.length - stories.length,
    unrelated_removed: unrelated,
    positive: labelled("positive"),
    neutral: labelled("neutral"),
    negative: labelled("negative"),
    abstained: labelled(null),
    mean_tone: meanScore(stories),
    n_sent: fact?.value ?? null,
    reason:
      fact !== null ? null : stories.length === 0 ? "No story in the window" : "No story could be scored",
  };
}

function meanScore(stories: NewsAnalysis["stories"]): number | null {
  let [sum, weight] = [0, 0];
  for (const { relevance, judgement } of stories) {
    if (judgement.score === null) continue;
    sum += relevance * judgement.score;
    weight += relevance;
  }
  return weight === 0 ? null : sum / weight;
}
