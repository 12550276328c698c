import { describe, expect, it } from "vitest";
import { mentionsOf, subjectOf } from "../../../src/analytics/news/subject.ts";

describe("the subject of news", () => {
  it.each([
    ["Apple Inc.", "AAPL", { name: "Apple", ticker: "AAPL" }],
    ["Berkshire Hathaway Class B", "BRK.B", { name: "Berkshire Hathaway", ticker: "BRK.B" }],
    ["Visa", "V", { name: "Visa", ticker: "V" }],
    ["Bitcoin", "BTC-USD", { name: "Bitcoin", ticker: "BTC" }],
    ["Grayscale Bitcoin Mini Trust", "BTC.US", { name: "Grayscale Bitcoin Mini Trust", ticker: "BTC" }],
    ["Group", "GRP", { name: "Group", ticker: "GRP" }],
  ])("%s (%s) is called %j", (name, symbol, expected) => {
    expect(subjectOf({ name, symbol })).toEqual(expected);
  });

  const target = { name: "Target", ticker: "TGT" };
  it.each([
    ["Target raises its dividend", ["Target"]],
    ["TARGET'S dividend", ["TARGET"]],
    ["Analysts raise price target", []],
    ["TGT: what to watch in TGT options", ["TGT"]],
    ["tgt or TGTX or TGT.A", []],
    ["Buying $TGT now", ["$TGT"]],
  ])("is named in %j by %j", (title, expected) => {
    expect(mentionsOf(title, target)).toEqual(expected);
  });

  it("takes a ticker of one or two letters only where it is marked as one", () => {
    const ford = { name: "Ford", ticker: "F" };
    expect(mentionsOf("Grade F for the F series", ford)).toEqual([]);
    expect(mentionsOf("Automakers (NYSE:F) slip", ford)).toEqual(["F"]);
    expect(mentionsOf("Automakers (F) slip", ford)).toEqual(["F"]);
  });
});
