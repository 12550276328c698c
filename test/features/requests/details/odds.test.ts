import { describe, expect, it } from "vitest";
import {
  asksWhether,
  isOfEvent,
  levelRequest,
  namedWithOdds,
} from "../../../../src/features/requests/details/odds.ts";

describe("the requested price level", () => {
  it.each<[string, string | null, string | null, number, number | null]>([
    ["chance that AAPL goes above 300", "above", "touch", 300, null],
    ["AAPL below 250 odds", "below", null, 250, null],
    ["will bitcoin hit 150k?", "above", "touch", 150_000, null],
    ["What is the probability that bitcoin ends 2026 above 150k?", "above", "at", 150_000, null],
    ["odds of TSLA falling under $200.50 by June 30", "below", "touch", 200.5, null],
    ["will AAPL drop to 180?", "below", "touch", 180, null],
    ["odds that AAPL closes over $1,250 in March", "above", "at", 1_250, null],
    ["odds of bitcoin between 90 and 100k", "between", null, 90_000, 100_000],
    ["odds of ether at 5000 or more", "above", null, 5_000, null],
    ["odds of AAPL at $300", null, null, 300, null],
    ["odds of $300 AAPL", null, null, 300, null],
    ["odds that BTC reaches 0.5 million", "above", "touch", 500_000, null],
  ])("%s", (query, side, kind, level, upper) => {
    expect(levelRequest(query)).toEqual({ side, kind, level, upper });
  });

  it.each([
    "odds of a Fed rate cut",
    "odds on AAPL by 2027",
    "odds of inflation above 3%",
    "odds that the Fed cuts more than 50 bps",
    "odds of a recession over 2026",
    "chance of AAPL over 30 days",
    "odds of AAPL above 0",
    "odds of AAPL between 300 and 250",
    "",
  ])("is null: %s", (query) => {
    expect(levelRequest(query)).toBeNull();
  });
});

describe("asksWhether", () => {
  it.each([
    ["will bitcoin hit 150k?", true],
    ["will the fed cut rates?", true],
    ["Will AAPL be above $300 by March?", true],
    ["is Apple going to reach 300?", true],
    ["will AAPL go up?", false],
    ["is AAPL a buy?", false],
    ["buy AAPL above 300", false],
    ["news on the Fed cut", false],
  ])("%s %s", (query, is) => {
    expect(asksWhether(query)).toBe(is);
  });
});

describe("odds of an event", () => {
  it.each([
    ["chance of a bitcoin crash", "bitcoin"],
    ["odds bitcoin doubles", "bitcoin"],
    ["what are the odds Tesla goes bankrupt", "Tesla"],
    ["odds that Apple falls 10%", "Apple"],
    ["odds Apple up 10%", "Apple"],
    ["odds on Apple 10%", "Apple"],
    ["odds Nvidia crashes by the end of March", "Nvidia"],
  ])("are requested: %s", (query, name) => {
    expect(isOfEvent(query, [name])).toBe(true);
  });

  it.each([
    ["polymarket on bitcoin", "bitcoin"],
    ["odds on AAPL by the end of March", "AAPL"],
    ["What are Apple's odds on 2026-12-31?", "Apple"],
    ["prediction markets about bitcoin this year", "bitcoin"],
    ["what does kalshi say about Tesla next month", "Tesla"],
    ["Apple signal, news and odds", "Apple"],
  ])("are not requested: %s", (query, name) => {
    expect(isOfEvent(query, [name])).toBe(false);
  });

  it.each([
    ["price of MSFT and then the odds of bitcoin over 150k", ["bitcoin"]],
    ["price of MSFT? odds on bitcoin?", ["bitcoin"]],
    ["odds on bitcoin and MSFT", ["MSFT", "bitcoin"]],
    ["MSFT, bitcoin: odds", ["MSFT", "bitcoin"]],
    ["bitcoin and MSFT, what will they do? Give odds.", ["MSFT", "bitcoin"]],
  ])("belong to the adjacent names: %s", (query, names) => {
    const all = [{ text: "MSFT" }, { text: "bitcoin" }];
    expect(namedWithOdds(query, all).map(({ text }) => text)).toEqual(names);
  });
});
