import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aggregateOf } from "../../../src/analytics/news/aggregate.ts";
import { newsFact } from "../../../src/analytics/news/fact.ts";
import { analyzeNews, type Story } from "../../../src/analytics/news/stories.ts";
import { subjectOf } from "../../../src/analytics/news/subject.ts";
import type { Headline } from "../../../src/domain/news/news.ts";
import { TINY } from "./tiny-model.ts";

const DAY = 86_400_000;
const AT = 100 * DAY;
const story = (days: number, score: number | null, relevance = 1): Story => ({
  first: { id: `${days}`, title: "x", publisher: "Desk", url: null, publishedAt: AT - days * DAY, tags: [] },
  again: [],
  relevance,
  relevanceBasis: "",
  judgement: {
    label: score === null ? null : score > 0 ? "positive" : "negative",
    score,
    abstained: null,
    lexicon: null,
  },
});

describe("the n_sent fact", () => {
  it("is the tanh of scores weighted by relevance, decaying over three days", () => {
    const fact = newsFact([story(3, 0.8), story(0, -0.5, 0.4)], AT);
    expect(fact!.value).toBeCloseTo(Math.tanh(0.8 * Math.exp(-1) - 0.2), 12);
    expect(fact).toMatchObject({ time: AT, inputs: { stories: 2, abstained: 0 } });
  });

  it("omits unclassified stories, and is null without a classified story in the last 7 days", () => {
    expect(newsFact([story(1, null), story(2, 0.3)], AT)).toMatchObject({
      inputs: { stories: 1, abstained: 1 },
    });
    expect(newsFact([story(1, null), story(7.01, 0.9)], AT)).toBeNull();
    expect(newsFact([], AT)).toBeNull();
  });

  it("does not depend on later stories", () => {
    const made = fc.record({
      days: fc.double({ min: -9, max: 9, noNaN: true }),
      score: fc.double({ min: -1, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(made), (given) => {
        const stories = given.map(({ days, score }) => story(days, score));
        const known = stories.filter(({ first }) => first.publishedAt <= AT);
        expect(newsFact(stories, AT)).toEqual(newsFact(known, AT));
        const fact = newsFact(stories, AT);
        expect(fact === null || (Math.abs(fact.value) <= 1 && fact.time <= AT)).toBe(true);
      }),
    );
  });
});

describe("news for a symbol", () => {
  const line = (
    id: string,
    title: string,
    tags: readonly string[],
    publisher: string | null = "Desk",
  ): Headline => ({
    id,
    title,
    publisher,
    tags,
    url: null,
    publishedAt: AT - Number(id) * DAY,
  });
  const request = {
    subject: subjectOf({ name: "Acme", symbol: "ACM" }),
    tags: new Set(["ACM"]),
    others: new Map([["ZEN", subjectOf({ name: "Zenith", symbol: "ZEN" })]]),
  };
  const read = analyzeNews(
    [
      line("1", "Acme rises, profit", ["ACM"]),
      line("2", "Acme rises against Zenith", ["ACM", "ZEN"], "desk"),
      line("3", "Markets fall as chips slide", ["ACM"], null),
      line("4", "Makers of anvils", ["ACM", "ZEN", "QQQ", "SPY"], "Wire"),
      line("5", "Zenith falls", ["ZEN"]),
    ],
    request,
    TINY,
  );

  it("weighs a headline by whether it names the symbol alone or with others, or is only filed under it", () => {
    expect(read.stories.map(({ relevance, relevanceBasis }) => [relevance, relevanceBasis])).toEqual([
      [0.2, "filed under the symbol and 3 more"],
      [0.6, "filed under the symbol only"],
      [0.8, "named in the headline with 1 other"],
      [1, "named in the headline"],
    ]);
    expect(read.unrelated).toBe(1);
  });

  it("is aggregated by story, counting each publisher once", () => {
    const score = (i: number) => read.stories[i]!.judgement.score!;
    // Story 0 has no word known to the model or the word list; story 1 is judged by the word list alone.
    expect(aggregateOf(read, AT)).toEqual({
      stories: 4,
      publishers: 2,
      near_duplicates_removed: 0,
      unrelated_removed: 1,
      positive: 2,
      neutral: 0,
      negative: 1,
      abstained: 1,
      mean_tone: expect.closeTo((0.6 * score(1) + 0.8 * score(2) + score(3)) / 2.4, 12),
      n_sent: expect.closeTo(
        Math.tanh(
          0.6 * score(1) * Math.exp(-1) + 0.8 * score(2) * Math.exp(-2 / 3) + score(3) * Math.exp(-1 / 3),
        ),
        12,
      ),
      reason: null,
    });
  });

  it("has null figures without stories, or without a classified one", () => {
    expect(aggregateOf({ stories: [], unrelated: 2 }, AT)).toMatchObject({
      stories: 0,
      mean_tone: null,
      n_sent: null,
      reason: "No story in the window",
    });
    expect(aggregateOf({ stories: [story(1, null)], unrelated: 0 }, AT)).toMatchObject({
      reason: "No story could be scored",
    });
  });
});
