import { describe, expect, it } from "vitest";
import type { ProviderTimeframe } from "../../../src/domain/market/bars.ts";
import { isoDate } from "../../../src/lib/iso-date.ts";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

/** The hours of New York sessions from their open, the last of which closes at the given price. */
const hours = (...days: readonly string[]): string =>
  flatCsv(
    ...days.flatMap((line) => {
      const [day, close] = line.split(" ") as [string, string];
      return ["09:30", "10:30", "11:30", "12:30", "13:30", "14:30", "15:30"].map(
        (at, i) => `${day}T${at} ${Number(close) - 6 + i}`,
      );
    }),
  );

async function ask(
  files: Record<string, string>,
  { symbol = "AAPL", timeframe = "1d" as ProviderTimeframe | "1w", asOf = "" } = {},
) {
  const market = await openFiles({
    dir: csvFolder(files),
    clock: stoppedClock(new Date("2024-07-10T12:00Z")),
  });
  const request = { timeframe, limit: 99, ...(asOf !== "" && { asOf: Date.parse(asOf) }) };
  const { bars, chosen } = await market.bars.history(canonicalOf(symbol)!, request);
  const rows = Array.from(bars.time, (at, i) => `${isoDate(at)} ${bars.close[i]}`);
  return { rows, chosen, bars };
}

const DAILY = flatCsv("2024-06-27 100", "2024-06-28 101", "2024-07-01 102");
const HOURLY = hours("2024-06-28 101.5", "2024-07-01 102.5", "2024-07-02 103", "2024-07-05 104");

describe("bars of a file that end before shorter ones", () => {
  it("continue with bars built from the shorter ones if the common closes agree, and say so", async () => {
    const { rows, chosen, bars } = await ask({ "AAPL_1d.csv": DAILY, "AAPL_1h.csv": HOURLY });
    expect(rows).toEqual([
      "2024-06-27 100",
      "2024-06-28 101",
      "2024-07-01 102",
      "2024-07-02 103",
      "2024-07-05 104",
    ]);
    expect(chosen).toBe(
      "The 1d bars after 2024-07-01 are built from the 1h bars of AAPL_1h.csv; AAPL_1d.csv ends there.",
    );
    // by hand: the hours of July 2 are 97, 98 ... 103, of 100 times as many shares
    const at = 3;
    expect([bars.open[at], bars.high[at], bars.low[at], bars.volume[at]]).toEqual([97, 103, 97, 70_000]);
  });

  it("are replaced by them if the closes differ, because another adjustment may be the reason", async () => {
    const halved = flatCsv("2024-06-27 50", "2024-06-28 50.5", "2024-07-01 51");
    const { rows, chosen } = await ask({ "AAPL_1d.csv": halved, "AAPL_1h.csv": HOURLY });
    expect(rows).toEqual(["2024-06-28 101.5", "2024-07-01 102.5", "2024-07-02 103", "2024-07-05 104"]);
    expect(chosen).toBe(
      "The 1d bars are built from the 1h bars of AAPL_1h.csv, not those of AAPL_1d.csv: it ends 2024-07-01, and its closes differ, as with another adjustment.",
    );
  });

  it("are replaced by them without a common bar", async () => {
    const { rows, chosen } = await ask({
      "AAPL_1d.csv": DAILY,
      "AAPL_1h.csv": hours("2024-07-02 103", "2024-07-05 104"),
    });
    expect(rows).toEqual(["2024-07-02 103", "2024-07-05 104"]);
    expect(chosen).toMatch(/no bar of both shows that their prices are adjusted alike\.$/);
  });

  it("are used alone for a time at which they were the newest", async () => {
    const files = { "AAPL_1d.csv": DAILY, "AAPL_1h.csv": HOURLY };
    const past = await ask(files, { asOf: "2024-06-30T00:00Z" });
    expect(past).toMatchObject({ rows: ["2024-06-27 100", "2024-06-28 101"], chosen: undefined });
  });

  it("leave out a day whose hours are not all there", async () => {
    const cut = HOURLY.trimEnd().split("\n").slice(0, -1).join("\n");
    const { rows } = await ask({ "AAPL_1d.csv": DAILY, "AAPL_1h.csv": `${cut}\n` });
    expect(rows.at(-1)).toBe("2024-07-02 103");
  });

  it("are days of the clock for a coin, and weeks are built from the continued days", async () => {
    const hour = (day: string, close: number) =>
      Array.from({ length: 24 }, (_, at) => `${day}T${String(at).padStart(2, "0")}:00 ${close}`);
    const files = {
      "BTCUSDT_1d.csv": flatCsv("2024-07-01 1", "2024-07-02 2", "2024-07-03 3"),
      "BTCUSDT_1h.csv": flatCsv(
        ...["2024-07-03", "2024-07-04", "2024-07-05", "2024-07-06", "2024-07-07"].flatMap((day, i) =>
          hour(day, i + 3),
        ),
      ),
    };
    expect((await ask(files, { symbol: "BTC-USD" })).rows.slice(-2)).toEqual([
      "2024-07-06 6",
      "2024-07-07 7",
    ]);
    const week = await ask(files, { symbol: "BTC-USD", timeframe: "1w" });
    expect(week.rows).toEqual(["2024-07-01 7"]);
    expect(week.chosen).toMatch(
      /^The 1d bars after 2024-07-03 are built from the 1h bars of BTCUSDT_1h\.csv/,
    );
  });

  it("name the newest of several files of the same length", async () => {
    const { rows, chosen } = await ask({
      "AAPL.csv": DAILY,
      "new/AAPL.csv": flatCsv("2024-07-01 102", "2024-07-02 103", "2024-07-03 104"),
    });
    expect(rows.at(-1)).toBe("2024-07-03 104");
    expect(chosen).toBe(
      "The 1d bars are those of new/AAPL.csv, to 2024-07-03: the newest of 2 files. Those from 2024-06-27 to 2024-06-28 are of AAPL.csv, whose newest common closes agree.",
    );
  });
});
