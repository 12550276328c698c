import { describe, expect, it } from "vitest";
import { catalogue } from "../../../src/app/catalogue.ts";
import { priceOddsIn } from "../../../src/features/requests/details/price-odds.ts";
import { priceOddsCalls } from "../../../src/features/requests/price-odds-calls.ts";
import { readQuestion, symbols } from "./parsed-question.ts";

/** A Thursday, 10:00 in New York. */
const NOW = new Date("2026-01-15T15:00:00Z");

const planned = (query: string, asOf: string | null = null) => {
  const { mentions, timeframe } = readQuestion(query, symbols);
  return priceOddsCalls({ priceOdds: priceOddsIn(query, mentions), timeframe, asOf, now: NOW });
};
const inputs = (query: string) => planned(query).calls.map(({ input }) => input);

describe("questions on odds of prices", () => {
  it.each([
    ["What are the odds that AAPL touches 300 within 20 bars?", { horizon: 20, levels: ["300"] }],
    ["odds of $300 AAPL", { levels: ["300"] }],
    ["chance AAPL reaches $1,250.50 this month", { horizon: 11, levels: ["1250.5"] }],
    ["is Apple likely to hit 300 by January 30?", { horizon: 11, levels: ["300"] }],
    ["Do you think Apple will touch 200 within 15 trading days?", { horizon: 15, levels: ["200"] }],
    ["likelihood of Apple touching 250 or 220 within 3 weeks", { horizon: 15, levels: ["250", "220"] }],
    ["odds for my levels 45, 50 and 55 on AAPL", { levels: ["45", "50", "55"] }],
    ["will AAPL fall 5% this week?", { horizon: 2, levels: ["-5%"] }],
    ["what are the chances that AAPL drops 3 percent tomorrow", { horizon: 2, levels: ["-3%"] }],
    ["how likely is a ten percent rally in AAPL", { levels: ["+10%"] }],
    ["odds of AAPL up 10% by next month", { horizon: 21, levels: ["+10%"] }],
    ["How likely is Apple to touch 5% up or down within two weeks?", { horizon: 10, levels: ["5%"] }],
    ["chance of AAPL moving 4% in 5 sessions", { horizon: 5, levels: ["4%"] }],
    ["odds AAPL moves over 5% in a week", { horizon: 5, levels: ["5%"] }],
    ["chance AAPL gains 10% or loses 8% in a couple of weeks", { horizon: 10, levels: ["+10%", "-8%"] }],
    ["touch odds for +3% and -3% on AAPL", { levels: ["+3%", "-3%"] }],
    ["what's the risk that AAPL drops 15% in two months", { horizon: 42, levels: ["-15%"] }],
    ["odds that my stop at 270 on AAPL gets hit this week", { horizon: 2, levels: ["270"] }],
    ["AAPL 4h: odds of touching 140 within 10 bars", { timeframe: "4h", horizon: 10, levels: ["140"] }],
    ["AAPL on the 4h chart: odds of 140 within a week", { timeframe: "4h", horizon: 10, levels: ["140"] }],
  ])("call get_odds with the levels: %s", (query, input) => {
    expect(planned(query).calls).toEqual([
      { skill: "get_odds", symbol: "AAPL", input: { symbol: "AAPL", ...input }, part: "levels" },
    ]);
    expect(planned(query).notes).toEqual([]);
  });

  it.each([
    ["Will NVDA hit 300 before 278?", { stop: "278", target: "300" }],
    ["nvidia 300 before 278?", { stop: "278", target: "300" }],
    ["chance NVDA drops to 270 before rising to 300", { stop: "300", target: "270" }],
    ["will nvidia rise 3% before falling 2%", { stop: "-2%", target: "+3%" }],
    ["NVDA stop 3% below, target 5% above: which first", { stop: "-3%", target: "+5%" }],
    ["Nvidia with a stop 4% below and a target 8% above: which comes first?", { stop: "-4%", target: "+8%" }],
    ["I have a 3% stop and an 8% target on NVDA, what are the odds?", { stop: "-3%", target: "+8%" }],
    ["short NVDA with a 3% stop and an 8% target, odds?", { stop: "+3%", target: "-8%" }],
    ["which comes first for NVDA, 120 or 150", { stop: "120", target: "150" }],
    ["does NVDA hit +5% or -3% first within 10 days", { horizon: 10, stop: "-3%", target: "+5%" }],
    ["Is my target of 150 touched before my stop of 120 on NVDA?", { stop: "120", target: "150" }],
  ])("call get_odds with stop and target: %s", (query, input) => {
    expect(planned(query).calls).toEqual([
      { skill: "get_odds", symbol: "NVDA", input: { symbol: "NVDA", ...input }, part: "plan" },
    ]);
  });

  it.each([
    ["how far may NVDA move in the next month", "NVDA", { horizon: 21 }],
    ["How far may Apple move in the next 20 days?", "AAPL", { horizon: 20 }],
    ["expected range of SPY over the next two weeks", "SPY", { horizon: 10 }],
    ["what is the expected trading range for Apple next week", "AAPL", { horizon: 5 }],
    ["how much could AMD move by Friday", "AMD", { horizon: 2 }],
    ["how low can solana go by the end of the month", "SOL-USD", { horizon: 17 }],
    ["how big a move can I expect from AAPL next week", "AAPL", { horizon: 5 }],
    ["range forecast for ETH, 2 weeks", "ETH-USD", { horizon: 14 }],
    ["how much might bitcoin swing next month", "BTC-USD", { horizon: 30 }],
    ["how wide should my stop on NVDA be", "NVDA", {}],
  ])("call get_odds for the range: %s", (query, symbol, input) => {
    expect(planned(query).calls).toEqual([
      { skill: "get_odds", symbol, input: { symbol, ...input }, part: "range" },
    ]);
  });

  it.each([
    ["how volatile will TSLA be", {}],
    ["How volatile is Tesla going to be over the next 10 days?", { horizon: 10 }],
    ["volatility of TSLA", {}],
    ["realized volatility of Tesla", {}],
  ])("call get_odds for the volatility: %s", (query, input) => {
    expect(planned(query).calls).toEqual([
      { skill: "get_odds", symbol: "TSLA", input: { symbol: "TSLA", ...input }, part: "volatility" },
    ]);
  });

  it.each([
    ["will AAPL hit 300 or not?", { levels: ["300"] }],
    ["is a 10% drop of AAPL within 3 weeks likely?", { horizon: 15, levels: ["-10%"] }],
    ["Will Apple's stock price climb to $300?", { levels: ["300"] }],
    ["how likely is AAPL to swing 5% in either direction this week", { horizon: 2, levels: ["5%"] }],
    ["odds of AAPL to $300 by Friday", { horizon: 2, levels: ["300"] }],
    ["odds AAPL falls 5% from here", { levels: ["-5%"] }],
    ["odds AAPL falls 5% or 10%", { levels: ["-5%", "-10%"] }],
    ["AAPL gained 10% last month, will it hit 300?", { levels: ["300"] }],
    ["Apple fell 5% today; will it fall another 3% tomorrow?", { horizon: 2, levels: ["-3%"] }],
    ["AAPL fell 5% over the last 2 weeks, will it hit 300", { levels: ["300"] }],
    ["Apple at 286, what are the odds it hits 300?", { levels: ["300"] }],
    ["What are the odds Apple, now at 286, hits 300?", { levels: ["300"] }],
    ["odds Apple hits 300 given it was at 290 last week", { levels: ["300"] }],
    ["With AAPL up 5% today, what are the odds it hits 300 by Friday?", { horizon: 2, levels: ["300"] }],
    ["odds AAPL goes from 286 to 300", { levels: ["300"] }],
    ["I am long AAPL from 250, odds of hitting 300?", { levels: ["300"] }],
  ])("call get_odds only with the levels that are asked about: %s", (query, input) => {
    expect(planned(query).calls).toEqual([
      { skill: "get_odds", symbol: "AAPL", input: { symbol: "AAPL", ...input }, part: "levels" },
    ]);
    expect(planned(query).notes).toEqual([]);
  });

  it.each([
    ["probability AAPL stays above 250 for 10 days", { horizon: 10 }],
    ["probability AAPL stays between 270 and 300", {}],
    ["odds AAPL does not touch 300", {}],
    ["odds AAPL never falls below 270", {}],
    ["chance that AAPL is lower than 300 next Friday", { horizon: 2 }],
    ["odds AAPL is above 250 in 10 days", { horizon: 10 }],
    ["chance AAPL won't drop 10% this week", { horizon: 2 }],
    ["will AAPL hold above 270", {}],
  ])("call get_odds for the range if the price is not to touch a level: %s", (query, input) => {
    expect(planned(query)).toEqual({
      calls: [{ skill: "get_odds", symbol: "AAPL", input: { symbol: "AAPL", ...input }, part: "range" }],
      notes: [
        "Odds of touching a level do not say whether the price stays on one side of it; this is the range of the close",
      ],
    });
  });

  it.each(["by 12/18", "by the 18th", "by 18.12.2026", "before earnings", "by midnight", "this weekend"])(
    "note a time that is not understood: %s",
    (time) => {
      expect(planned(`odds AAPL hits 300 ${time}`)).toMatchObject({
        calls: [{ input: { symbol: "AAPL", levels: ["300"] } }],
        notes: ["The time of the question was not understood; the odds are for the next 20 bars"],
      });
    },
  );

  it("note that no bar closes in the rest of the time", () => {
    const { mentions, timeframe } = readQuestion("odds AAPL hits 300 today", symbols);
    const priceOdds = priceOddsIn("odds AAPL hits 300 today", mentions);
    const now = new Date("2026-01-15T21:30:00Z");
    expect(priceOddsCalls({ priceOdds, timeframe, asOf: null, now })).toMatchObject({
      calls: [{ input: { horizon: 1 } }],
      notes: ["No bar closes before the end of the question's time; the odds are for the next bar"],
    });
  });

  it("call get_odds for each symbol with its own levels and horizon", () => {
    expect(inputs("odds that Apple and Microsoft fall 5%")).toEqual([
      { symbol: "AAPL", levels: ["-5%"] },
      { symbol: "MSFT", levels: ["-5%"] },
    ]);
    expect(inputs("will AAPL hit 300 or MSFT 500 first")).toEqual([
      { symbol: "AAPL", levels: ["300"] },
      { symbol: "MSFT", levels: ["500"] },
    ]);
    expect(inputs("price of MSFT and then the odds of Apple over 140")).toEqual([
      { symbol: "AAPL", levels: ["140"] },
    ]);
    expect(inputs("how volatile will Tesla and bitcoin be in the next week")).toEqual([
      { symbol: "TSLA", horizon: 5 },
      { symbol: "BTC-USD", horizon: 7 },
    ]);
    expect(inputs("price of MSFT? how volatile is TSLA?")).toEqual([{ symbol: "TSLA" }]);
    expect(inputs("odds that AAPL, MSFT, NVDA and TSLA fall 5%")).toEqual([]);
  });

  it("note what their answer does not cover", () => {
    const tooFar =
      "The question asks for more than 60 bars ahead; get_odds covers at most 60, so its odds are for 60 bars";
    expect(planned("chance BTC-USD hits $120k in a year")).toMatchObject({
      calls: [{ input: { symbol: "BTC-USD", horizon: 60, levels: ["120000"] } }],
      notes: [tooFar],
    });
    expect(planned("what are the odds MSFT closes above 500 on Friday")).toMatchObject({
      calls: [{ input: { symbol: "MSFT", horizon: 2, levels: ["500"] } }],
      notes: ["The odds are of touching a level at any time within these bars, not of a close beyond it"],
    });
    expect(planned("AAPL is down 8% today. Odds it is up 5% in 3 weeks?")).toMatchObject({
      calls: [{ input: { symbol: "AAPL", horizon: 15, levels: ["+5%"] } }],
      notes: ["The odds are of touching a level at any time within these bars, not of a close beyond it"],
    });
    expect(planned("AAPL is down 8% today. Odds it rises 5% in 3 weeks?").notes).toEqual([]);
    expect(planned("odds AAPL falls 5% before the halving or after the next few elections").notes).toEqual([
      "The time of the question was not understood; the odds are for the next 20 bars",
    ]);
    expect(catalogue.getOdds.input.parse({ symbol: "AAPL" }).horizon).toBe(20);
    expect(planned("odds of AAPL at 201, 202, 203, 204, 205, 206 or 207")).toMatchObject({
      calls: [{ input: { levels: ["201", "202", "203", "204", "205", "206"] } }],
      notes: ["The question names more than 6 levels of a symbol; the odds are of the first 6"],
    });
    expect(planned("odds of AAPL at 201, 202, 203, 204, 205 or 206").notes).toEqual([]);
  });

  it("pass a past day", () => {
    expect(planned("how far may NVDA move on 2026-01-05", "2026-01-05").calls[0]?.input).toEqual({
      symbol: "NVDA",
      as_of: "2026-01-05",
    });
  });

  it("are valid input of the tool", () => {
    const { input } = catalogue.getOdds;
    for (const query of [
      "odds AAPL touches 0.00001 or 150k or $1,250.50",
      "chance of ETH dropping 10.5% within 12 hours",
      "chance AAPL falls 3% within 30 minutes",
      "Will NVDA hit 300 before 278 in 900 days?",
    ])
      for (const call of inputs(query)) expect(input.safeParse(call).error, query).toBeUndefined();
  });
});

