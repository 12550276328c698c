import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SetupError } from "../../../src/lib/setup-error.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const open = (dir: string) => openFiles({ dir, clock: stoppedClock() });
const AAPL = flatCsv("2024-01-02 1", "2024-01-03 2", "2024-01-04 3");
const MSFT = flatCsv("2024-01-02 4", "2024-01-03 5", "2024-01-04 6");

describe("openFiles", () => {
  it("offers every instrument with bars, and reports what it left out", async () => {
    const dir = csvFolder({
      "MSFT.csv": MSFT,
      "AAPL.csv": AAPL,
      "AAPL.factors.csv": "date,price_factor,split_factor\n2024-01-02,1,1\n",
      "dividends/AAPL.csv": "Date,Dividend\n2024-02-09,0.24\n",
      "notes.txt": "mine",
    });
    const market = await open(dir);
    expect(market.members.map(({ symbol }) => symbol)).toEqual(["AAPL", "MSFT"]);
    expect(market.report()).toEqual({
      series: [
        { symbol: "AAPL", timeframe: "1d", files: ["AAPL.csv"] },
        { symbol: "MSFT", timeframe: "1d", files: ["MSFT.csv"] },
      ],
      skipped: [
        { file: "AAPL.factors.csv", reason: "it has no columns open, high, low, close" },
        { file: "dividends/AAPL.csv", reason: "it has no columns open, high, low, close" },
      ],
      readAs: [
        { file: "AAPL.csv", note: "1d bars of AAPL: 3 bars, 2024-01-02 to 2024-01-04" },
        { file: "MSFT.csv", note: "1d bars of MSFT: 3 bars, 2024-01-02 to 2024-01-04" },
      ],
      notes: [],
    });
  });

  it("prefers a file named after a pair to one that could be a fund, and reports how it read the latter", async () => {
    const bars = (price: string) =>
      flatCsv(...["2024-01-02", "2024-01-03", "2024-01-04"].map((day) => `${day} ${price}`));
    const both = await open(csvFolder({ "BTC.csv": bars("65"), "BTCUSDT.csv": bars("42000") }));
    const btc = both.members.find(({ symbol }) => symbol === "BTC-USD")!;
    expect((await both.quotes.latest(btc)).price).toBe(42_000);
    expect(both.report().skipped.map(({ file }) => file)).toEqual(["BTC.csv"]);
    const alone = await open(csvFolder({ "BTC.csv": bars("65") }));
    expect(alone.report().notes).toContainEqual({
      file: "BTC.csv",
      note: "read as BTC-USD; a file of the US fund is named BTC.US",
    });
    const fund = await open(csvFolder({ "BTC.US.csv": bars("65") }));
    expect(fund.members).toMatchObject([{ symbol: "BTC.US", asset_class: "etf" }]);
  });

  it("identifies a market by its location, regardless of the content of its files", async () => {
    const dir = csvFolder({ "AAPL.csv": AAPL });
    const before = await open(dir);
    writeFileSync(join(dir, "MSFT.csv"), MSFT);
    const after = await open(dir);
    expect(before.marketId).toMatch(/^[0-9a-f]{16}$/);
    expect(after.marketId).toBe(before.marketId);
    expect(after.contentId).not.toBe(before.contentId);
    symlinkSync(dir, `${dir}-link`);
    expect((await open(`${dir}-link`)).marketId, "one place by two names").toBe(before.marketId);
    expect((await open(csvFolder({ "AAPL.csv": AAPL }))).marketId).not.toBe(before.marketId);
  });

  it("identifies the content by the data alone", async () => {
    const id = async (files: Record<string, string>) => (await open(csvFolder(files))).contentId;
    const both = await id({ "AAPL.csv": AAPL, "MSFT.csv": MSFT });
    expect(both).toMatch(/^[0-9a-f]{16}$/);
    expect(await id({ "MSFT.csv": MSFT, "AAPL.csv": AAPL, "README.md": "x" })).toBe(both);
    expect(await id({ "AAPL.csv": AAPL })).not.toBe(both);
    expect(await id({ "AAPL.csv": MSFT, "MSFT.csv": AAPL })).not.toBe(both);
    expect(await id({ "AAPL.csv": AAPL, "MSFT.csv": MSFT.replace("6,600", "6,601") })).not.toBe(both);
  });

  it("gives a market with a stated adjustment a different id", async () => {
    const options = { dir: csvFolder({ "AAPL.csv": AAPL }), clock: stoppedClock() };
    const [unknown, split] = [await openFiles(options), await openFiles({ ...options, adjustment: "split" })];
    expect(unknown.marketId).not.toBe(split.marketId);
    expect(unknown.contentId).not.toBe(split.contentId);
  });

  it("reports future rows and gaps once a file has been read", async () => {
    const dir = csvFolder({
      "AAPL.csv": flatCsv("2025-10-01 1", "2025-10-02 1", "2025-10-03 1", "2025-11-03 2", "2025-11-04 2"),
      "MSFT.csv": flatCsv("2026-01-14 4", "2026-01-15 5", "2026-01-16 6", "2026-01-20 6"),
    });
    const { bars, members, report } = await open(dir);
    expect(report().notes).toEqual([]);
    for (const member of members) await bars.history(member, { timeframe: "1d", limit: 9 });
    expect(report().notes).toEqual([
      { file: "AAPL.csv", note: "gap: no bars for 20 sessions between 2025-10-03 and 2025-11-03" },
      { file: "MSFT.csv", note: "2 rows in the future, from 2026-01-16: not used before then" },
    ]);
  });

  it("explains what was expected if the folder is missing", async () => {
    const dir = csvFolder({ "AAPL.csv": AAPL });
    for (const path of [join(dir, "absent"), join(dir, "AAPL.csv")]) {
      await expect(open(path)).rejects.toThrow(SetupError);
      await expect(open(path)).rejects.toThrow(
        /^MARKET_DATA: ".*" is not a folder\. .* Example: AAPL\.csv with the header date,open,high,low,close,volume$/,
      );
    }
  });

  it("explains why a folder is unusable", async () => {
    await expect(open(csvFolder({}))).rejects.toThrow(
      /contains no \.csv or \.tsv files\. Example: AAPL\.csv/,
    );
    await expect(open(csvFolder({ "A.csv": "date,open,high,low,close\n" }))).rejects.toThrow(
      /contains no usable file; A\.csv: it has no column volume, which is required\. Example:/,
    );
  });
});
