import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const DAY = 86_400_000;
const days = (from: string, count: number) =>
  Array.from(
    { length: count },
    (_, day) => `${new Date(Date.parse(from) + day * DAY).toISOString().slice(0, 10)} ${day + 1}`,
  );
const open = async (files: Record<string, string>, symbol: string) => {
  const dir = csvFolder(files);
  const market = await openFiles({ dir, clock: stoppedClock() });
  const all = () => market.bars.history(canonicalOf(symbol)!, { timeframe: "1d", limit: 9999 });
  return { dir, market, all };
};

describe("rows of files", () => {
  it("reports the file and lines of dropped rows once the file has been read", async () => {
    const good = days("2024-01-01", 100);
    const rows = [...good.slice(0, 80), "bad 1", "2024-03-20 80", "2024-03-21 x", ...good.slice(80)];
    const { market, all } = await open({ "BTCUSDT.csv": flatCsv(...rows) }, "BTC-USD");
    expect(market.report().notes).toEqual([]);
    expect((await all()).bars.time).toHaveLength(100);
    expect(market.report().notes).toEqual([
      {
        file: "BTCUSDT.csv",
        note: "1 row dropped, line 82: no readable date or time",
      },
      { file: "BTCUSDT.csv", note: "1 row dropped, line 84: a price that is not a number" },
      { file: "BTCUSDT.csv", note: "1 row dropped, line 83: duplicate or out-of-order time" },
    ]);
  });

  it("counts every dropped row but lists the first five", async () => {
    const { market, all } = await open(
      { "BTCUSDT.csv": flatCsv(...days("2024-01-01", 3), ...Array(7).fill("? 1")) },
      "BTC-USD",
    );
    await all();
    expect(market.report().notes[0]!.note).toMatch(/^7 rows dropped, line 5, 6, 7, 8, 9 \.\.\.:/);
  });

  it("joins the files of a series, oldest first, and leaves the gap between them", async () => {
    const files = {
      "BTCUSDT_2024.csv": flatCsv(...days("2024-01-01", 3)),
      "BTCUSDT_2023.csv": flatCsv(...days("2023-01-01", 3)),
    };
    const { market, all } = await open(files, "BTC-USD");
    const { bars } = await all();
    expect([...bars.time]).toEqual([0, 1, 2, 365, 366, 367].map((day) => Date.UTC(2023, 0, 1) + day * DAY));
    expect([...bars.close]).toEqual([1, 2, 3, 1, 2, 3]);
    expect(market.report().series).toEqual([
      { symbol: "BTC-USD", timeframe: "1d", files: ["BTCUSDT_2023.csv", "BTCUSDT_2024.csv"] },
    ]);
  });

  it("rejects a file that changed since the start, because the market is no longer the same", async () => {
    const { dir, all } = await open({ "BTCUSDT.csv": flatCsv(...days("2024-01-01", 3)) }, "BTC-USD");
    writeFileSync(join(dir, "BTCUSDT.csv"), flatCsv(...days("2024-01-01", 4)));
    await expect(all()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });

  it("caches the rows it has read", async () => {
    const { dir, all } = await open({ "BTCUSDT.csv": flatCsv(...days("2024-01-01", 3)) }, "BTC-USD");
    const before = await all();
    writeFileSync(join(dir, "BTCUSDT.csv"), "");
    expect(await all()).toEqual(before);
  });
});
