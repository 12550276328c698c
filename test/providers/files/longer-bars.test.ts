import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder } from "../../support/csv-folder.ts";

const HEADER = "date,open,high,low,close,volume";
/** Hours of one day, each a dollar higher than the one before, with a range of two dollars. */
const hourly = (starts: readonly string[]): string =>
  [
    HEADER,
    ...starts.map((start, i) => [start, 10 + i, 11 + i, 9 + i, 10.5 + i, 100 * (i + 1)].join(",")),
    "",
  ].join("\n");

async function fourHours(name: string, starts: readonly string[], asOf?: string) {
  const dir = csvFolder({ [`${name}_1h.csv`]: hourly(starts) });
  const { bars } = await openFiles({ dir, clock: stoppedClock(new Date("2024-01-10T00:00:00Z")) });
  const request = { timeframe: "4h", limit: 10, ...(asOf && { asOf: Date.parse(asOf) }) } as const;
  const { bars: built, as_of } = await bars.history(canonicalOf(name)!, request);
  const { time, open, high, low, close, volume } = built;
  const rows = Array.from(time, (at, i) => [
    new Date(at).toISOString().slice(0, 16),
    ...[open, high, low, close, volume].map((column) => column[i]!),
  ]);
  return { rows, as_of };
}
const SESSION = ["14:30", "15:30", "16:30", "17:30", "18:30", "19:30", "20:30"].map(
  (at) => `2024-01-02T${at}Z`,
);

describe("four-hour bars where files have only 1-hour bars", () => {
  it("are the hours of a session of a stock, from its open on", async () => {
    // by hand: hours 1-4 and 5-7
    expect(await fourHours("AAPL", SESSION)).toEqual({
      rows: [
        ["2024-01-02T14:30", 10, 14, 9, 13.5, 1000],
        ["2024-01-02T18:30", 14, 17, 13, 16.5, 1800],
      ],
      as_of: "2024-01-02T21:00:00.000Z",
    });
  });

  it("end with a bar whose hours are all there, and with one that had closed", async () => {
    const first = [["2024-01-02T14:30", 10, 14, 9, 13.5, 1000]];
    expect((await fourHours("AAPL", SESSION.slice(0, 6))).rows).toEqual(first);
    expect((await fourHours("AAPL", SESSION, "2024-01-02T20:59:00Z")).rows).toEqual(first);
  });

  it("are those of the clock for a token", async () => {
    const hours = Array.from({ length: 9 }, (_, i) => `2024-01-02T0${i}:00Z`);
    expect((await fourHours("BTC-USD", hours)).rows).toEqual([
      ["2024-01-02T00:00", 10, 14, 9, 13.5, 1000],
      ["2024-01-02T04:00", 14, 18, 13, 17.5, 2600],
    ]);
  });

  it("are refused for hours on the clock, one of which belongs to two bars of the session", async () => {
    const hours = ["15:00", "16:00", "17:00", "18:00", "19:00", "20:00"].map((at) => `2024-01-02T${at}Z`);
    await expect(fourHours("AAPL", hours)).rejects.toMatchObject({ code: "NOT_ENOUGH_DATA" });
  });
});
