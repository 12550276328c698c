import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import { bm25, wordsOf } from "../bench/tool-choice/bm25.ts";
import { choicesFor, queryFiles, shareRight } from "../bench/tool-choice/choice.ts";

describe("a plain search over texts", () => {
  it("returns lower-case stems without function words and possessives, and whole identifiers", () => {
    expect(
      wordsOf("What is Apple's policy on trading? Prices, relational get_quote: 50/200 glasses"),
    ).toEqual("appl polici trade price relat get_quot 50 200 glass".split(" "));
  });

  it("scores by BM25: one of 3 texts has the word twice among 4 words", () => {
    const found = bm25([
      { name: "a", text: "rain rain near hill" },
      { name: "b", text: "sun near sea" },
      { name: "c", text: "hail near ice" },
    ])("rain");
    // ln(1 + 2.5 / 1.5) * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 4 / (10 / 3)))
    expect(found.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(found[0]!.score).toBeCloseTo(1.276819, 6);
    expect(found[1]!.score).toBe(0);
  });
});

/** Minimum share of correct choices, for the tuned and the held-out queries. */
const MIN_SHARE = 0.9;

describe("the tools", () => {
  const tools = Object.values(catalogue);
  const names = new Set<string>(tools.map(({ name }) => name));

  it("have labelled queries for each of them", () => {
    const labels = [...queryFiles().values()].flat().map(({ tool }) => tool);
    expect(new Set(labels)).toEqual(names);
  });

  it.each([...queryFiles()])("are ranked first for at least 90 % of %s", (_, queries) => {
    expect(shareRight(choicesFor(queries, tools))).toBeGreaterThanOrEqual(MIN_SHARE);
  });
});
