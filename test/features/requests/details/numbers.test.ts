import { describe, expect, it } from "vitest";
import { countIn } from "../../../../src/features/requests/details/numbers.ts";

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
