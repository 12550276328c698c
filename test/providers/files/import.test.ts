import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bars } from "../../../src/domain/market/bars.ts";
import { csvName, csvOf } from "../../../src/domain/rows.ts";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { importFiles } from "../../../src/providers/files/import.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";
import { climbingBars } from "../../support/market.ts";
import { tempDir } from "../../support/temp-dir.ts";

const clock = { now: () => new Date("2026-02-01T00:00:00Z") };
/** A named pipe without a writer. */
function fifo(): string {
  const path = join(tempDir(), "pipe.csv");
  execFileSync("mkfifo", [path]);
  return path;
}
/** A link to itself. */
function looped(): string {
  const path = join(tempDir(), "loop");
  symlinkSync(path, path);
  return path;
}
const into = () => join(tempDir(), "bars");

describe("bars imported from files", () => {
  it("are stored in one layout", async () => {
    const from = csvFolder({
      "brk_b/BRK-B.csv":
        'Date,Close/Last,Volume,Open,High,Low\n01/06/2026,$3,"1,000",$2,$4,$1\n01/05/2026,$2,500,$2,$2,$2\n',
      "BTCUSDT_4h.csv": flatCsv("2026-01-05T00:00:00Z 10", "2026-01-05T04:00:00Z 11"),
    });
    const kept = into();
    const steps: unknown[] = [];
    const progress = (step: unknown) => void steps.push(step);
    const { series, skipped } = await importFiles({ from, into: kept, clock, progress });
    expect(steps).toEqual([
      { done: 0, total: 2, message: "BRK.B 1d" },
      { done: 1, total: 2, message: "BTC-USD 4h" },
    ]);
    expect(skipped).toEqual([]);
    expect(
      series.map(({ symbol, timeframe, file, bars, added }) => [symbol, timeframe, file, bars, added]),
    ).toEqual([
      ["BRK.B", "1d", "BRK.B.csv", 2, 2],
      ["BTC-USD", "4h", "BTC-USD_4h.csv", 2, 2],
    ]);
    expect(readFileSync(join(kept, "BRK.B.csv"), "utf8")).toBe(
      "date,open,high,low,close,volume\n2026-01-05,2,2,2,2,500\n2026-01-06,2,4,1,3,1000\n",
    );
    const market = await openFiles({ dir: kept, clock });
    expect(market.members.map(({ symbol }) => symbol)).toEqual(["BRK.B", "BTC-USD"]);
  });

  it("are merged with stored bars, which they replace on the same day", async () => {
    const kept = into();
    await importFiles({
      from: csvFolder({ "AAPL.csv": flatCsv("2026-01-05 1", "2026-01-06 2") }),
      into: kept,
      clock,
    });
    const second = csvFolder({ "AAPL.csv": flatCsv("2026-01-06 3", "2026-01-07 4") });
    expect((await importFiles({ from: second, into: kept, clock })).series).toMatchObject([
      { bars: 3, added: 1 },
    ]);
    expect(readFileSync(join(kept, "AAPL.csv"), "utf8")).toBe(
      flatCsv("2026-01-05 1", "2026-01-06 3", "2026-01-07 4"),
    );
    expect(readdirSync(kept)).toEqual(["AAPL.csv"]);
  });

  it.each([
    [() => join(tempDir(), "nope.csv"), /"[^"]*nope\.csv" does not exist\. Pass a CSV file/],
    [
      () => join(csvFolder({ "my apples.csv": flatCsv("2026-01-05 1") }), "my apples.csv"),
      /pass it: --symbol AAPL/,
    ],
    [() => "/dev/null", /^"\/dev\/null" is neither a file nor a folder/],
    [
      () => join(csvFolder({ "AAPL.csv": flatCsv("2026-01-05 1") }), "AAPL.csv", "x"),
      /x" does not exist\. Pass a/,
    ],
    [() => "/dev/zero", /^"\/dev\/zero" is neither a file nor a folder/],
    [() => join(csvFolder({ "AAPL.csv": "" }), "AAPL.csv"), /AAPL\.csv" is empty\. Pass a CSV file/],
    [fifo, /pipe\.csv" is neither a file nor a folder/],
    [looped, /loop" cannot be read \(ELOOP\)\. Pass a CSV file/],
    [() => join(tempDir(), "x".repeat(300)), /cannot be read \(ENAMETOOLONG\)\. Pass a CSV file/],
    [() => csvFolder({ "notes.csv": "what I bought" }), /^"[^"]+" contains no usable file; notes\.csv: /],
  ])("are refused from what holds none, in words that name it (%#)", async (from, words) => {
    const requests = importFiles({ from: from(), into: into(), clock });
    await expect(requests).rejects.toThrow(SetupError);
    await expect(requests).rejects.toThrow(words);
  });

  it("fail without a change if the target is a file", async () => {
    const from = csvFolder({ "AAPL.csv": flatCsv("2026-01-05 1", "2026-01-06 2") });
    const file = join(from, "AAPL.csv");
    await expect(importFiles({ from, into: file, clock })).rejects.toThrow(
      /cannot be stored in .*: a folder of its path is a file\. .* --into/,
    );
    expect(readFileSync(file, "utf8")).toBe(flatCsv("2026-01-05 1", "2026-01-06 2"));
  });

  it("skip a pipe and do not replace a stored file if there are no bars", async () => {
    const from = csvFolder({
      "AAPL.csv": flatCsv("2026-01-05 1", "2026-01-06 2"),
      "MSFT.csv": flatCsv("2026-01-05 1", "2026-01-06 2"),
    });
    execFileSync("mkfifo", [join(from, "IBM.csv")]);
    const kept = csvFolder({ "MSFT.csv": "what I bought" });
    const { series, skipped } = await importFiles({ from, into: kept, clock });
    expect(series.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(skipped).toEqual([
      { file: "IBM.csv", reason: "it is not a regular file" },
      {
        file: "MSFT.csv",
        reason: "the stored file of this name contains no readable bars and is not replaced",
      },
    ]);
    expect(readFileSync(join(kept, "MSFT.csv"), "utf8")).toBe("what I bought");
  });

  it("reject a symbol too long for a file name", async () => {
    const from = join(csvFolder({ "AAPL.csv": flatCsv("2026-01-05 1") }), "AAPL.csv");
    await expect(importFiles({ from, into: into(), symbol: "X".repeat(300), clock })).rejects.toThrow(
      new SetupError("--symbol is too long: pass a ticker such as AAPL"),
    );
  });

  it.skipIf(process.getuid?.() === 0)("are rejected from a file this user may not read", async () => {
    const from = join(csvFolder({ "AAPL.csv": flatCsv("2026-01-05 1") }), "AAPL.csv");
    chmodSync(from, 0);
    await expect(importFiles({ from, into: into(), clock })).rejects.toThrow(
      /AAPL\.csv" cannot be read: the user .* may not read it; copy it/,
    );
  });

  it("from a single file get the requested symbol", async () => {
    const from = join(csvFolder({ "prices.csv": flatCsv("2026-01-05 1", "2026-01-06 2") }), "prices.csv");
    const { series } = await importFiles({ from, into: into(), symbol: "BRK/B", clock });
    expect(series).toMatchObject([{ symbol: "BRK.B", file: "BRK.B.csv", first: "2026-01-05T00:00:00.000Z" }]);
  });

  it("fail with a SetupError and leave nothing behind if there are none", async () => {
    const kept = into();
    await expect(importFiles({ from: join(tempDir(), "nowhere"), into: kept, clock })).rejects.toThrow(
      SetupError,
    );
    const empty = join(tempDir(), "empty");
    mkdirSync(empty);
    await expect(importFiles({ from: empty, into: kept, clock })).rejects.toThrow(SetupError);
    expect(existsSync(kept)).toBe(false);
  });

  it("are read back exactly as written", async () => {
    const level = fc.double({ min: 1e-6, max: 1e6, noNaN: true });
    // a price 8 times its neighbours would be left out
    const factor = fc.double({ min: 1, max: 7, noNaN: true });
    const prices = fc
      .tuple(level, fc.array(factor, { minLength: 3, maxLength: 12 }))
      .map(([first, factors]) => factors.map((times) => first * times));
    await fc.assert(
      fc.asyncProperty(prices, async (closes) => {
        const shape = climbingBars({ count: closes.length });
        const column = Float64Array.from(closes);
        const bars: Bars = { ...shape, open: column, high: column, low: column, close: column };
        const kept = into();
        const from = csvFolder({ [csvName("AAPL", "1d")]: csvOf(bars) });
        await importFiles({ from, into: kept, clock });
        const market = await openFiles({ dir: kept, clock });
        const back = await market.bars.history(market.members[0]!, { timeframe: "1d", limit: 99 });
        expect([...back.bars.close]).toEqual(closes);
        expect([...back.bars.time]).toEqual([...bars.time]);
      }),
      { numRuns: 25 },
    );
  });
});
