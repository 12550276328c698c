import { describe, expect, it } from "vitest";
import { isoDate } from "../../../src/lib/iso-date.ts";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

async function read(files: Record<string, string>, symbol = "AAPL") {
  const clock = stoppedClock(new Date("2024-07-10T12:00Z"));
  const market = await openFiles({ dir: csvFolder(files), clock });
  const before = market.report().skipped;
  const { bars, chosen } = await market.bars.history(canonicalOf(symbol)!, { timeframe: "1d", limit: 99 });
  const rows = Array.from(bars.time, (at, i) => `${isoDate(at)} ${bars.close[i]}`);
  return { rows, chosen, before, report: market.report() };
}

const OLD = flatCsv("2024-06-25 98", "2024-06-26 99", "2024-06-27 100", "2024-06-28 101");
const NEW = ["2024-06-28 101.5", "2024-07-01 102"];
const USED = "The 1d bars are those of new/AAPL.csv, to 2024-07-01: the newest of 2 files.";

describe("a newer file that begins later than an older one", () => {
  it("is extended backwards if the common closes agree, and the answer and the notes say by what", async () => {
    const { rows, chosen, before, report } = await read({ "AAPL.csv": OLD, "new/AAPL.csv": flatCsv(...NEW) });
    expect(rows).toEqual(["2024-06-25 98", "2024-06-26 99", "2024-06-27 100", ...NEW]);
    expect(chosen).toBe(
      `${USED} Those from 2024-06-25 to 2024-06-27 are of AAPL.csv, whose newest common closes agree.`,
    );
    expect(before.map(({ file }) => file)).toEqual(["AAPL.csv"]);
    expect(report.skipped).toEqual([]);
    expect(report.notes).toEqual([
      {
        file: "AAPL.csv",
        note: "its 1d bars from 2024-06-25 to 2024-06-27 are used with those of new/AAPL.csv",
      },
    ]);
  });

  it("stays alone if they differ by more than 1 %, with the reason", async () => {
    const halved = ["2024-06-28 50.5", "2024-07-01 51"];
    const { rows, chosen, report } = await read({ "AAPL.csv": OLD, "new/AAPL.csv": flatCsv(...halved) });
    expect(rows).toEqual(halved);
    expect(chosen).toBe(
      `${USED} Earlier bars of AAPL.csv are not used: its closes differ, as with another adjustment.`,
    );
    expect(report.skipped.map(({ file }) => file)).toEqual(["AAPL.csv"]);
  });

  it("stays alone if they agree at the end but differ where the newer file begins", async () => {
    const days = Array.from({ length: 30 }, (_, i) => isoDate(Date.UTC(2024, 4, 1 + i)));
    const coin = (price: (i: number) => number, from = 0) =>
      flatCsv(...days.slice(from).map((day, i) => `${day} ${price(i + from)}`));
    const files = {
      "BTCUSDT.csv": coin((i) => (i < 8 ? 200 : 100)),
      "new/BTCUSDT.csv": `${coin(() => 100, 5)}2024-05-31,100,100,100,100,1\n`,
    };
    const { rows, chosen } = await read(files, "BTC-USD");
    expect(rows[0]).toBe("2024-05-06 100");
    expect(chosen).toMatch(/its closes differ, as with another adjustment\.$/);
  });

  it("takes the bars of a stock only after the last change of its price like a split", async () => {
    const split = flatCsv("2024-06-25 400", "2024-06-26 99", "2024-06-27 100", "2024-06-28 101");
    const { rows, chosen } = await read({ "AAPL.csv": split, "new/AAPL.csv": flatCsv(...NEW) });
    expect(rows).toEqual(["2024-06-26 99", "2024-06-27 100", ...NEW]);
    expect(chosen).toBe(
      `${USED} The bars of AAPL.csv to 2024-06-25 are not used: the price after them differs by more than 40 %, as at a split. Those from 2024-06-26 to 2024-06-27 are of AAPL.csv, whose newest common closes agree.`,
    );
  });

  it("takes the bars between two files from a third that spans the gap", async () => {
    const { rows } = await read({
      "AAPL_2022.csv": flatCsv("2024-06-20 95", "2024-06-21 98.5"),
      "AAPL_2023.csv": flatCsv(
        "2024-06-18 93",
        "2024-06-20 95",
        "2024-06-21 99",
        "2024-06-24 97",
        "2024-06-25 98",
        "2024-06-28 101",
      ),
      "AAPL_2024.csv": flatCsv(...NEW),
    });
    expect(rows).toEqual([
      "2024-06-18 93",
      "2024-06-20 95",
      "2024-06-21 98.5",
      "2024-06-24 97",
      "2024-06-25 98",
      ...NEW,
    ]);
  });
});
