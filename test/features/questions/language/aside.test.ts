import { describe, expect, it } from "vitest";
import { withoutAside } from "../../../../src/features/questions/language/aside.ts";

describe("what a text does not want told", () => {
  it.each([
    ["Apple but not the news", "Apple  "],
    ["everything about Apple except news", "everything about Apple  "],
    ["AAPL without the earnings and flow", "AAPL   and flow"],
    ["Apple news", "Apple news"],
    ["why no newsletter", "why no newsletter"],
  ])("is left out of it: %s", (text, left) => {
    expect(withoutAside(text)).toBe(left);
  });
});
