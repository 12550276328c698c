import { describe, expect, it } from "vitest";
import type { Intent } from "../../../src/domain/questions/interpretation.ts";
import { caveatsOf } from "../../../src/features/questions/caveats.ts";
import { topicsOf } from "../../../src/features/questions/details/topics.ts";

const leading = (intent: Intent, query: string, skill: string) =>
  caveatsOf({
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

describe("caveats", () => {
  it.each([
    ["stocks not in tech", ["Not narrowed to: every sector but one.", "The strongest by score come first."]],
    [
      "stocks with a score under 30",
      ["Not narrowed to: a score below a figure.", "The weakest by score come first."],
    ],
    [
      "average score of tech stocks",
      ["Not answered: one figure over a whole list, such as an average; these are lines of the list."],
    ],
    ["best stocks", []],
  ])("name the filters that a list lacks: %s", (query, said) => {
    expect(leading("scan", query, "screen_universe")).toEqual(said);
  });

  it.each([
    ["crypto mood", ["No mood of crypto alone is available; this is of the whole US stock market."]],
    ["nasdaq outlook", ["No mood of one index alone is available; this is of the whole US stock market."]],
    ["market mood", []],
  ])("name the market of a mood: %s", (query, said) => {
    expect(leading("news", query, "get_signal_index")).toEqual(said);
  });

  it.each([
    ["is Congress buying crypto", ["Not narrowed to: crypto."]],
    ["which tech stocks does Congress buy", ["Not narrowed to: the sector Information Technology."]],
    ["which stocks does Congress buy", []],
  ])("name the filters that trades of Congress lack: %s", (query, said) => {
    expect(leading("flow", query, "get_congress_signal")).toEqual(said);
  });

  it.each([
    ["get_analysis", "This is as of 2026-10-01, from what was known by then."],
    ["get_quote", "Signals are as of 2026-10-01, from what was known by then; get_quote is of now."],
  ])("name the past day, and the answers of now: %s", (skill, said) => {
    const { leading } = caveatsOf({
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
    ["signal", "call get_signal with as_of for an earlier day"],
    ["earnings", "no earlier day of earnings is available"],
  ])("name the tool that answers for a past day: %s", (intent, said) => {
    const { leading } = caveatsOf({
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
  ])("distinguish the price of a fund from what it holds: %s, %s", (text, skill, said) => {
    const name = "SPDR Gold Shares";
    const instrument = {
      symbol: "GLD",
      name,
      sector: null,
      asset_class: "etf",
      currency: "USD",
    } as const;
    const { following } = caveatsOf({
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
    const told = "GLD is SPDR Gold Shares, a fund: this is the price of its shares, not of what it holds.";
    expect(following).toEqual(said === 1 ? [told] : []);
  });
});
