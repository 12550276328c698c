import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/questions/interpretation.ts";
import { topicsOf } from "../../../src/features/questions/asked/topics.ts";
import { framed } from "../../../src/features/questions/caveats.ts";

const leading = (intent: Intent, query: string, skill: string) =>
  framed({
    intent,
    isDefined: false,
    timeframe: null,
    symbols: [],
    unresolved: [],
    past: null,
    unanswered: [],
    topics: topicsOf(query),
    others: [{ symbol: null, skill, figures: {}, data: {}, error: null }],
  }).leading;

describe("what an answer is not", () => {
  it.each([
    ["stocks not in tech", ["Not narrowed to: every sector but one.", "The strongest by score come first."]],
    [
      "stocks with a score under 30",
      ["Not narrowed to: a score below a figure.", "The weakest by score come first."],
    ],
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

  it.each([
    ["is Congress buying crypto", ["Not narrowed to: crypto."]],
    ["which tech stocks does Congress buy", ["Not narrowed to: the sector Information Technology."]],
    ["which stocks does Congress buy", []],
  ])("is said of what Congress trades: %s", (query, said) => {
    expect(leading("flow", query, "get_congress_signal")).toEqual(said);
  });

  it.each([
    ["get_analysis", "What follows is as of 2026-10-01, of what was known by then."],
    ["get_quote", "Signals are as of 2026-10-01, of what was known by then; what get_quote tells is of now."],
  ])("is said of a past day beside what has none: %s", (skill, said) => {
    const { leading } = framed({
      intent: "signal",
      isDefined: false,
      timeframe: null,
      symbols: ["AAPL"],
      unresolved: [],
      past: { day: "2026-10-01", dated: true },
      asOf: "2026-10-01",
      unanswered: [],
      topics: topicsOf("volume"),
      others: [{ symbol: "AAPL", skill, figures: {}, data: {}, error: null }],
    });
    expect(leading).toEqual([said]);
  });

  it.each<[Intent, string]>([
    ["signal", "ask get_signal with as_of for an earlier day"],
    ["earnings", "no earlier day is had of earnings"],
  ])("is said of a past that is not answered, with the tool that has it: %s", (intent, said) => {
    const { leading } = framed({
      intent,
      isDefined: false,
      timeframe: null,
      symbols: ["NVDA"],
      unresolved: [],
      past: { day: null, dated: true },
      unanswered: [],
      topics: topicsOf("price"),
      others: [{ symbol: "NVDA", skill: "get_quote", figures: {}, data: {}, error: null }],
    });
    expect(leading).toEqual([`This is of now; ${said}.`]);
  });

  it.each([
    ["gold", "get_quote", 1],
    ["GLD", "get_quote", 0],
    ["$gld", "get_quote", 0],
    ["gold", "get_news", 0],
  ])("is said of the price of a fund that is asked for by what it holds: %s, %s", (text, skill, said) => {
    const name = "SPDR Gold Shares";
    const instrument = {
      symbol: "GLD",
      name,
      sector: null,
      asset_class: "etf",
      currency: "USD",
    } as const;
    const { following } = framed({
      intent: "signal",
      isDefined: false,
      timeframe: null,
      symbols: ["GLD"],
      unresolved: [],
      past: null,
      unanswered: [],
      mentions: [{ text, instrument }],
      topics: topicsOf("price"),
      others: [{ symbol: "GLD", skill, figures: {}, data: {}, error: null }],
    });
    const told =
      "GLD is SPDR Gold Shares, a fund, so that is the price of a share of it and not of what it holds.";
    expect(following).toEqual(said === 1 ? [told] : []);
  });
});
