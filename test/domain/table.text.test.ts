import { describe, expect, it } from "vitest";
import { type Column, formatTable } from "../../src/domain/table.text.ts";
import type { Paint } from "../../src/domain/terminal.ts";

interface Row {
  readonly day: string;
  readonly close: string;
  readonly volume: string;
  readonly source: string;
}
const ROWS: readonly Row[] = [
  { day: "2026-01-14", close: "9", volume: "1,200", source: "sample" },
  { day: "2026-01-13", close: "10.5", volume: "-", source: "株価" },
];
const COLUMNS: readonly Column<Row>[] = [
  { head: "day", cell: ({ day }) => day },
  { head: "close", cell: ({ close }) => close },
  { head: "volume", cell: ({ volume }) => volume, rank: 2, note: "volume: shares of the day" },
  { head: "source", cell: ({ source }) => source, rank: 1 },
];
const paintOf = (columns?: number): Paint =>
  Object.assign((_: string, text: string) => text, { columns, allColumns: "--json" });

describe("formatTable", () => {
  it("aligns numbers to the right, all else to the left, without a limit of width", () => {
    expect(formatTable(ROWS, COLUMNS, paintOf())).toEqual([
      "day         close  volume  source",
      "2026-01-14      9   1,200  sample",
      "2026-01-13   10.5       -  株価",
      "volume: shares of the day",
    ]);
  });

  it("leaves out the columns of the highest rank with their notes, and names them", () => {
    expect(formatTable(ROWS, COLUMNS, paintOf(26))).toEqual([
      "day         close  source",
      "2026-01-14      9  sample",
      "2026-01-13   10.5  株価",
      "Not shown at this width: volume; --json has all",
    ]);
    expect(formatTable(ROWS, COLUMNS, paintOf(5), "  ").slice(0, 2)).toEqual([
      "  day         close",
      "  2026-01-14      9",
    ]);
  });

  it("counts wide characters as two columns", () => {
    const rows = [{ name: "株価", other: "x" }];
    const columns: readonly Column<(typeof rows)[number]>[] = [
      { head: "n", cell: ({ name }) => name },
      { head: "o", cell: ({ other }) => other, rank: 1 },
    ];
    expect(formatTable(rows, columns, paintOf(7))).toEqual(["n     o", "株価  x"]);
    expect(formatTable(rows, columns, paintOf(6))[1]).toBe("株価");
  });
});
