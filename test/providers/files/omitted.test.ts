import { describe, expect, it } from "vitest";
import type { OmittedRow } from "../../../src/domain/market/omitted-rows.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder } from "../../support/csv-folder.ts";

const HEADER = "date,open,high,low,close,volume";
const row = (day: string, close: number | string = 10) => `${day},10,${close},10,${close},100`;
const day = (text: string) => Date.parse(text);

async function historyOf(name: string, rows: readonly string[], asOf?: string) {
  const dir = csvFolder({ [name]: [HEADER, ...rows, ""].join("\n") });
  const market = await openFiles({ dir, clock: stoppedClock() });
  const { bars, omitted, as_of } = await market.bars.history(market.members[0]!, {
    timeframe: "1d",
    limit: 99,
    ...(asOf !== undefined && { asOf: day(asOf) }),
  });
  return { days: bars.time.length, omitted, as_of, notes: market.report().notes.map(({ note }) => note) };
}

describe("rows left out of a file", () => {
  const rows = [
    row("2024-01-04"),
    row("2024-01-05"),
    row("2024-01-06"), // a Saturday
    row("2024-01-08"),
    row("2024-01-08", 11),
    row("2024-01-09", "NaN"),
    row("2024-01-10", 110),
    row("2024-01-11"),
    row("2024-01-12"),
  ];
  const omitted: OmittedRow[] = [
    { time: day("2024-01-09"), reason: "invalid" },
    { time: day("2024-01-06"), reason: "no_session" },
    { time: day("2024-01-08"), reason: "repeated" },
    { time: day("2024-01-10"), reason: "spike" },
  ];

  it("are returned with the bars that they are missing from", async () => {
    const found = await historyOf("AAPL.csv", rows);
    expect(found).toMatchObject({ days: 5, omitted, as_of: "2024-01-12T21:00:00.000Z" });
    expect(found.notes).toEqual([
      "1 row dropped, line 7: no price",
      "1 row dropped, line 4: on a day without trading",
      "1 row dropped, line 5: corrected by a later row of the same time with other figures",
    ]);
  });

  it("are not mentioned before their time", async () => {
    const early = await historyOf("AAPL.csv", rows, "2024-01-06");
    expect(early).toMatchObject({ days: 2, omitted: [], as_of: "2024-01-05T21:00:00.000Z" });
    const undated = [row("2024-01-04"), row("?"), row("2024-01-05"), row("2024-01-08")];
    expect((await historyOf("AAPL.csv", undated, "2024-01-05")).omitted).toEqual([]);
    expect((await historyOf("AAPL.csv", undated, "2024-01-06")).omitted).toEqual([
      { time: day("2024-01-05"), reason: "invalid" },
    ]);
  });

  it("have their own date, before the first bar and after the last one too", async () => {
    const around = [row("2024-01-03", "NaN"), ...rows.slice(0, 2), row("2024-01-08", 0)];
    const ownDates = [
      { time: day("2024-01-03"), reason: "invalid" },
      { time: day("2024-01-08"), reason: "invalid" },
    ];
    expect(await historyOf("AAPL.csv", around)).toMatchObject({ days: 2, omitted: ownDates });
    expect((await historyOf("AAPL.csv", around.toReversed())).omitted).toEqual(ownDates.toReversed());
  });

  it("are named if the last row is on a weekend", async () => {
    const found = await historyOf("AAPL.csv", rows.slice(0, 3), "2024-01-07");
    expect(found).toMatchObject({
      days: 2,
      omitted: [{ time: day("2024-01-06"), reason: "no_session" }],
      as_of: "2024-01-05T21:00:00.000Z",
    });
  });

  it("are found in a file with the newest row first", async () => {
    const found = await historyOf("AAPL.csv", rows.toReversed());
    const byTime = (all: typeof found.omitted) => all?.toSorted((a, b) => a.time - b.time);
    expect(byTime(found.omitted)).toEqual(byTime(omitted));
  });

  it("are not weekends of a market that never closes", async () => {
    const found = await historyOf("BTCUSD.csv", rows.slice(0, 4));
    expect(found).toMatchObject({ days: 4, omitted: [] });
  });
});
