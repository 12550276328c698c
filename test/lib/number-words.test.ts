import { expect, it } from "vitest";
import { numberOf, numberWords } from "../../src/lib/number-words.ts";

it("parses digits, the words of numbers and `a`, and nothing else", () => {
  const numbers = ["12", "Ten", "zero", "a", "An", "eleven", "some"].map(numberOf);
  expect(numbers).toEqual([12, 10, 0, 1, 1, 11, Number.NaN]);
  expect(numberWords(8)).toBe("eight|nine|ten");
});
