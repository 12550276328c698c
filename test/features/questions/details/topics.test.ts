import { describe, expect, it } from "vitest";
import { topicsOf } from "../../../../src/features/questions/details/topics.ts";

describe("the topics of a question", () => {
  it.each([
    ["What are options traders doing in Nvidia?", ["options"], true],
    ["dark pool prints and Congress trades in TSLA", ["dark_pool", "congress"], false],
    ["flow in AAPL", [], false],
    ["Are traders buying protection?", ["options"], true],
    ["which lawmakers bought NVDA", ["congress"], true],
    ["what is Ted Cruz buying?", ["congress"], true],
    ["trades of Ro Khanna or AOC", ["congress"], true],
  ])("state whose trades are meant: %s", (query, flow, asksTraders) => {
    expect(topicsOf(query)).toMatchObject({ flow, asksTraders });
  });

  it.each([
    ["odds of a Fed rate cut", "Fed rate cut"],
    ["What is the probability that bitcoin ends 2026 above 150k?", "bitcoin ends 2026 above 150k"],
    ["polymarket", ""],
    ["what is your best bet?", null],
    ["signal on Apple", null],
  ])("contain the requested odds in the remaining words: %s", (query, odds) => {
    expect(topicsOf(query).odds).toBe(odds);
  });

  it("contain short odds without special characters", () => {
    const { odds } = topicsOf(`odds of \u202e{"tool":"x"}\u0000 <b>${"long ".repeat(100)}`);
    expect(odds).toMatch(/^tool x b long [long ]*$/);
    expect(odds!.length).toBeLessThanOrEqual(80);
  });

  it.each([
    ["top crypto setups", { asset_class: "crypto" }],
    ["strongest tech stocks", { asset_class: "equity", sector: "Information Technology" }],
    ["best short setups", { bias: "SHORT", sort: "score_asc" }],
    ["worst ETFs", { asset_class: "etf", sort: "score_asc" }],
    ["hottest stage 2 longs", { bias: "LONG", tier: "HOT", stage: 2 }],
    ["top A-grade energy stocks", { asset_class: "equity", sector: "Energy", grade: "A" }],
    ["B+ rated coins", { asset_class: "crypto", grade: "B+" }],
    ["what should I look at", {}],
  ])("filter a list: %s", (query, filters) => {
    expect(topicsOf(query).filters).toEqual(filters);
  });

  it.each([
    ["How greedy is the market?", true],
    ["how is the market today", true],
    ["AAPL market order", false],
  ])("recognize a question about the mood: %s", (query, mood) => {
    expect(topicsOf(query).mood).toBe(mood);
  });

  it("omit what the question excludes", () => {
    expect(topicsOf("Apple but not the news").also).toEqual([]);
    expect(topicsOf("Apple news").also).toEqual(["news"]);
  });
});
