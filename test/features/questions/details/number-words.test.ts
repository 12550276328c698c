import { expect, it } from "vitest";
import { numberOf, numberWords } from "../../../../src/features/questions/details/number-words.ts";

it("reads digits, words up to ten and `a`, and nothing else", () => {
  expect(["12", "Ten", "zero", "a", "An", "eleven", "some"].map(numberOf)).toEqual([
    12,
    10,
    0,
    1,
    1,
    NaN,
    NaN,
  ]);
});

it("gives the words from such a number on", () => {
  expect(numberWords(8)).toBe("eight|nine|ten");
});
