import type { Story } from "../../src/analytics/news/stories.ts";

/** A story published once at a time (epoch ms): positive above 0, negative below 0, unscored without a score. */
export const edgeStory = (
  publishedAt: number,
  score: number | null,
  {
    publisher = "Newswire",
    relevance = 1,
  }: { readonly publisher?: string | null; readonly relevance?: number } = {},
): Story => ({
  first: { id: `${publishedAt}`, title: "x", publisher, url: null, publishedAt, tags: [] },
  again: [],
  relevance,
  relevanceBasis: "",
  judgement: {
    label: score === null ? null : score > 0 ? "positive" : score < 0 ? "negative" : "neutral",
    score,
    abstained: null,
    lexicon: null,
  },
});
