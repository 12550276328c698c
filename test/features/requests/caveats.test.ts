import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../src/domain/requests/interpretation.ts";
import { caveatsOf } from "../../../src/features/requests/caveats.ts";
import type { ParsedQuestion } from "../../../src/features/requests/skill-calls.ts";
import { parsedQuestion } from "./parsed-question.ts";

const caveats = (intent: QuestionIntent, query: string, skill: string, more: Partial<ParsedQuestion> = {}) =>
  caveatsOf(parsedQuestion(intent, query, more), {
    calls: [{ skill: "get_analysis", symbol: "AAPL", input: { as_of: "2026-10-01" } }],
    unanswered: [],
    others: [{ symbol: null, skill, figures: {}, data: {}, error: null }],
  });

const GOLD_FUND = {
  symbol: "GLD",
  name: "SPDR Gold Shares",
  sector: null,
  asset_class: "etf",
  currency: "USD",
} as const;

describe("caveats", () => {
  it.each([
    ["stocks with a score under 30", ["The weakest by score come first."]],
    [
      "average score of tech stocks",
      ["Not answered: one figure over a whole list, such as an average; these are rows of the list."],
    ],
    ["best stocks", []],
  ])("name the filters that a list lacks: %s", (query, sentences) => {
    expect(caveats("scan", query, "screen_universe").leading).toEqual(sentences);
  });

  it.each([
    ["crypto mood", ["No sentiment for crypto alone is available; this covers the whole US stock market."]],
    [
      "nasdaq outlook",
      ["No sentiment for one index alone is available; this covers the whole US stock market."],
    ],
    ["market mood", []],
  ])("name the market of a mood: %s", (query, sentences) => {
    expect(caveats("news", query, "get_signal_index").leading).toEqual(sentences);
  });

  it.each([
    ["is Congress buying crypto", ["This covers all disclosed trades, not only crypto."]],
    [
      "which tech stocks does Congress buy",
      ["This covers all disclosed trades, not only the sector Information Technology."],
    ],
    ["which stocks does Congress buy", []],
  ])("name the filters that trades of Congress lack: %s", (query, sentences) => {
    expect(caveats("flow", query, "get_congress_signal").leading).toEqual(sentences);
  });

  it.each([
    ["get_analysis", "This is as of 2026-10-01, from data known by then."],
    ["get_quote", "Signals are as of 2026-10-01, from data known by then; get_quote is current."],
  ])("name the past day, and the answers of now: %s", (skill, sentence) => {
    const past = { day: "2026-10-01", dated: true };
    const { leading } = caveats("signal", "volume", skill, { symbols: ["AAPL"], past, asOf: past.day });
    expect(leading).toEqual([sentence]);
  });

  it.each<[QuestionIntent, string]>([
    ["signal", "call get_signal with as_of for an earlier day"],
    ["earnings", "earlier data for earnings is not available"],
  ])("name the tool that answers for a past day: %s", (intent, advice) => {
    const past = { day: null, dated: true };
    const { leading } = caveats(intent, "price", "get_quote", { symbols: ["NVDA"], past });
    expect(leading).toEqual([`This is current; ${advice}.`]);
  });

  it.each([
    ["gold", "get_quote", true],
    ["GLD", "get_quote", false],
    ["$gld", "get_quote", false],
    ["gold", "get_news", false],
  ])("distinguish the price of a fund from what it holds: %s, %s", (text, skill, isNoted) => {
    const { following } = caveats("signal", "price", skill, {
      symbols: ["GLD"],
      mentions: [{ text, instrument: GOLD_FUND }],
    });
    const note = "GLD is SPDR Gold Shares, a fund: this is the price of its shares, not of what it holds.";
    expect(following).toEqual(isNoted ? [note] : []);
  });
});
