import { describe, expect, it } from "vitest";
import { answerOf, type Ground } from "../../../src/features/questions/answer.ts";

const ground = (more: Partial<Ground>): Ground => ({
  intent: "flow",
  market: "sample",
  signals: [],
  others: [],
  ranking: null,
  definitions: null,
  unserved: [],
  leading: [],
  returned: null,
  following: [],
  cashtag: true,
  unresolved: ["ZORB"],
  ...more,
});
const answered = (sentence: string) => ({
  result: { symbol: "AAPL", skill: "get_signal", figures: null, data: {}, error: null },
  sentence,
  notes: [],
});
const UNKNOWN = 'Not known or not held here: "ZORB". resolve_symbol finds near names.';

describe("an answer to words that ask for nothing", () => {
  it("is what is said in return, or how to ask", () => {
    const said = (returned: string | null) =>
      answerOf(ground({ intent: "greeting", unresolved: [], returned }));
    expect(said("You are welcome.")).toBe("You are welcome.");
    expect(said(null)).toMatch(/^Hello\. Ask for a signal, /);
  });

  it("names the tool that has what was asked for, and asks for no instrument", () => {
    const unserved = ["Not answered: how often signals were right; get_track_record has that."];
    expect(answerOf(ground({ intent: "signal", unresolved: [], unserved }))).toBe(unserved[0]);
  });
});

describe("an answer about a name that nobody knows", () => {
  it.each(["flow", "earnings", "news", "signal", "scan", "compare"] as const)(
    "says so and nothing else: %s",
    (intent) => {
      expect(answerOf(ground({ intent }))).toBe(UNKNOWN);
    },
  );

  it("begins with it, whatever else is told", () => {
    const answer = answerOf(ground({ intent: "unknown", others: [answered("Odds are told.")] }));
    expect(answer).toBe(`${UNKNOWN} Odds are told. Every figure is SAMPLE, of a simulated market.`);
  });

  it("ends with it where others that are named are told", () => {
    const answer = answerOf(ground({ signals: [answered("AAPL is LONG.")] }));
    expect(answer).toMatch(/^AAPL is LONG\. .*Not known or not held here: "ZORB"/);
  });
});

describe("the order of a list", () => {
  it.each(["None of these is LONG.", "Only HD of these is LONG.", "The newest nightly run: HD."])(
    "goes on in one sentence: %s",
    (sentence) => {
      const answer = answerOf(
        ground({
          intent: "scan",
          unresolved: [],
          leading: ["Weakest by score:"],
          others: [answered(sentence)],
        }),
      );
      expect(answer).toContain(`Weakest by score: ${sentence[0]!.toLowerCase()}${sentence.slice(1)} `);
    },
  );
});
