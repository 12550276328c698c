import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { csvOf } from "../../../src/domain/rows.ts";
import type { CliHost } from "../../../src/transports/cli/host.ts";
import { climbingBars, marketOf } from "../../support/market.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { settingOf, testCli } from "./test-host.ts";

const apple = climbingBars({ count: 3 });
const microsoft = climbingBars({ count: 2, first: 50 });

function testData(host: Partial<CliHost> = {}) {
  const { ports } = marketOf({ bars: { AAPL: apple, MSFT: microsoft } });
  const folder = tempDir();
  return { folder, ...testCli({ ports, host: { folder, ...host } }) };
}

describe("data export", () => {
  it("writes closed bars to stdout, oldest first, and describes them on stderr", async () => {
    const { run } = testData();
    const { code, out, err } = await run("data", "export", "aapl");
    expect({ code, out }).toEqual({ code: 0, out: csvOf(apple) });
    expect(err).toMatch(
      /^SAMPLE \(simulated\): AAPL 1d: 3 closed bars from fixture, split, until 2026-01-14T21:00:00\.000Z\n$/,
    );
  });

  it("writes one file per symbol into a folder", async () => {
    const { run, folder } = testData();
    expect((await run("data", "export", "AAPL", "MSFT", "--out", ".", "--limit", "2")).code).toBe(0);
    expect(readFileSync(join(folder, "AAPL.csv"), "utf8").split("\n")).toHaveLength(4);
    expect(readFileSync(join(folder, "MSFT.csv"), "utf8")).toBe(csvOf(microsoft));
  });

  it("overwrites only bars, and creates the given folder", async () => {
    const { run, folder } = testData();
    const notes = join(folder, "notes.csv");
    writeFileSync(notes, "what I bought");
    const refused = await run("data", "export", "AAPL", "--out", "notes.csv");
    expect(refused).toMatchObject({ code: 2, err: /It was not changed/ });
    expect(readFileSync(notes, "utf8")).toBe("what I bought");
    for (const symbol of ["MSFT", "AAPL"])
      expect((await run("data", "export", symbol, "--out", "new/bars.csv")).code).toBe(0);
    expect(readFileSync(join(folder, "new", "bars.csv"), "utf8")).toBe(csvOf(apple));
  });

  it("writes nothing into the data folder except its folder for bars", async () => {
    const dataDir = tempDir();
    const settings = async () => [settingOf("DATA_DIR", dataDir)];
    const { run } = testData({ settings });
    const refused = await run("data", "export", "AAPL", "--out", join(dataDir, "AAPL.csv"));
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("is in the data folder")]);
    expect(readdirSync(dataDir)).toEqual([]);
    const stored = join(dataDir, "bars", "AAPL.csv");
    expect((await run("data", "export", "AAPL", "--out", stored)).code).toBe(0);
    expect(readFileSync(stored, "utf8")).toBe(csvOf(apple));
  });

  it.each([
    [["data", "export", "AAPL", "MSFT"], 2, "Several symbols require --out with a folder"],
    [
      ["data", "export", "AAPL", "--out", "/proc/no/place.csv"],
      2,
      "The file /proc/no/place.csv cannot be written: the folder /proc/no does not exist",
    ],
    [["data", "export", "AAPL", "--out", "."], 2, "exists and does not contain bars"],
    [["data", "export", "NOSUCH1"], 1, 'No instrument is known as "NOSUCH1"'],
    [["data", "export", "SPY"], 1, "No 1d bars of SPY"],
    [["data", "export", "AAPL", "--limit", "0"], 2, "whole number, 1 to 500"],
    [["data", "export", "AAPL", "--timeframe", "1w"], 2, "must be one of 1d, 4h"],
  ])("reports what is wrong with %j", async (words, code, message) => {
    const answer = await testData().run(...words);
    expect(answer).toMatchObject({ code, out: "" });
    expect(answer.err).toContain(message);
  });
});

describe("data import", () => {
  const series = [
    {
      symbol: "AAPL",
      timeframe: "1d",
      bars: 3,
      added: 1,
      first: "2026-01-12T00:00:00.000Z",
      last: "2026-01-14T00:00:00.000Z",
    },
  ] as const;
  const report = {
    folder: "/data/bars",
    series,
    skipped: [],
    notes: [{ file: "AAPL.csv", note: "1 row dropped" }],
  };

  it("prints what was stored, the notes and how to serve it", async () => {
    const requests: unknown[] = [];
    const { run, folder } = testData({
      importBars: async (request) => {
        requests.push(request);
        return report;
      },
    });
    const { code, out } = await run("data", "import", "bars", "--symbol", "AAPL");
    expect(requests).toEqual([
      { from: join(folder, "bars"), symbol: "AAPL", into: undefined, progress: expect.any(Function) },
    ]);
    expect({ code, out }).toEqual({
      code: 0,
      out: [
        "AAPL 1d 3 bars, 1 new, 2026-01-12 to 2026-01-14",
        "note AAPL.csv: 1 row dropped",
        "To serve them: MARKET_DATA=files:/data/bars market-signal serve",
        "",
      ].join("\n"),
    });
    expect(JSON.parse((await run("data", "import", "bars", "--json")).out)).toEqual({
      ok: true,
      into: "/data/bars",
      series,
      skipped: [],
      notes: report.notes,
    });
  });

  it("fails if no bars were stored", async () => {
    const { run } = testData({ importBars: async () => ({ ...report, series: [] }) });
    const { code, err } = await run("data", "import", "bars");
    expect(code).toBe(1);
    expect(err).toContain("No bars were stored");
  });
});
