import type { Story } from "../../src/analytics/news/stories.ts";

/** A story told once, first at a moment (epoch ms); positive above 0, negative below, unjudged without a score. */
export const edgeStory = (
  publishedAt: number,
  score: number | null,
  {
    publisher = "Desk",
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
