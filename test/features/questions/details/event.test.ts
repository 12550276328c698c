import { describe, expect, it } from "vitest";
import { isOfEvent, namedWithOdds } from "../../../../src/features/questions/details/event.ts";

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
