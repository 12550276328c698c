import { expect, it } from "vitest";
import { numberOf, numberWords } from "../../src/lib/number-words.ts";

it("parses digits, the words of numbers and `a`, and nothing else", () => {
  const numbers = ["12", "Ten", "zero", "a", "An", "eleven", "nineteen", "ninety", "some"].map(numberOf);
  expect(numbers).toEqual([12, 10, 0, 1, 1, 11, 19, 90, Number.NaN]);
  expect(["Twenty-five", "sixty two", "a couple of", "few", "twenty-ten"].map(numberOf)).toEqual([
    25,
    62,
    2,
    3,
    Number.NaN,
  ]);
});

it("matches the words of numbers from a number on, of two words as a whole", () => {
  const words = new RegExp(`\\b(?:${numberWords(8)})\\b`, "g");
  expect("seven eight, eighteen twenty-five or ninety".match(words)).toEqual([
    "eight",
    "eighteen",
    "twenty-five",
    "ninety",
  ]);
});
