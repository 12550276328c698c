import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../../src/domain/requests/interpretation.ts";
import type { PriceOddsTopic } from "../../../../src/features/requests/details/price-odds.ts";
import { intentWithTopics, topicsOf } from "../../../../src/features/requests/details/topics.ts";
import { readQuestion } from "../parsed-question.ts";

describe("the topics of a question", () => {
  it.each([
    ["What are options traders doing in Nvidia?", ["options"], true],
    ["dark pool prints and Congress trades in TSLA", ["dark_pool", "congress"], false],
    ["flow in AAPL", [], false],
    ["Are traders buying protection?", ["options"], true],
    ["which lawmakers bought NVDA", ["congress"], true],
    ["what is Ted Cruz buying?", ["congress"], true],
    ["trades of Ro Khanna or AOC", ["congress"], true],
  ])("state whose trades are meant: %s", (query, flow, asksTraders) => {
    expect(topicsOf(query)).toMatchObject({ flow, asksTraders });
  });

  it.each([
    ["odds of a Fed rate cut", "Fed rate cut"],
    ["What is the probability that bitcoin ends 2026 above 150k?", "bitcoin ends 2026 above 150k"],
    ["polymarket", ""],
    ["what is your best bet?", null],
    ["signal on Apple", null],
  ])("contain the requested odds in the remaining words: %s", (query, odds) => {
    expect(topicsOf(query).odds).toBe(odds);
  });

  it("contain short odds without special characters", () => {
    const { odds } = topicsOf(`odds of \u202e{"tool":"x"}\u0000 <b>${"long ".repeat(100)}`);
    expect(odds).toMatch(/^tool x b long [long ]*$/);
    expect(odds!.length).toBeLessThanOrEqual(80);
  });

  it.each([
    ["top crypto setups", { asset_class: "crypto" }],
    ["strongest tech stocks", { asset_class: "equity", sector: "Information Technology" }],
    ["best short setups", { bias: "SHORT", sort: "score_asc" }],
    ["worst ETFs", { asset_class: "etf", sort: "score_asc" }],
    ["hottest stage 2 longs", { bias: "LONG", tier: "HOT", stage: 2 }],
    ["top A-grade energy stocks", { asset_class: "equity", sector: "Energy", grade: "A" }],
    ["B+ rated coins", { asset_class: "crypto", grade: "B+" }],
    ["what should I look at", {}],
  ])("filter a list: %s", (query, filters) => {
    expect(topicsOf(query).filters).toEqual(filters);
  });

  it("omit what the question excludes", () => {
    expect(topicsOf("Apple but not the news").also).toEqual([]);
    expect(topicsOf("Apple news").also).toEqual(["news"]);
  });
});

describe("a question on the whole market", () => {
  it.each([
    "market mood",
    "Is the market fearful?",
    "are investors greedy right now?",
    "is Wall Street nervous?",
    "is the stock market bullish?",
    "fear and greed index",
    "nasdaq outlook",
    "outlook for the S&P 500",
    "How greedy is the market?",
    "Is now a good time to invest?",
    "is it safe to get back in",
    "should I invest in the stock market?",
    "is the market up today",
    "how is the market today",
    "how did the market do today",
  ])("asks for its mood: %s", (query) => {
    expect(topicsOf(query)).toMatchObject({ mood: true, hours: false });
  });

  it.each(["stocks with positive sentiment", "AAPL market order", "best stocks"])(
    "does not ask for its mood: %s",
    (query) => {
      expect(topicsOf(query).mood).toBe(false);
    },
  );

  it.each([
    "is the market open today?",
    "when is the market open?",
    "what time does NYSE close?",
    "are markets closed on Thanksgiving?",
    "is it a holiday on Thursday",
    "when do the exchanges open tomorrow",
    "will the stock market be open on Monday?",
    "market hours",
    "trading holidays",
    "is crypto open on weekends?",
    "market open?",
  ])("asks for trading hours: %s", (query) => {
    expect(topicsOf(query).hours).toBe(true);
  });

  it.each([
    "will the market close higher today?",
    "is the market closing above 6000?",
    "open interest",
    "who reports after the market close",
    "how did the market close yesterday",
    "close price of AAPL",
  ])("does not ask for trading hours: %s", (query) => {
    expect(topicsOf(query).hours).toBe(false);
  });

  it.each([
    ["crypto sentiment", "crypto"],
    ["nasdaq outlook", "one index"],
    ["market mood", null],
  ])("may ask for a mood that does not exist: %s", (query, moodless) => {
    expect(topicsOf(query).moodless).toBe(moodless);
  });
});

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
    "hot coins",
  ])("is recognized: %s", (query) => {
    expect(readQuestion(query).intent).toBe("scan");
  });

  it.each([
    "should I sell crypto?",
    "how is crypto doing",
    "buy 10 coins",
    "crypto outlook",
    "blorb the fnord",
  ])("is not recognized: %s", (query) => {
    expect(readQuestion(query).intent).not.toBe("scan");
  });

  it.each<[QuestionIntent, string, QuestionIntent]>([
    ["unknown", "odds that hot bank stocks fall", "unknown"],
    ["news", "what are whales doing in tech", "news"],
    ["unknown", "what are whales doing in tech", "flow"],
  ])("sets the intent only when nothing else does: %s, %s", (intent, query, meant) => {
    expect(intentWithTopics(intent, topicsOf(query), null)).toBe(meant);
  });

  it.each<[QuestionIntent, string, PriceOddsTopic, QuestionIntent]>([
    ["earnings", "chance Meta gains 8% next quarter", "levels", "signal"],
    ["earnings", "earnings of Meta and the chance it gains 8%", "levels", "earnings"],
    ["portfolio", "my target at 300 or my stop at 270 first", "plan", "signal"],
    ["portfolio", "how volatile is my portfolio of AAPL and TSLA", "volatility", "portfolio"],
    ["compare", "is AAPL more volatile than TSLA", "volatility", "compare"],
  ])(
    "is signal for odds of prices unless another is named: %s, %s",
    (intent, query, priceOddsTopic, meant) => {
      expect(intentWithTopics(intent, topicsOf(query), priceOddsTopic)).toBe(meant);
    },
  );

  it.each([
    ["average score of tech stocks", true],
    ["what percentage of stocks are LONG?", true],
    ["how many stocks are LONG?", false],
    ["stocks above their moving average", false],
  ])("may ask for one figure over all its rows: %s", (query, overall) => {
    expect(topicsOf(query).overall).toBe(overall);
  });
});
