import { describe, expect, it } from "vitest";
import { barFile, figures, readFiles, sessionDates } from "../../support/bar-files.ts";

const dates = sessionDates("2025-01-02", 60);
const HEADER = "date,open,high,low,close,volume";
const rows = barFile(dates).split("\n").slice(1, -1);
const read = async (lines: readonly string[]) => {
  const { series, reason, notes } = await readFiles({ "AAPL.csv": [HEADER, ...lines, ""].join("\n") });
  return { close: series[0] && [...series[0].bars.close], days: series[0]?.bars.time.length, reason, notes };
};
const closes = dates.map((_, at) => figures(at)[3]);

describe("rows in no order", () => {
  it("are sorted and noted", async () => {
    // 7 has no divisor in common with 60, so each row is taken once
    const mixed = rows.map((_, at) => rows[(at * 7) % 60]!);
    expect(await read(mixed)).toEqual({
      close: closes,
      days: 60,
      reason: null,
      notes: ["its rows are in no order of time; sorted"],
    });
  });

  it("are left as they are if few are out of order", async () => {
    const [first, ...others] = rows;
    const { days, notes } = await read([...others, first!]);
    expect(days).toBe(59);
    expect(notes).toEqual(["1 row dropped, line 61: duplicate or out-of-order time"]);
  });

  it("of several symbols are refused, not mixed", async () => {
    const other = dates.map((date, at) => [date, ...figures(at).map((value) => value * 3)].join(","));
    expect((await read([...rows, ...other])).reason).toBe(
      "60 of its 60 times have two rows with different figures, as in a file of several symbols or adjustments; keep one row of each time",
    );
  });
});
