import { appendFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import type { FileJob } from "../../../src/providers/files/file-thread.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { csvFolder } from "../../support/csv-folder.ts";
import { greedyThread, sourceThread } from "../../support/source-thread.ts";

const WORKER = new URL("../../../src/providers/files/files-worker.ts", import.meta.url).href;
const MINUTE = 60_000;
const FIRST = Date.UTC(2024, 0, 1);
const BTC = canonicalOf("BTC-USD")!;
const rowAt = (i: number, price = 100 + (i % 7)): string =>
  `${new Date(FIRST + i * MINUTE).toISOString().slice(0, 16)}Z,${price},${price},${price},${price},1`;
const minutes = (count: number): string =>
  ["time,open,high,low,close,volume", ...Array.from({ length: count }, (_, i) => rowAt(i)), ""].join("\n");

async function longMarket(content: string, spawn: (() => Worker) | null = null) {
  const dir = csvFolder({ "BTCUSDT_1m.csv": content });
  const clock = { time: Date.parse("2026-01-15T15:00Z"), now: () => new Date(clock.time) };
  const market = await openFiles({ dir, clock, spawn });
  const newest = async () => {
    const { bars } = await market.bars.history(BTC, { timeframe: "1m", limit: 2 });
    return [...bars.close];
  };
  return { market, clock, newest, path: join(dir, "BTCUSDT_1m.csv") };
}

/** Creates threads whose jobs are noted by name. */
function notedThreads() {
  const jobs: string[] = [];
  const spawn = (): Worker => {
    const worker = sourceThread(WORKER);
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (job: FileJob) => {
      jobs.push(job.name);
      post(job);
    };
    return worker;
  };
  return { jobs, spawn };
}

describe("a long file", () => {
  it("is opened by its first and last rows, and inspected over all on the first request", async () => {
    const { market, newest } = await longMarket(minutes(20_000));
    const range = "2024-01-01T00:00:00.000Z to 2024-01-14T21:19:00.000Z, times in UTC unless stated";
    const readAs = () => market.report().readAs.map(({ note }) => note);
    expect(readAs()).toEqual([`1m bars of BTC-USD: not counted yet, ${range}`]);
    // by hand: (19,998 and 19,999) mod 7 are 6 and 0
    expect(await newest()).toEqual([106, 100]);
    expect(readAs()).toEqual([`1m bars of BTC-USD: 20000 bars, ${range}`]);
  });

  it("is skipped with the reason once its middle shows that it cannot be used", async () => {
    const rows = minutes(20_000).split("\n");
    const broken = rows.map((row, i) => (i > 3_000 && i < 17_000 ? row.replace(/,1$/, ",-1") : row));
    const { market } = await longMarket(broken.join("\n"));
    expect(market.report().skipped).toEqual([]);
    const { bars } = await market.bars.history(BTC, { timeframe: "1m", limit: 2 });
    expect(bars.time).toHaveLength(0);
    expect(market.report().skipped.map(({ file }) => file)).toEqual(["BTCUSDT_1m.csv"]);
  });

  it("is refused when opened if it would be refused over all its rows", async () => {
    const odd = minutes(20_000).replaceAll(":00Z", ":00:07Z");
    await expect(longMarket(odd.replace(/,volume/, ",note"))).rejects.toThrow(/it has no column volume/);
  });

  it("is inspected and read in a thread, also after it has changed", async () => {
    const { jobs, spawn } = notedThreads();
    const { clock, newest, path } = await longMarket(minutes(20_000), spawn);
    expect(await newest()).toEqual([106, 100]);
    expect(jobs.splice(0)).toEqual(["change", "load"]);
    appendFileSync(path, `${rowAt(20_000, 99)}\n`);
    utimesSync(path, clock.time / 1000, clock.time / 1000);
    clock.time += MINUTE;
    expect(await newest()).toEqual([100, 99]);
    expect(jobs).toEqual(["change", "load"]);
  });

  it("below 128 KB is read without a thread", async () => {
    const { jobs, spawn } = notedThreads();
    const { newest } = await longMarket(minutes(1_000), spawn);
    expect(await newest()).toHaveLength(2);
    expect(jobs).toEqual([]);
  });

  it("is refused, and never read on this thread, if the thread ran out of memory", async () => {
    const { newest } = await longMarket(minutes(20_000), greedyThread);
    await expect(newest()).rejects.toMatchObject({
      code: "REFUSED",
      message: "The files of this symbol need more memory than the server has to read them",
    });
  });

  it("is read on this thread if the thread fails", async () => {
    const { newest } = await longMarket(
      minutes(20_000),
      () => new Worker("throw new Error('no')", { eval: true }),
    );
    expect(await newest()).toEqual([106, 100]);
  });

  it("that is being changed is not read by halves", async () => {
    const { market, newest, path } = await longMarket(minutes(20_000));
    await market.quotes.latest(BTC);
    writeFileSync(path, minutes(10_000));
    const reopened = await longMarket(minutes(20_000));
    writeFileSync(reopened.path, minutes(19_000));
    utimesSync(reopened.path, reopened.clock.time / 1000, reopened.clock.time / 1000);
    await expect(reopened.newest()).rejects.toMatchObject({ code: "NOT_CONNECTED" });
    expect(await newest()).toEqual([106, 100]);
  });
});
