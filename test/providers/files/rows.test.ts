import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLayout } from "../../../src/providers/files/layout.ts";
import { readRows } from "../../../src/providers/files/rows.ts";

const HEADER = "date,open,high,low,close,volume";
const read = (...lines: string[]) => {
  const layout = findLayout(lines.slice(0, 3));
  if (typeof layout === "string") throw new Error(layout);
  const rows = readRows(lines.join("\n"), layout);
  return {
    rows: Array.from({ length: rows.length }, (_, at) => [
      new Date(rows.wall[at]!).toISOString().slice(0, 10),
      ...[rows.open, rows.high, rows.low, rows.close, rows.volume].map((column) => column[at]),
    ]),
    bad: rows.badLines,
    line: [...rows.line.subarray(0, rows.length)],
    faults: rows.badFaults,
  };
};
const JAN_2 = ["2024-01-02", 187.15, 188.44, 183.89, 185.64, 82_488_700];

describe("readRows", () => {
  it.each([
    ["plain", HEADER, "2024-01-02,187.15,188.44,183.89,185.64,82488700"],
    [
      "in another order, with more columns",
      "volume,close,x,low,high,open,date",
      "82488700,185.64,?,183.89,188.44,187.15,2024-01-02",
    ],
    [
      "as Nasdaq writes",
      "Date,Close/Last,Volume,Open,High,Low",
      '01/02/2024,$185.64,"82,488,700",$187.15,$188.44,$183.89',
    ],
    ["with semicolons", HEADER.replaceAll(",", ";"), "2024-01-02;187.15;188.44;183.89;185.64;82488700"],
    ["with tabs", HEADER.replaceAll(",", "\t"), "20240102\t187.15\t188.44\t183.89\t185.64\t82488700"],
    [
      "with spaces and carriage returns",
      `${HEADER}\r`,
      "2024-01-02, 187.15, 188.44, 183.89, 185.64, 82488700\r",
    ],
    ["all quoted", HEADER, '"2024-01-02","187.15","188.44","183.89","185.64","82488700"'],
  ])("reads a row %s", (_, header, row) => {
    expect(read(header, row)).toEqual({ rows: [JAN_2], bad: [], line: [2], faults: [] });
  });

  it("joins date and time of day", () => {
    const layout = findLayout(["date,time,open,high,low,close,volume"]);
    if (typeof layout === "string") throw new Error(layout);
    const rows = readRows("date,time,open,high,low,close,volume\n2024-01-02,09:30,1,1,1,1,1\n", layout);
    expect(new Date(rows.wall[0]!).toISOString()).toBe("2024-01-02T09:30:00.000Z");
  });

  it.each([
    ["an empty price", "2024-01-02,,188.44,183.89,185.64,1", "empty"],
    ["an empty volume", "2024-01-02,187.15,188.44,183.89,185.64,", "volume"],
    ["a missing cell", "2024-01-02,187.15,188.44,183.89,185.64", "volume"],
    ["words for numbers", "2024-01-02,null,null,null,null,null", "empty"],
    ["a low above the open", "2024-01-02,183,188.44,183.89,185.64,1", "range"],
    ["a low above the close", "2024-01-02,187.15,188.44,183.89,183,1", "range"],
    ["a high below the open", "2024-01-02,189,188.44,183.89,185.64,1", "range"],
    ["a high below the close", "2024-01-02,187.15,188.44,183.89,189,1", "range"],
    ["a negative volume", "2024-01-02,187.15,188.44,183.89,185.64,-1", "volume"],
    ["a price of nothing", "2024-01-02,187.15,188.44,0,185.64,1", "price"],
    ["an endless number", "2024-01-02,187.15,1e999,183.89,185.64,1", "price"],
    ["a price of over a thousand billions", "2024-01-02,1e15,1.1e15,1e15,1e15,1", "price"],
    ["a volume of over a billion billions", "2024-01-02,187.15,188.44,183.89,185.64,1.1e18", "volume"],
    ["no such date", "2024-02-30,187.15,188.44,183.89,185.64,1", "time"],
    ["no date", "Total,187.15,188.44,183.89,185.64,1", "time"],
    ["decimal commas", "2024-01-02,187,15,188,44,183,89,185,64,1", "range"],
  ])("drops a row with %s and keeps its line number", (_, row, fault) => {
    expect(read(HEADER, row, "", "2024-01-02,187.15,188.44,183.89,185.64,82488700")).toEqual({
      rows: [JAN_2],
      bad: [2],
      line: [4],
      faults: [fault],
    });
  });

  it("accepts a volume of 0", () => {
    expect(read(HEADER, "2024-01-02,1,1,1,1,0").rows).toEqual([["2024-01-02", 1, 1, 1, 1, 0]]);
  });

  it("widens high and low to an open or close outside them by rounding", () => {
    expect(read(HEADER, "2024-01-02,100,100.999,99,101,1", "2024-01-03,98.9999,101,99,100,1")).toMatchObject({
      rows: [
        ["2024-01-02", 100, 101, 99, 101, 1],
        ["2024-01-03", 98.9999, 101, 98.9999, 100, 1],
      ],
      bad: [],
    });
    expect(read(HEADER, "2024-01-02,100,100.98,99,101,1").faults).toEqual(["range"]);
  });

  it("requires no line end after the last row, and accepts no rows", () => {
    expect(read(HEADER).rows).toEqual([]);
    expect(read(HEADER, "2024-01-02,1,1,1,1,1", "").rows).toHaveLength(1);
  });

  it("returns only valid rows, for any text", () => {
    const cell = fc.oneof(
      fc.constantFrom(
        "2024-01-02",
        "2024-01-03T10:00Z",
        "1",
        "2.5",
        "0",
        "-3",
        "1e9",
        "",
        '"',
        '"1,000"',
        "\r",
        "NaN",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const lines = fc.array(fc.array(cell, { minLength: 1, maxLength: 8 }).map((cells) => cells.join(",")));
    fc.assert(
      fc.property(lines, (given) => {
        const text = [HEADER, ...given].join("\n");
        const { rows, bad, line } = read(HEADER, ...given);
        for (const [, open, high, low, close, volume] of rows as [string, ...number[]][]) {
          expect(Math.min(open!, close!)).toBeGreaterThanOrEqual(low!);
          expect(Math.max(open!, close!)).toBeLessThanOrEqual(high!);
          expect(low).toBeGreaterThan(0);
          expect(volume).toBeGreaterThanOrEqual(0);
        }
        const filled = text.split("\n").flatMap((one, at) => (at > 0 && one.trim() !== "" ? [at + 1] : []));
        expect([...bad, ...line].sort((a, b) => a - b)).toEqual(filled);
      }),
    );
  });

  it("parses endless cells quickly", () => {
    const spaces = " ".repeat(100_000);
    expect(read(HEADER, `1/2/2024 09:30${spaces}x,${"1".repeat(100_000)}x,1,1,1,1`).bad).toEqual([2]);
  });
});
