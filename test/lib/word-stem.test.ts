import { expect, it } from "vitest";
import { wordStem } from "../../src/lib/word-stem.ts";

it.each([
  ["trading", "trade"],
  ["trades", "trade"],
  ["companies", "compani"],
  ["signal", "signal"],
])("the stem of %s is %s", (word, stem) => {
  expect(wordStem(word)).toBe(stem);
});
