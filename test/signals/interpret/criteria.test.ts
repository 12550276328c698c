import { describe, expect, it } from "vitest";
import { countIn, unservedIn } from "../../../src/signals/interpret/criteria.ts";
import { topicsOf } from "../../../src/signals/interpret/topics.ts";

const OTHER = "a criterion that is not known here";

describe("the criteria of a list", () => {
  it.each([
    ["oversold stocks", ["oversold"]],
    ["stocks under $10", ["price"]],
    ["stocks below 20 dollars", ["price"]],
    ["dividend stocks", ["dividends"]],
    ["stocks near 52 week low", ["highs and lows of a year"]],
    ["large cap growth stocks", ["size", "growth"]],
    ["overbought coins", ["overbought"]],
    ["safest stocks", ["risk"]],
    ["stocks with RSI below 30", ["an indicator"]],
    ["most shorted stocks", ["short interest"]],
    ["crypto stocks", ["a theme"]],
    ["Chinese stocks", ["a country"]],
    ["purple stocks", [OTHER]],
    ["stocks with female founders", [OTHER]],
  ])("that no screen has are told: %s", (query, labels) => {
    expect(unservedIn(query)).toEqual(labels);
  });

  it.each([
    "best stocks",
    "top 3 stocks",
    "worst 5 ETFs",
    "stocks to avoid",
    "What are the strongest tech stocks right now?",
    "which stocks should I buy",
    "show me all the A+ rated stocks",
    "stocks with a score over 80",
    "stage 2 stocks in accumulation",
    "hottest coins",
    "best setups",
  ])("that a screen has, or that are none, are not: %s", (query) => {
    expect(unservedIn(query)).toEqual([]);
  });

  it.each([
    ["stocks to avoid", { sort: "score_asc", asset_class: "equity" }],
    ["bottom three stocks", { sort: "score_asc", asset_class: "equity" }],
    ["stocks with a score over 80", { min_score: 80, asset_class: "equity" }],
    ["all A+ longs", { grade: "A+", bias: "LONG" }],
    ["stocks graded b-", { grade: "B-", asset_class: "equity" }],
    ["stage 2 stocks in accumulation", { phase: "Accumulation", stage: 2, asset_class: "equity" }],
    ["best stocks, no crypto", { asset_class: "equity" }],
    ["crypto stocks", { asset_class: "equity" }],
    ["stocks and ETFs", { asset_class: "equity" }],
    ["stocks or coins", {}],
    ["best large caps", { asset_class: "equity" }],
  ])("that a screen has are passed to it: %s", (query, filters) => {
    expect(topicsOf(query).filters).toEqual(filters);
  });

  it.each([
    ["top 3 stocks", 3],
    ["the best five coins", 5],
    ["10 oversold stocks", 10],
    ["give me 25 setups", 25],
    ["stocks under $10", null],
    ["top 10% of stocks", null],
    ["stage 2 stocks", null],
    ["best stocks near 52 week low", null],
    ["best stocks", null],
  ])("a count: %s", (query, count) => {
    expect(countIn(query)).toBe(count);
  });
});