describe("other questions", () => {
  it.each([
    "Nvidia will see 10% revenue growth, right?",
    "danger of Apple losing 50% of its market share",
    "Is Apple likely to cut 5% of its jobs?",
    "3% yield on Apple",
    "chance that unemployment hits 5% and what would SPY do",
    "What are the odds that Apple's weight in SPY rises above 8%?",
    "odds Microsoft's stake in OpenAI falls below 5%",
    "Chance of a 25% tariff on Apple",
    "Could Apple lose 20% of its users?",
    "Will Nvidia gain 10% market share from AMD?",
    "Is it possible to buy 10 shares of Apple at 280?",
    "Apple odds to reach 4 trillion market cap",
    "Will Apple hit $4T",
    "chance that oil falls 5% and what would SPY do",
    "odds Tesla Model Y price drops 5%",
    "chance Apple raises the iPhone price to $1200",
    "odds Apple pays a $5 fine",
    "odds that Apple's headcount falls 5%",
    "will Tesla drop 5 products",
    "will AAPL fall $5 tomorrow",
    "odds AAPL outperforms Nvidia by 5%",
    "odds AAPL rises 5% more than Nvidia",
    "If Nvidia falls 10%, how likely is AMD to fall 5%?",
    "odds AAPL hits 300 assuming it first dips to 270",
    "odds AAPL falls 5% when the Fed hikes",
    "odds AAPL hits 300 while NVDA falls 5%",
    "Will TSLA rally 10% and then drop 5%?",
    "odds NVDA falls 10% from its high",
    "odds AAPL sees a 10% drop from its high",
    "odds AAPL rises at least 3% but no more than 5%",
    "chance AAPL gains between 1% and 3%",
    "odds AAPL drops less than 5%",
    "odds of AAPL and MSFT both falling 5%",
    "odds AAPL and MSFT hit 300 and 500 respectively",
    "odds of a Fed rate cut",
    "What does Polymarket say about AAPL hitting 300?",
    "kalshi odds bitcoin above 100k",
    "market odds that NVDA hits 300",
    "odds on AAPL",
    "chance of a bitcoin crash",
    "odds nvda beats earnings",
    "odds that Apple's revenue exceeds $100 billion",
    "odds the RSI of AAPL goes above 70",
    "will Tesla deliver 500k cars",
    "chance that tesla closes green this week",
    "will Apple go up?",
    "When will bitcoin reach 200k?",
    "What will Apple be worth in 2030?",
    "price of AAPL",
    "is AAPL up 5% today?",
    "did AAPL fall 5% yesterday",
    "can you alert me when AAPL hits 300",
    "buy 10 AAPL at 280 with stop 270 and target 300",
    "should I sell if AAPL falls 5%",
    "Would you buy AAPL if it drops to 270",
    "I bought AAPL at 280, what are the odds it goes up?",
    "expected move of NVDA",
    "implied volatility of TSLA",
    "52-week range of AAPL",
    "how far is AAPL from its high",
    "how much did TSLA drop",
    "where to put my stop on NVDA",
    "how much could I lose on TSLA",
    "AAPL stop 270 target 300",
    "most volatile stocks today",
    "What is the signal on Apple?",
  ])("do not call get_odds: %s", (query) => {
    expect(planned(query)).toEqual({ calls: [], notes: [] });
  });
});
