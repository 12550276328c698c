import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayWidth } from "../../src/lib/display-width.ts";
import { wrapLines } from "../../src/lib/wrap-lines.ts";

const wrapped = (text: string, columns = 20) => wrapLines(text, columns).split("\n");

describe("lines that are too long", () => {
  it("are continued with two more columns of indent each", () => {
    expect(wrapped("one two three four five\n  six seven eight nine ten\nshort")).toEqual([
      "one two three four",
      "  five",
      "  six seven eight",
      "    nine ten",
      "short",
    ]);
  });

  it("stay unchanged, spaces included, if they fit exactly", () => {
    const row = "a   b      c   \u001b[31m  d\u001b[39m";
    expect(displayWidth(row)).toBe(18);
    expect(wrapped(row)).toEqual([row]);
    expect(wrapped(`${row} e`)).toEqual([`${row} e`]);
  });

  it("are continued below the text of a row with a short name", () => {
    expect(wrapped("  odds   stop first in 59 of 100", 28)).toEqual([
      "  odds   stop first in 59 of",
      "         100",
    ]);
    const painted = wrapLines("  \u001b[2modds   \u001b[22mstop first in 59 of 100", 28);
    expect(stripVTControlCharacters(painted)).toBe("  odds   stop first in 59 of\n         100");
  });

  it("ignore colour codes in width and indent", () => {
    expect(wrapped("\u001b[2m  one two three four\u001b[22m \u001b[31mfive\u001b[39m")).toEqual([
      "\u001b[2m  one two three four\u001b[22m",
      "    \u001b[31mfive\u001b[39m",
    ]);
  });

  it("keep the spaces around a colour code", () => {
    const line = "\u001b[2m-   \u001b[22m sources: none of them";
    expect(wrapped(line)).toEqual(["\u001b[2m-\u001b[22m    sources: none", "  of them"]);
  });

  it("break between the cells of a row rather than inside a short cell", () => {
    expect(wrapped("BTC-USD  grade A-  rr 1")).toEqual(["BTC-USD  grade A-", "  rr 1"]);
    expect(wrapped("BTC-USD  score 8  rr 18")).toEqual(["BTC-USD  score 8", "  rr 18"]);
    expect(wrapped("t_ma  a long sentence here")).toEqual(["t_ma  a long", "  sentence here"]);
  });

  it("never break a long word: an address or an id stays in one piece", () => {
    const url = "https://example.com/株価/株価?id=0123456789";
    expect(wrapped(`see ${url} and so on`)).toEqual(["see", `  ${url}`, "  and so on"]);
    expect(wrapped(`${url} first`)).toEqual([url, "  first"]);
    expect(wrapped(`    ${url}`)).toEqual([`    ${url}`]);
  });

  it("break between characters of scripts without spaces, two columns each", () => {
    expect(wrapped("株価は上昇し、取引は増え続けた")).toEqual(["株価は上昇し、取引は", "  増え続けた"]);
  });

  it("with a deep indent are continued in at least half of the width", () => {
    expect(wrapped(`${" ".repeat(16)}one two`)).toEqual([`${" ".repeat(16)}one`, `${" ".repeat(10)}two`]);
  });

  it("are not wrapped below 20 columns", () => {
    const line = "one two three four five six";
    expect(wrapLines(line, 19)).toBe(line);
    expect(wrapLines(line, 0)).toBe(line);
  });

  it("lose no word, and fit unless a word is too long", () => {
    const word = fc.stringMatching(/^[a-z0-9%.,+-]{1,9}$/);
    const line = fc
      .tuple(fc.nat(8), fc.array(fc.tuple(word, fc.constantFrom(" ", "  ", "   ")), { minLength: 1 }))
      .map(([indent, words]) => `${" ".repeat(indent)}${words.flat().join("")}`.trimEnd());
    fc.assert(
      fc.property(fc.array(line), fc.integer({ min: 20, max: 120 }), (lines, columns) => {
        const text = lines.join("\n");
        const after = wrapLines(text, columns);
        expect(after.split(/\s+/)).toEqual(text.split(/\s+/));
        for (const one of after.split("\n")) expect(displayWidth(one)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
