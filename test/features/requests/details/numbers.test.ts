import { describe, expect, it } from "vitest";
import { countIn, numberOf, numberWords } from "../../../../src/features/requests/details/numbers.ts";

it("parses digits, words up to ten and `a`, and nothing else", () => {
  const numbers = ["12", "Ten", "zero", "a", "An", "eleven", "some"].map(numberOf);
  expect(numbers).toEqual([12, 10, 0, 1, 1, Number.NaN, Number.NaN]);
  expect(numberWords(8)).toBe("eight|nine|ten");
});

describe("the requested number of lines of a list", () => {
  it.each([
    ["top 3 stocks", 3],
    ["the best five coins", 5],
    ["10 oversold stocks", 10],
    ["give me 25 setups", 25],
    ["stocks under $10", null],
    ["top 10% of stocks", null],
    ["stage 2 stocks", null],
    ["best stocks near 52 week low", null],
    ["best stocks", null],
  ])("%s: %s", (query, count) => {
    expect(countIn(query)).toBe(count);
  });
});
