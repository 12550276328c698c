import { describe, expect, it } from "vitest";
import { type AnswerParts, answerOf, replyTo } from "../../../src/features/requests/answer.ts";

const parts = (more: Partial<AnswerParts>): AnswerParts => ({
  intent: "flow",
  market: "sample",
  detail: "full",
  signals: [],
  others: [],
  ranking: null,
  definitions: null,
  unserved: [],
  leading: [],
  reply: null,
  following: [],
  cashtag: true,
  unresolved: ["ZORB"],
  ...more,
});
const answered = (text: string) => ({
  result: { symbol: "AAPL", skill: "get_signal", figures: null, data: {}, error: null },
  text,
  notes: [],
  stale: false,
});
const UNKNOWN = 'Unknown: "ZORB". resolve_symbol finds similar names.';

describe("an answer to a question without a subject", () => {
  it("is the reply, or how to ask", () => {
    const said = (reply: string | null) => answerOf(parts({ intent: "greeting", unresolved: [], reply }));
    expect(said("You are welcome.")).toBe("You are welcome.");
    expect(said(null)).toMatch(/^Hello\. Ask for a signal, /);
  });

  it("names the tool that answers, and no missing instrument", () => {
    const unserved = ["Not answered: how often signals were right; get_track_record has that."];
    expect(answerOf(parts({ intent: "signal", unresolved: [], unserved }))).toBe(unserved[0]);
  });
});

describe("an answer about an unknown name", () => {
  it.each(["flow", "earnings", "news", "signal", "scan", "compare"] as const)(
    "contains only that note: %s",
    (intent) => {
      expect(answerOf(parts({ intent }))).toBe(UNKNOWN);
    },
  );

  it("starts with that note before other answers", () => {
    const answer = answerOf(parts({ intent: "unknown", others: [answered("Odds.")] }));
    expect(answer).toBe(`${UNKNOWN}\nOdds.\nEvery figure is SAMPLE data of a simulated market.`);
  });

  it("has a heading for each of several texts", () => {
    const news = { ...answered("2 stories"), result: { ...answered("").result, skill: "get_news" } };
    const answer = answerOf(parts({ unresolved: [], others: [news, answered("Odds.")] }));
    expect(answer).toMatch(/^get_news AAPL:\n2 stories\nget_signal AAPL:\nOdds\.\n/);
  });

  it("ends with that note after the signals of known names", () => {
    const answer = answerOf(parts({ signals: [answered("AAPL is LONG.")] }));
    expect(answer).toMatch(/^AAPL is LONG\.\n.*Unknown: "ZORB"/);
  });
});

it("shows the first 6 signals of a concise answer", () => {
  const signals = Array.from({ length: 14 }, (_, i) => answered(`S${i}  LONG`));
  const answer = answerOf(parts({ intent: "signal", unresolved: [], signals, detail: "concise" }));
  expect(answer).toMatch(/S5 {2}LONG\nThe other signals are in the results\. Every figure is SAMPLE/);
  expect(answer).not.toContain("S6");
});

describe("the reply to a greeting", () => {
  it.each([
    ["thanks", "You are welcome."],
    ["Thank you so much for your help!", "You are welcome."],
    ["goodbye", "Goodbye."],
    ["thanks, see you tomorrow", "Goodbye."],
    ["hello", null],
    ["thanks, what else can you do", null],
    ["hey, thanks", null],
  ])("%s: %s", (query, words) => {
    expect(replyTo(query)).toBe(words);
  });
});
