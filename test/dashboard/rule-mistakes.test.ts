import { describe, expect, it } from "vitest";
import { screenRuleOf } from "../../src/analytics/conditions/screen-rule.ts";
import { mistakesIn } from "../../src/dashboard/pages/screener/rule-mistakes.ts";

/** Returns the underlined parts of a rule, with the problems as the server words them. */
function underlined(rule: string): readonly string[] {
  const parsed = screenRuleOf(rule.trim(), { sectors: ["Energy"], readSector: (text) => text });
  const errors =
    "problems" in parsed
      ? parsed.problems.map(({ message }) => ({ pointer: "/rules", detail: message }))
      : [];
  return mistakesIn(rule, errors).map(({ start, end }) => rule.slice(start, end));
}

describe("the mistakes of a rule", () => {
  it.each([
    ["rsi(14) < 30 and grade >= B", []],
    ["rsl(14) < 30", ["rsl"]],
    ["rsi(14) < 30 and grad >= 3", ["grad"]],
    ["rsi(14) < 30   AND   close >> 3", [">"]],
    ["rsi(14) < 30 or > sma(5", ["("]],
    ["grade >= B and rsi(14 < 30", ["("]],
    ["(rsi(14) < 30 and close > 5)", ["(", ")"]],
    ['rsi(14) < 30 and grade >= "B', ['"']],
    ["grade >= B and grade <= 'A'", ["'"]],
    ["rsi(14) < 30 and", ["and"]],
    ["  rsi(14) < 30 or  ", ["or"]],
    ["rsi(14) < 30 and and grade >= B", ["and"]],
    ["or rsi(14) < 30", ["or"]],
    ["rsi(14) > 70 or foo < 1", ["foo"]],
    ["close >", [">"]],
    ["rsi(14) < 30 and phase = Markdwn", ["Markdwn"]],
  ])("are underlined in %s", (rule, parts) => {
    expect(underlined(rule)).toEqual(parts);
  });

  it("are the whole rule if the server names no place", () => {
    expect(mistakesIn("odds(stop) > 40", [{ pointer: "/rules", detail: "odds are probabilities" }])).toEqual([
      { start: 0, end: 15, message: "odds are probabilities" },
    ]);
  });

  it("leave other fields out", () => {
    expect(mistakesIn("close > 1", [{ pointer: "/sort", detail: "must be one of score" }])).toEqual([]);
  });
});
