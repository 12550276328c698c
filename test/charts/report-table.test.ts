import { describe, expect, it } from "vitest";
import {
  emptyNote,
  figureCell,
  figureText,
  missingReasons,
  table,
  textCell,
} from "../../src/charts/report-table.ts";

describe("a table of a report", () => {
  it.each([
    [12.345, "percent", "12.35%"],
    [-0.001, "percent", "0.00%"],
    [1_234.5, "money", "1,234.50"],
    [0.6007, "ratio", "0.60"],
    [93, "count", "93"],
    [0.12345, "count", "0.1235"],
    [1_942, "days", "1,942"],
    [14.26, "days", "14.3"],
    [0.00001234, "price", "0.00001234"],
  ] as const)("writes %d %s as %s", (value, unit, text) => expect(figureText(value, unit)).toBe(text));

  it("colours gains and losses by sign", () => {
    expect(figureCell(1, "percent", true)).toBe('<td class="up">+1.00%</td>');
    expect(figureCell(-1, "percent", true)).toBe('<td class="down">-1.00%</td>');
    expect(figureCell(0, "percent", true)).toBe("<td>0.00%</td>");
    expect(figureCell(1, "percent")).toBe("<td>1.00%</td>");
  });

  it("never shows a missing value as a number", () => {
    for (const none of [null, Number.NaN, Number.POSITIVE_INFINITY])
      expect(figureCell(none, "money", true)).toBe('<td class="quiet">n/a</td>');
  });

  it("escapes text and gives the reason for a missing value", () => {
    expect(textCell('<i>"&')).toBe("<td>&lt;i&gt;&quot;&amp;</td>");
    expect(emptyNote("<none>")).toBe('<p class="quiet">n/a: &lt;none&gt;</p>');
    expect(emptyNote(null)).toContain("n/a: nothing to show");
    expect(missingReasons([{ name: "a", reason: null }])).toBe("");
    expect(
      missingReasons([
        { name: "2024", reason: "no day" },
        { name: "2025", reason: null },
        { name: "<", reason: ">" },
      ]),
    ).toBe('<p class="quiet small">n/a: 2024: no day; &lt;: &gt;.</p>');
  });

  it("has a header row and body rows", () => {
    expect(table({ head: ["A"], caption: "All", kind: "heat" }, ["<td>1</td>"])).toBe(
      '<div class="wide"><table class="heat"><caption>All</caption><thead><tr><th scope="col">A</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table></div>',
    );
  });
});
