import { describe, expect, it } from "vitest";
import type { Intent } from "../../../../src/domain/questions/interpretation.ts";
import { TERM_NAMES } from "../../../../src/features/questions/language/glossary.ts";
import { POLITICIANS } from "../../../../src/features/questions/language/politicians.ts";
import { readQuery } from "../../../../src/features/questions/language/read-query.ts";
import { createDirectory } from "../../../../src/market/symbols/directory.ts";
import { LISTINGS } from "../../../../src/providers/sample/listing.ts";

const symbols = createDirectory({ members: LISTINGS.map(({ instrument }) => instrument) });
const intentOf = (query: string) => readQuery(query, symbols).intent;

describe("what a question asks for", () => {
  it.each<[string, Intent]>([
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
  ])("is read: %s %s", (query, intent) => {
    expect(intentOf(query)).toBe(intent);
  });

  it("is the meaning of every name of the glossary that is asked for alone", () => {
    const others = [...TERM_NAMES.keys()].filter((name) => intentOf(`what is ${name}?`) !== "definition");
    // whose letters are `are` in `how r u`
    expect(others).toEqual(["r:r"]);
  });

  it("is the trades of Congress of every member who is known by name", () => {
    const names = POLITICIANS.replaceAll("[- ]", "-").split("|");
    for (const query of ["what is NAME buying?", "NAME's trades", "did NAME sell NVDA?"])
      expect(names.filter((name) => intentOf(query.replace("NAME", name)) !== "flow")).toEqual([]);
  });
});
