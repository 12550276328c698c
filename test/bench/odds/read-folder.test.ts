import { describe, expect, it } from "vitest";
import { mapColumns } from "../../../src/domain/market/bars.ts";
import { syntheticBars } from "../../support/synthetic-bars.ts";
import { fileText } from "./made-files.ts";
import { classOf, dailyFile } from "./read-folder.ts";

const OPTIONS = { assetClass: null, isAdjusted: false } as const;
const stock = syntheticBars(1, 600);
const text = fileText(stock);
const DAY = 86_400_000;

/** Returns the text with as many wrong rows that a file is skipped. */
const withWrongRows = (row: string): string =>
  text
    .split("\n")
    .map((each, i) => (i >= 4 && i < 11 ? row : each))
    .join("\n");

/** Returns the text with one line, counted from 1, replaced. */
const withLine = (line: number, content: string): string =>
  text
    .split("\n")
    .map((each, i) => (i === line - 1 ? content : each))
    .join("\n");

describe("a daily file", () => {
  it("gives its bars, the symbol of its name and the class of its dates", () => {
    const read = dailyFile("ABC.csv", text, OPTIONS);
    expect(read).toMatchObject({ symbol: "ABC", assetClass: "equity" });
    if (typeof read === "string") throw new Error(read);
    expect(read.bars).toEqual({ ...stock, adjustment: "unknown" });
  });

  it("may have another name, a byte order mark, quotes, Windows line ends, times and more columns", () => {
    const other = `\uFEFF${text
      .trim()
      .split("\n")
      .join(",9\r\n")
      .replace(/^(\d{4}-\d\d-\d\d)/gm, '"$1 00:00:00"')},9\r\n`;
    const read = dailyFile("abc.txt", other.replace("date,", '"Date",'), OPTIONS);
    expect(read).toEqual({ ...(dailyFile("abc.txt", text, OPTIONS) as object), symbol: "abc.txt" });
  });

  it.each([
    ["2020-01-06;1;2;1;1;5", "line 5: no date: 2020-01-06;1;2;1;1;5"],
    ["06.01.2020,1,2,1,1,5", "line 5: no date: 06.01.2020"],
    ["2020-02-31,1,2,1,1,5", "line 5: no date: 2020-02-31"],
    ["2020-01-03,1,2,1,1,5", "line 5: 2020-01-03 is not after the date before it"],
    ["2020-01-06,1,2,,1,5", "line 5: 2020-01-06 lacks a price above 0"],
    ["2020-01-06,1,2,-1,1,5", "line 5: 2020-01-06 lacks a price above 0"],
    ["2020-01-06,1,NaN,1,1,5", "line 5: 2020-01-06 lacks a price above 0"],
    ["2020-01-06,1,2,1,1,x", "line 5: 2020-01-06 has a wrong volume"],
    ["2020-01-06,3,2,1,1,5", "line 5: the prices of 2020-01-06 are not between its low and its high"],
    ["2020-01-06,1.5,1,2,1.5,5", "line 5: the prices of 2020-01-06 are not between its low and its high"],
    ["", "line 5: no date: "],
  ])("is skipped for the row %j", (row, reason) => {
    expect(dailyFile("ABC.csv", withWrongRows(row), OPTIONS)).toContain(reason);
    const read = dailyFile("ABC.csv", withLine(5, row), OPTIONS);
    if (typeof read === "string") throw new Error(read);
    expect(read.bars.time).toHaveLength(599);
    expect(read.notes[0]).toContain(`wrong rows left out: 1, the first in ${reason}`);
  });

  it("accepts a close above the high by a rounding error", () => {
    const withClose = (close: number) =>
      dailyFile("ABC.csv", withLine(2, `2020-01-01,100,100,99,${close},5`), { ...OPTIONS, isAdjusted: true });
    expect(withClose(100.05)).toBeTypeOf("object");
    expect(withClose(100.2)).toMatchObject({
      notes: [
        "wrong rows left out: 1, the first in line 2: the prices of 2020-01-01 are not between its low and its high",
      ],
    });
  });

  it("is skipped without the columns, or with fewer than 506 bars", () => {
    expect(dailyFile("a", "# Notes\n", OPTIONS)).toBe(
      "no table with the columns date,open,high,low,close,volume",
    );
    expect(dailyFile("a", "", OPTIONS)).toContain("no table");
    const lines = text.split("\n");
    expect(dailyFile("a", lines.slice(0, 506).join("\n"), OPTIONS)).toBe("505 bars, at least 506 are needed");
    expect(dailyFile("a", lines.slice(0, 507).join("\n"), OPTIONS)).toBeTypeOf("object");
  });

  it("may have its columns in another order and its newest row first", () => {
    const [head, ...rows] = text.trim().split("\n");
    const reorder = (line: string) => {
      const [date, open, high, low, close, volume] = line.split(",");
      return [volume, "x", close, low, high, open, date].join(",");
    };
    const other = [reorder(head!), ...rows.map(reorder).reverse()].join("\n");
    expect(dailyFile("ABC.csv", other, OPTIONS)).toEqual(dailyFile("ABC.csv", text, OPTIONS));
  });

  it("is scored from a possible split on, if enough bars follow it", () => {
    const long = syntheticBars(1, 900);
    const split = fileText(
      mapColumns(long, (column, name) =>
        name === "time" ? column : column.map((v, i) => (i < 300 ? v : name === "volume" ? 4 * v : v / 4)),
      ),
    );
    const read = dailyFile("a", split, OPTIONS);
    if (typeof read === "string") throw new Error(read);
    expect(read.bars.time).toEqual(long.time.subarray(300));
    expect(read.notes).toEqual([
      expect.stringMatching(/^The price fell .*; only bars from there on are scored$/),
    ]);
  });

  it("is skipped for a possible split, unless its prices are adjusted or it is a coin", () => {
    const split = fileText(
      mapColumns(stock, (column, name) =>
        name === "time" ? column : column.map((v, i) => (i < 300 ? v : name === "volume" ? 4 * v : v / 4)),
      ),
    );
    expect(dailyFile("a", split, OPTIONS)).toMatch(
      /^The price fell from .*: possibly an unadjusted split\. If it is one, add SYMBOL,2021-02-24,4:1 to splits\.csv/,
    );
    expect(dailyFile("a", split, { ...OPTIONS, isAdjusted: true })).toBeTypeOf("object");
    expect(dailyFile("a", split, { ...OPTIONS, assetClass: "crypto" })).toMatchObject({
      assetClass: "crypto",
      bars: { zone: "UTC" },
    });
  });
});

describe("the class of dates", () => {
  it("is a coin with more than a fifth of them at weekends", () => {
    // 1970-01-01 was a Thursday: the third and fourth day are a weekend
    const days = (...places: readonly number[]) => places.map((place) => place * DAY);
    expect(classOf(days(0, 1, 2, 3, 4, 5, 6))).toBe("crypto");
    expect(classOf(days(0, 1, 4, 5, 6))).toBe("equity");
    expect(classOf(days(0, 1, 2, 4, 5))).toBe("equity");
    expect(classOf(days(0, 1, 2, 4))).toBe("crypto");
  });
});
