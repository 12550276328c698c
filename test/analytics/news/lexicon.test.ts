import { describe, expect, it } from "vitest";
import { lexiconScore } from "../../../src/analytics/news/lexicon.ts";
import { tokensOf } from "../../../src/analytics/news/tokens.ts";

const score = (title: string) => lexiconScore(tokensOf(title, { own: [], others: [] }));

describe("the word list", () => {
  it.each([
    ["Shares rally on record profit", 1],
    ["Shares plunge after fraud probe", -1],
    // gain is good, warning and weak are bad: (1 - 2) / 3
    ["Shares gain despite warning of weak orders", -1 / 3],
    ["Company to hold a meeting", null],
    ["", null],
  ])("reads %j as %s", (title, expected) => {
    expect(score(title)).toBe(expected);
  });

  it("turns a word around behind a negator, three words back at most", () => {
    expect(score("Orders not strong")).toBe(-1);
    expect(score("No sign of a rally")).toBe(1);
    expect(score("No sign of rally")).toBe(-1);
  });

  it("takes less of a burden for good and more of it for bad", () => {
    expect(score("Costs fall")).toBe(1);
    expect(score("Debt rises")).toBe(-1);
    // the loss itself is bad still: (1 - 1) / 2
    expect(score("Quarterly loss narrows")).toBe(0);
    expect(score("Quarterly loss widens")).toBe(-1);
  });
});
