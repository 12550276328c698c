import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/interpretation.ts";
import { topicsOf } from "../../../src/signals/interpret/asked/topics.ts";
import { framed } from "../../../src/signals/interpret/caveats.ts";

const leading = (intent: Intent, query: string, skill: string) =>
  framed({
    ...{ intent, isDefined: false, timeframe: null, symbols: [], unresolved: [], past: null, unanswered: [] },
    topics: topicsOf(query),
    others: [{ symbol: null, skill, figures: {}, data: {}, error: null }],
  }).leading;

describe("what an answer is not", () => {
  it.each([
    ["stocks not in tech", ["Not narrowed to: every sector but one.", "Strongest by score:"]],
    ["stocks with a score under 30", ["Not narrowed to: a score below a figure.", "Weakest by score:"]],
    [
      "average score of tech stocks",
      ["Not answered: one figure over a whole list, such as an average; these are lines of it."],
    ],
    ["best stocks", []],
  ])("is said of a list before its lines: %s", (query, said) => {
    expect(leading("scan", query, "screen_universe")).toEqual(said);
  });

  it.each([
    ["crypto mood", ["There is no mood of crypto alone; this is of the whole US stock market."]],
    ["nasdaq outlook", ["There is no mood of one index alone; this is of the whole US stock market."]],
    ["market mood", []],
  ])("is said of a mood: %s", (query, said) => {
    expect(leading("news", query, "get_signal_index")).toEqual(said);
  });
});
