import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/lib/display-width.ts";

describe("the width of a text in a terminal", () => {
  it.each([
    ["", 0],
    ["plain words", 11],
    ["\u001b[1mNVDA\u001b[22m is \u001b[31mSHORT\u001b[39m", 13],
    ["“né”", 4],
    ["ne\u0301", 2], // a letter and its accent
    ["株価", 4],
    ["Ａ", 2],
    ["삼성", 4],
    ["🚀", 2],
    ["👩‍🚀👍🏽", 4], // each made of several characters
    ["🇺🇸", 2],
    ["a\u200bb", 2], // a space of no width
  ])("of %j is %i", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});
