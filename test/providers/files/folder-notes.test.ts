import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openFiles } from "../../../src/providers/files/open.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const open = async (files: Record<string, string>, now: string) => {
  const dir = csvFolder(files);
  const clock = { time: Date.parse(now), now: () => new Date(clock.time) };
  return { dir, clock, market: await openFiles({ dir, clock }) };
};

it("says that all bars ended long ago, but not that some did", async () => {
  // after Friday, June 28: July 1, 2, 3 and, after the holiday, 5 are sessions
  const files = { "AAPL.csv": flatCsv("2024-06-27 1", "2024-06-28 2") };
  const { market, clock } = await open(files, "2024-07-05T19:59:59Z");
  expect(market.notes()).toEqual([]);
  clock.time += 1_000;
  expect(market.notes()).toEqual([
    "All bars of the files end by 2024-06-28: signals without an earlier as_of are stale, with tier NEUTRAL",
  ]);
  const coin = { ...files, "BTCUSDT.csv": flatCsv("2024-07-02 1", "2024-07-03 2") };
  expect((await open(coin, "2024-07-05T20:00:00Z")).market.notes()).toEqual([]);
});

it("says that files were added, or splits changed, since the start", async () => {
  const files = {
    "BTCUSDT.csv": flatCsv("2024-07-02 1", "2024-07-03 2"),
    "splits.csv": "symbol,date,ratio\n",
  };
  const { dir, market, clock } = await open(files, "2024-07-05T00:00:00Z");
  expect(market.notes()).toEqual([]);
  writeFileSync(join(dir, "MSFT.csv"), flatCsv("2024-07-02 1", "2024-07-03 2"));
  writeFileSync(join(dir, "splits.csv"), "symbol,date,ratio\nMSFT,2024-07-03,2:1\n");
  expect(market.notes(), "compared at most once a minute").toEqual([]);
  clock.time += 60_000;
  expect(market.notes()).toEqual([
    "1 file was added since the start: restart the server to read it",
    "splits.csv has changed since the start: restart the server to read it",
  ]);
});
