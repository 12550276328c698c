import { appendFileSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const START = Date.parse("2026-01-15T15:00:00Z");
const FILE = "BTCUSDT.csv";

/** A market of one file with a clock that can be set, whose closes are read. */
async function fileMarket(
  files: Record<string, string> = { [FILE]: flatCsv("2024-01-01 1", "2024-01-02 2") },
) {
  const dir = csvFolder(files);
  const clock = { time: START, now: () => new Date(clock.time) };
  const market = await openFiles({ dir, clock });
  const closes = async () => {
    const { bars } = await market.bars.history(canonicalOf("BTC-USD")!, { timeframe: "1d", limit: 99 });
    return [...bars.close];
  };
  const path = join(dir, FILE);
  /** Sets the time of the last change, seconds before now. */
  const touch = (secondsAgo: number) => utimesSync(path, clock.time / 1000, clock.time / 1000 - secondsAgo);
  const later = (ms: number) => {
    clock.time += ms;
  };
  return { market, closes, path, touch, later };
}

describe("files that change while the server runs", () => {
  it("adds appended rows within a minute, and changes the id of the content alone", async () => {
    const { market, closes, path, touch, later } = await fileMarket();
    expect(await closes()).toEqual([1, 2]);
    const { contentId, marketId } = market;
    appendFileSync(path, "2024-01-03,3,3,3,3,300\n");
    touch(0);
    later(49_999);
    expect(await closes()).toEqual([1, 2]);
    later(1);
    expect(await closes()).toEqual([1, 2, 3]);
    expect((await market.quotes.latest(canonicalOf("BTC-USD")!)).price).toBe(3);
    expect(market.contentId).not.toBe(contentId);
    expect(market.marketId).toBe(marketId);
  });

  it("reads a half-written line only once it is complete or no longer changes", async () => {
    const { closes, path, touch, later } = await fileMarket();
    await closes();
    appendFileSync(path, "2024-01-03,3,3,3,3,300\n2024-01-04,4,4,4,4,4");
    touch(0);
    later(60_000);
    expect(await closes(), "the volume may go on").toEqual([1, 2, 3]);
    appendFileSync(path, "00\n2024-01-05,5,5,5,5,5");
    touch(0);
    later(60_000);
    expect(await closes()).toEqual([1, 2, 3, 4]);
    later(60_000);
    expect(await closes(), "unchanged since the last look").toEqual([1, 2, 3, 4, 5]);
  });

  it("reads a rewritten file once it is quiet", async () => {
    const { closes, path, touch, later } = await fileMarket();
    await closes();
    later(60_000);
    writeFileSync(path, flatCsv("2024-01-01 7"));
    touch(1);
    expect(await closes(), "it may be incomplete").toEqual([1, 2]);
    writeFileSync(path, flatCsv("2024-01-01 7", "2024-01-02 8", "2024-01-03 9"));
    touch(1);
    later(5_000);
    expect(await closes()).toEqual([7, 8, 9]);
  });

  it("keeps the bars of a file that is emptied, removed or spoiled", async () => {
    const { closes, path, touch, later } = await fileMarket();
    await closes();
    for (const change of [
      () => writeFileSync(path, ""),
      () => writeFileSync(path, "<html>"),
      () => writeFileSync(path, flatCsv("2024-01-01T00:00Z 1", "2024-01-01T01:00Z 2")),
      () => unlinkSync(path),
    ]) {
      change();
      later(60_000);
      if (change.toString().includes("write")) touch(10);
      expect(await closes()).toEqual([1, 2]);
    }
  });

  it("lets a file that grew take over from one that was newer", async () => {
    const { market, closes, path, touch, later } = await fileMarket({
      [FILE]: flatCsv("2024-01-01 1", "2024-01-02 2"),
      "BTCUSDT_2024.csv": flatCsv("2024-01-02 20", "2024-01-03 30"),
    });
    expect(await closes()).toEqual([20, 30]);
    appendFileSync(path, "2024-01-03,3,3,3,3,300\n2024-01-04,4,4,4,4,400\n");
    touch(0);
    later(60_000);
    expect(await closes()).toEqual([1, 2, 3, 4]);
    expect(market.report().skipped.map(({ file }) => file)).toEqual(["BTCUSDT_2024.csv"]);
  });
});
