import { describe, expect, it } from "vitest";
import type { QuestionIntent } from "../../../../src/domain/requests/interpretation.ts";
import { pastIn } from "../../../../src/features/requests/details/past.ts";

const now = new Date("2026-01-15T15:00:00Z");

describe("the past time in a question", () => {
  it.each([
    ["What was AAPL's signal on 2020-03-15?", "2020-03-15"],
    ["What was AAPL's signal on March 15, 2020?", "2020-03-15"],
    ["AAPL on 15th of Mar 2020", "2020-03-15"],
    ["was AAPL a buy on 3/15/2020", "2020-03-15"],
    ["was AAPL a buy on 15/3/2020", "2020-03-15"],
    ["was AAPL a buy on January 5", "2026-01-05"],
    ["was AAPL a buy on December 5th", "2025-12-05"],
    ["signal on apple yesterday", "2026-01-14"],
    ["what was the signal the day before yesterday", "2026-01-13"],
    ["What was AAPL's signal 3 days ago?", "2026-01-12"],
    ["was TSLA bullish ten days ago", "2026-01-05"],
    ["was TSLA bullish a day ago", "2026-01-14"],
  ])("is one exact day: %s", (query, day) => {
    expect(pastIn(query, now)?.day).toBe(day);
  });

  it.each([
    "was AAPL a buy last week?",
    "was AAPL a buy last friday?",
    "AAPL in 2008",
    "how was TSLA in March 2020",
    "was AAPL bullish two weeks ago",
    "AAPL since 2020-03-15",
    "was AAPL better on 2020-03-15 or 2021-03-15",
    "is AAPL up since yesterday",
    "AAPL 5 trading days ago",
    "AAPL between 2020-01-02 and 2020-02-03",
  ])("is not one exact day: %s", (query) => {
    expect(pastIn(query, now)).toMatchObject({ day: null });
  });

  it.each([
    "signal on AAPL",
    "Apple's last earnings",
    "latest news on AAPL",
    "will ETH reach 2000 in 2027",
    "AAPL above 2020",
    "the last 4 hours of AAPL",
    "AAPL calls expiring 2026-06-19",
    "AAPL on 2026-01-15",
    "AAPL on 2020-02-31",
    "I bought AAPL yesterday, is it a good hold?",
    "AAPL fell 3 days ago, should I sell?",
    "$2008 of AAPL",
    "may 5 stocks rise",
    "",
  ])("is null: %s", (query) => {
    expect(pastIn(query, now)).toBeNull();
  });

  it.each([
    "How much has bitcoin gone up since January?",
    "How much has bitcoin gone up since March 2020?",
    "Was Tesla up in October?",
    "Did bitcoin hit 150k this year?",
    "did AAPL rise this month",
    "Should I have bought Tesla a year ago?",
    "should I have sold it in December",
    "What did Congress buy in March 2025?",
    "Has Apple outperformed the S&P this year?",
    "Did Apple go up more than Microsoft in 2026?",
    "How has AAPL performed so far",
    "AAPL six months ago",
    "how much did ETH gain in Q3",
    "TSLA over the past three months",
    "was AAPL bullish last month",
  ])("is a longer period that has ended: %s", (query) => {
    expect(pastIn(query, now)).toEqual({ day: null, dated: true });
  });

  it("is a month of this year that has ended, not a later one", () => {
    const late = new Date("2026-11-21T20:00:00Z");
    expect(pastIn("AAPL in March 2026", late)).toEqual({ day: null, dated: true });
    expect(pastIn("AAPL in November 2026", late)).toBeNull();
    expect(pastIn("AAPL in December 2026", late)).toBeNull();
  });

  it.each([
    "will AAPL rise this year?",
    "what are the odds that it has hit 150k this year",
    "is AAPL a buy this month",
    "AAPL in October",
    "AAPL price in January",
    "AAPL price target in October",
    "is AAPL close to a buy in October",
    "I bought AAPL in October, should I sell now?",
    "can it go up this week",
    "does Nvidia have earnings this week",
  ])("is null for a period that has not ended: %s", (query) => {
    expect(pastIn(query, now)).toBeNull();
  });

  it.each([
    ["AAPL price on October 1", "2026-10-01"],
    ["price of ETH on 1 July", "2026-07-01"],
    ["Tesla signal on March 3", "2026-03-03"],
    ["MSFT price on 10/1", "2026-10-01"],
    ["MSFT price on 13/1", undefined],
    ["AAPL price on 12/24", undefined],
    ["is AAPL open on December 24", undefined],
    ["AAPL calls expiring on March 20", undefined],
    ["bitcoin 200k by March 3", undefined],
    ["will Tesla rise on March 3", undefined],
  ])("is a past day of this year without a past-tense verb: %s", (query, day) => {
    expect(pastIn(query, new Date("2026-11-21T20:00:00Z"))?.day).toBe(day);
  });

  it.each([
    ["NVDA price on Friday", false],
    ["TSLA close on Monday", false],
    ["where was bitcoin on Halloween", true],
    ["AAPL price at Christmas", true],
    ["Amazon since Prime Day", true],
    ["tesla stock price in July", true],
    ["bitcoin high in October", true],
  ])("is a weekday or a holiday by name: %s", (query, dated) => {
    expect(pastIn(query, now)).toEqual({ day: null, dated });
  });

  it.each(["is NVDA a buy on Friday", "stocks to buy on Monday", "can AAPL fall on Halloween"])(
    "is not a future weekday or holiday: %s",
    (query) => {
      expect(pastIn(query, now)).toBeNull();
    },
  );

  it.each<[string, QuestionIntent, boolean]>([
    ["Congress trades in February", "flow", true],
    ["Congress trades in February", "signal", false],
    ["Congress trades in January", "flow", false],
    ["What did Congress buy in spring?", "flow", true],
    ["Apple news from October", "news", true],
    ["Apple news expected in October", "news", false],
    ["Congress purchases last quarter", "flow", true],
    ["Apple news last quarter", "news", true],
    ["Apple's last quarter", "earnings", false],
  ])("is a month, season or quarter depending on the intent: %s, %s", (query, intent, isPast) => {
    expect(pastIn(query, now, intent)).toEqual(isPast ? { day: null, dated: true } : null);
  });

  it("is dated for a date or year, but not for last week", () => {
    expect(pastIn("AAPL in 2008", now)?.dated).toBe(true);
    expect(pastIn("was AAPL a buy last week", now)?.dated).toBe(false);
  });
});
