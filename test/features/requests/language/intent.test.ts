import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../../src/domain/requests/interpretation.ts";
import { TERM_NAMES } from "../../../../src/features/requests/language/glossary.ts";
import { POLITICIANS } from "../../../../src/features/requests/language/plain-words.ts";
import { readQuestion, symbols } from "../parsed-question.ts";

const intentOf = (query: string) => readQuestion(query, symbols).intent;

describe("the intent of a question", () => {
  it.each<[string, QuestionIntent]>([
    ["What is ICS?", "definition"],
    ["What is reward to risk?", "definition"],
    ["explain actionability to me please", "definition"],
    ["What does UNDERPRICED mean?", "definition"],
    ["what is the meaning of options traders", "definition"],
    ["what are options traders doing?", "flow"],
    ["what are the options buyers betting on today", "flow"],
    ["what are whales up to", "flow"],
    ["Where should I put my stop loss on NVDA?", "signal"],
    ["Should I put my money in gold or bitcoin?", "compare"],
    ["how much of my money should go into NVDA", "portfolio"],
    ["am I up on Tesla", "portfolio"],
    ["what's new with Apple", "news"],
    ["Apple but not the news", "signal"],
    ["everything about Apple except news", "signal"],
    ["how many shares did Congress buy of Apple", "flow"],
    ["which reports first, Apple or Tesla?", "earnings"],
    ["fill me in on Intel", "news"],
    ["is AMD lagging NVDA", "compare"],
    ["short squeeze data AMC, days to cover", "flow"],
    ["my Netflix password was stolen", "unknown"],
    ["Starbucks menu", "unknown"],
    ["I bought Pfizer years ago and only lost money. Keep it?", "portfolio"],
    ["my brother says Boeing is finished, your chart?", "signal"],
    ["what is 50 day?", "definition"],
  ])("is parsed: %s %s", (query, intent) => {
    expect(intentOf(query)).toBe(intent);
  });

  it("is definition for every name of the glossary alone", () => {
    const others = [...TERM_NAMES.keys()].filter((name) => intentOf(`what is ${name}?`) !== "definition");
    // its letters mean `are` in `how r u`
    expect(others).toEqual(["r:r"]);
  });

  it("is flow for every named member of Congress", () => {
    const names = POLITICIANS.replaceAll("[- ]", "-").split("|");
    for (const query of ["what is NAME buying?", "NAME's trades", "did NAME sell NVDA?"])
      expect(names.filter((name) => intentOf(query.replace("NAME", name)) !== "flow")).toEqual([]);
  });
});

describe("labelled questions not used for tuning", () => {
  it.each([
    { file: "held-out.json", intents: 0.9, instruments: 0.96 },
    { file: "held-out-2.json", intents: 0.9, instruments: 0.98 },
  ])("are parsed: $file, $intents of intents, $instruments of symbols", ({ file, intents, instruments }) => {
    const url = new URL(`../../../bench/language/${file}`, import.meta.url);
    const queries: readonly {
      readonly query: string;
      readonly intent: QuestionIntent;
      readonly symbols: string[];
    }[] = JSON.parse(readFileSync(url, "utf8"));
    const members = new Set(symbols.members().map(({ symbol }) => symbol));
    const read = queries.map(({ query }) => readQuestion(query, symbols));
    const right = (isRight: (i: number) => boolean) =>
      queries.filter((_, i) => isRight(i)).length / queries.length;
    expect(right((i) => read[i]!.intent === queries[i]!.intent)).toBeGreaterThanOrEqual(intents);
    const known = (i: number) =>
      read[i]!.mentions.map(({ instrument }) => instrument.symbol).filter((symbol) => members.has(symbol));
    expect(right((i) => `${known(i)}` === `${queries[i]!.symbols}`)).toBeGreaterThanOrEqual(instruments);
  });
});
