import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../../src/domain/questions/interpretation.ts";
import {
  instrumentNames,
  intentWithTopics,
  topicsOf,
} from "../../../../src/features/questions/details/topics.ts";

describe("a requested list without a verb", () => {
  it.each([
    "crypto with grade A+",
    "worst 3 banks",
    "bullish crypto with rr over 2",
    "top tech",
    "stage 1 or 4",
    "everything except financials",
    "semiconductors or banks",
    "A+ longs",
    "stocks rated C or lower",
    "hot coins",
  ])("is recognized: %s", (query) => {
    expect(topicsOf(query).isList).toBe(true);
  });

  it.each([
    "is tech a buy?",
    "should I sell crypto?",
    "how is crypto doing",
    "buy 10 coins",
    "bullish",
    "crypto outlook",
    "blorb the fnord",
  ])("is not recognized: %s", (query) => {
    expect(topicsOf(query).isList).toBe(false);
  });

  it.each<[QuestionIntent, string, number, QuestionIntent]>([
    ["unknown", "crypto with grade A+", 0, "scan"],
    ["signal", "bullish crypto with rr over 2", 0, "scan"],
    ["signal", "bullish crypto with rr over 2", 1, "signal"],
    ["unknown", "odds that hot bank stocks fall", 0, "unknown"],
    ["news", "worst 3 banks", 0, "news"],
    ["unknown", "what are whales doing in tech", 0, "flow"],
  ])("sets the intent only when nothing else does: %s, %s, %i named", (intent, query, named, meant) => {
    expect(intentWithTopics(intent, { ...topicsOf(query), named })).toBe(meant);
  });

  it("contains grades that are not unknown names", () => {
    const names = (query: string, unresolved: readonly string[]) =>
      instrumentNames(unresolved, topicsOf(query));
    expect(names("stocks rated C or lower than Zorb", ["C", "Zorb"])).toEqual(["Zorb"]);
    expect(names("F graded stocks", ["F"])).toEqual([]);
    expect(names("Wyckoff phase C stocks", ["C"])).toEqual([]);
    expect(names("is C a buy", ["C"])).toEqual(["C"]);
  });

  it.each([
    ["average score of tech stocks", true],
    ["what percentage of stocks are LONG?", true],
    ["how many stocks are LONG?", false],
    ["stocks above their moving average", false],
  ])("may ask for one figure over all its rows: %s", (query, overall) => {
    expect(topicsOf(query).overall).toBe(overall);
  });
});
