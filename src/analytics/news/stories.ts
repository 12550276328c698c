import type { Headline } from "../../domain/news/news.ts";
import type { Model } from "./classify.ts";
import { clusterStories, type StoryCluster } from "./duplicates.ts";
import { type HeadlineSentiment, headlineSentiment } from "./headline-sentiment.ts";
import { mentionsOf, type Subject } from "./subject.ts";

/** A story with its relevance and sentiment for the subject. */
export interface Story extends StoryCluster {
  readonly relevance: number;
  readonly relevanceBasis: string;
  readonly judgement: HeadlineSentiment;
}

export interface NewsRequest {
  readonly subject: Subject;
  /** Tags under which the provider may file headlines about the subject. */
  readonly tags: ReadonlySet<string>;
  /** Other companies that headlines are filed under, by tag. */
  readonly others: ReadonlyMap<string, Subject>;
}

export interface NewsAnalysis {
  /** Stories, oldest first. */
  readonly stories: readonly Story[];
  /** Number of headlines about others. */
  readonly unrelated: number;
}

/** Returns the relevance of a headline that is filed under the subject without naming it, by the number of its tags. */
const filedShare = (tags: number): number => (tags <= 1 ? 0.6 : tags <= 3 ? 0.4 : 0.2);

/**
 * Analyses headlines for a subject: drops unrelated ones, groups duplicates into stories, and scores the first headline
 * of each.
 */
export function analyzeNews(
  headlines: readonly Headline[],
  request: NewsRequest,
  model: Model,
): NewsAnalysis {
  const related = headlines.filter((headline) => relevanceOf(headline, request).relevance > 0);
  const stories = clusterStories(related).map((story) => ({
    ...story,
    ...relevanceOf(story.first, request),
    judgement: headlineSentiment(story.first.title, subjectsIn(story.first, request), model),
  }));
  return { stories, unrelated: headlines.length - related.length };
}

function relevanceOf({ title, tags }: Headline, { subject, tags: own, others }: NewsRequest) {
  const filed = tags.some((tag) => own.has(tag));
  if (mentionsOf(title, subject).length > 0) {
    const rivals = tags.filter((tag) => {
      const other = others.get(tag);
      return other !== undefined && mentionsOf(title, other).length > 0;
    }).length;
    return rivals === 0
      ? { relevance: 1, relevanceBasis: "named in the headline" }
      : {
          relevance: 0.8,
          relevanceBasis: `named in the headline with ${rivals} other${rivals === 1 ? "" : "s"}`,
        };
  }
  if (!filed) return { relevance: 0, relevanceBasis: "neither named nor filed under the symbol" };
  return {
    relevance: filedShare(tags.length),
    relevanceBasis:
      tags.length <= 1 ? "filed under the symbol only" : `filed under the symbol and ${tags.length - 1} more`,
  };
}

function subjectsIn({ title, tags }: Headline, { subject, tags: own, others }: NewsRequest) {
  const named = tags.flatMap((tag) => (own.has(tag) ? [] : (others.get(tag) ?? [])));
  return { own: mentionsOf(title, subject), others: named.flatMap((other) => mentionsOf(title, other)) };
}
