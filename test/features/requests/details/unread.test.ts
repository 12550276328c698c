import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unknownWords, unknownWordsNote } from "../../../../src/features/requests/details/unread.ts";
import { toolSearchOf } from "../../../support/requests.ts";
import { readQuestion, symbols } from "../parsed-question.ts";

const toolSearch = toolSearchOf();

const readOf = (query: string) => {
  const { intent, mentions, excluded, unresolved } = readQuestion(query, symbols);
  return {
    intent,
    mentions,
    knows: toolSearch.knows,
    names: [...excluded.map(({ text }) => text), ...unresolved],
  };
};
const noteOf = (query: string) => unknownWordsNote(query, readOf(query));

/** Questions in the vocabulary of questions. */
const PLAIN = [
  "What is the signal on Apple?",
  "News on Nvidia",
  "What is Congress buying?",
  "should I buy Tesla now?",
  "is AAPL a good buy",
  "compare Apple and Microsoft",
  "best tech stocks",
  "top 5 crypto",
  "when does Apple report earnings?",
  "options flow of TSLA",
  "market mood",
  "how is Nvidia doing this week",
  "what do you think about Apple",
  "what's the outlook for bitcoin",
  "is it a good time to buy Ethereum",
  "Give me your opinion on AMD",
  "price of gold",
  "is Tesla going to recover",
  "Would you sell Meta here?",
  "Can you analyze Amazon for me please",
  "show me the 4h chart of BTC",
  "which is stronger, ETH or SOL?",
  "any insider activity in Meta",
  "dark pool prints on AAPL",
  "how risky is Tesla",
  "What happened to Boeing yesterday?",
  "why is Nvidia down today?",
  "did Pelosi buy Nvidia?",
  "what was the signal of AAPL on Monday",
  "Is Apple overvalued?",
  "RSI of Tesla",
  "stop loss and target for NVDA",
  "where should I put my stop on Apple",
  "Is Apple a strong buy?",
  "Is Apple bullish or bearish?",
  "what are the odds bitcoin hits 150k",
  "How confident are you in the Nvidia signal?",
  "Should I hold or sell my Microsoft shares?",
  "What does the chart of Amazon say?",
  "give me the entry, stop and target for ETH",
  "is the trend of AAPL up",
  "What are the key levels for SPY?",
  "latest headlines on Tesla",
  "Is there momentum in AMD",
  "unusual options activity in Apple",
];
/** Questions about other subjects. */
const ODD = [
  "Apple carbon footprint",
  "Tesla recalls in Germany",
  "Nvidia factory in Arizona",
  "does Apple make good laptops",
  "Boeing plane accidents",
  "Is Disney family friendly",
  "Netflix password sharing",
  "Amazon warehouse strikes",
  "Microsoft Teams outage",
  "AAPL and astrology",
  "is bitcoin bad for the planet",
  "Ethereum developers",
  "Solana congestion",
  "Tesla autopilot safety record",
  "Nike sponsorship athletes",
  "Walmart parking",
  "Exxon pipelines",
  "Pfizer vaccine trials",
  "Ford dealership near me",
  "JPMorgan branch locations",
  "Meta glasses reviews",
  "Apple logo colour",
  "Tesla paint problems",
  "Visa acceptance in Cuba",
  "McDonald's calories",
  "Starbucks unions",
  "Costco membership",
  "Boeing whistleblower",
  "Nvidia chips export to China",
  "Apple antitrust",
  "bitcoin pizza",
  "Ethereum philosophy",
  "gold purity",
  "Intel layoffs",
  "Disney parks attendance",
  "Amazon drones",
  "Google search quality",
  "Microsoft diversity",
  "Apple vs Samsung cameras",
  "Tesla cybertruck colors",
  "Palantir ethics",
  "Coinbase hack",
  "Apple bracelets",
  "Tesla charging cables",
  "Walmart groceries",
  "bitcoin graffiti",
  "Nvidia cartoons",
  "Pfizer side effects",
  "Boeing seatbelts",
  "Starbucks mugs",
];

describe("the words of a question that were not understood", () => {
  it.each(PLAIN)("are none: %s", (query) => {
    expect(unknownWords(query, readOf(query))).toEqual([]);
  });

  it.each(ODD)("are noted: %s", (query) => {
    expect(noteOf(query)).toMatch(/^Some words of the question were not understood; this answers /);
  });

  it("are in no more than a tenth of labelled questions", () => {
    const file = new URL("../../../bench/language/tuned.json", import.meta.url);
    const queries: readonly { readonly query: string }[] = JSON.parse(readFileSync(file, "utf8"));
    const noted = queries.filter(({ query }) => noteOf(query) !== null);
    expect(noted.length / queries.length).toBeLessThanOrEqual(0.1);
  });

  it("appear in no note, which names what is answered", () => {
    expect(noteOf("Apple and Tesla zorbing news")).toBe(
      "Some words of the question were not understood; this answers the news on AAPL, TSLA",
    );
    expect(noteOf("market news of zorbing")).toBe(
      "Some words of the question were not understood; this answers a question about the whole market",
    );
    expect(noteOf("best zorbing stocks")).toBe(
      "Some words of the question were not understood; this answers a request for a list",
    );
    expect(readOf("Walmart parking").intent).toBe("unknown");
    expect(noteOf("Walmart parking")).toBe(
      "Some words of the question were not understood; this answers the signal of WMT",
    );
    expect(noteOf("AAPL MSFT NVDA AMD zorbing")).toMatch(/ of AAPL, MSFT, NVDA and 1 more$/);
  });

  it("are not noted in a long text, or without an answer", () => {
    expect(unknownWords("Tesla deliveries", readOf("Tesla deliveries"))).toEqual([]);
    expect(noteOf(`Tesla ${"zorbing ".repeat(30)}`)).toBeNull();
    expect(noteOf("zorbing")).toBeNull();
  });
});
