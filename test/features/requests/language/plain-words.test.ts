import { expect, it } from "vitest";
import { withoutExcludedTopics } from "../../../../src/features/requests/language/plain-words.ts";

it.each([
  ["Apple but not the news", "Apple  "],
  ["everything about Apple except news", "everything about Apple  "],
  ["AAPL without the earnings and flow", "AAPL   and flow"],
  ["Apple news", "Apple news"],
  ["why no newsletter", "why no newsletter"],
])("omits the topics that a text excludes: %s", (text, left) => {
  expect(withoutExcludedTopics(text)).toBe(left);
});
