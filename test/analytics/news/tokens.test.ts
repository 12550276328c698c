import { describe, expect, it } from "vitest";
import { stemOf, termsOf, tokensOf } from "../../../src/analytics/news/tokens.ts";

const noSubjects = { own: [], others: [] };

describe("headline tokens", () => {
  it("are words and punctuation in order, with numbers and percentages normalised", () => {
    expect(tokensOf("Profit up 12.5% to $1,200; why?", noSubjects)).toEqual([
      ...["profit", "up", "0%", "to", "0", ";", "why", "?"],
    ]);
  });

  it("replace the subject and other names, the longest first", () => {
    const subjects = { own: ["Apple", "Apple Hospitality"], others: ["Microsoft Corp"] };
    expect(tokensOf("Apple Hospitality beats MICROSOFT CORP's apples", subjects)).toEqual([
      ...["@own", "beats", "@other", "apples"],
    ]);
  });

  it("lose diacritics and possessives", () => {
    expect(tokensOf("Nestlé’s café’s sales", noSubjects)).toEqual(["nestle", "cafe", "sales"]);
  });

  it("match a name with special characters literally", () => {
    expect(tokensOf("A+B (C) soars", { own: ["A+B (C)"], others: [""] })).toEqual(["@own", "soars"]);
  });
});

describe("headline terms", () => {
  it("are words, stems, word pairs and neighbours of the subject", () => {
    expect(termsOf(["@own", "gains", "again", ";", "oil", "falls"])).toEqual([
      ...["@own", "gains", "=gain", "again", "oil", "falls", "=fall"],
      ...["<_@own", "@own_gains", "gains_again", "again_oil", "oil_falls", "falls_>"],
      ...["~gains", "~again"],
    ]);
  });

  it("include neighbours up to five words away or another name, and none without the subject", () => {
    const near = (tokens: readonly string[]) => termsOf(tokens).filter((term) => term.startsWith("~"));
    expect(near(["a", "b", "c", "d", "e", "f", "@own", "x", "@other", "y"])).toEqual([
      "~b",
      "~c",
      "~d",
      "~e",
      "~f",
      "~x",
    ]);
    expect(near(["a", "b"])).toEqual([]);
  });

  it("occur once each", () => {
    const terms = termsOf(["up", "up", "up"]);
    expect(terms).toEqual(["up", "<_up", "up_up", "up_>"]);
  });
});

describe("a stem", () => {
  it.each([
    ["gains", "gain"],
    ["gained", "gain"],
    ["rallies", "rall"],
    ["rise", "rise"],
    ["@own", "@own"],
    ["0%", "0%"],
  ])("of %s is %s", (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });
});
