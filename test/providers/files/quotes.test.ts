import { describe, expect, it } from "vitest";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { csvFolder, flatCsv } from "../../support/csv-folder.ts";

const HEADER = "date,open,high,low,close,volume\n";
const quote = async (files: Record<string, string>, now: string, symbol = "AAPL") => {
  const market = await openFiles({ dir: csvFolder(files), clock: stoppedClock(new Date(now)) });
  return market.quotes.latest(canonicalOf(symbol)!);
};
const DAILY = `${HEADER}2024-07-01,209,218,208,216,60\n2024-07-02,216,220,215,220,58\n2024-07-03,220,222,219,221,37\n`;

describe("quotes of files", () => {
  it("are the close of the last closed day, with the time of that close", async () => {
    expect(await quote({ "AAPL.csv": DAILY }, "2024-07-03T15:00:00Z")).toEqual({
      price: 220,
      change: 4,
      changePercent: 1.8519,
      volume: 58,
      high: 220,
      low: 215,
      open: 216,
      timestamp: "2024-07-02T20:00:00.000Z",
      source: "files",
      venue: "FILE",
      price_source: "file_close",
      market_state: "regular",
      delayed_minutes: null,
    });
  });

  it("return the current market state, not that of the bar", async () => {
    const state = async (now: string) => (await quote({ "AAPL.csv": DAILY }, now)).market_state;
    expect(await state("2024-07-03T17:00:00Z")).toBe("post");
    expect(await state("2024-07-04T15:00:00Z")).toBe("closed");
    const crypto = await quote({ "BTCUSDT.csv": DAILY }, "2024-07-07T00:00:00Z", "BTC-USD");
    expect(crypto).toMatchObject({ market_state: "always_open", timestamp: "2024-07-04T00:00:00.000Z" });
  });

  it("have no change on the first available day", async () => {
    expect(await quote({ "AAPL.csv": DAILY }, "2024-07-01T20:00:00Z")).toMatchObject({
      price: 216,
      change: null,
      changePercent: null,
    });
  });

  it("prefer a later hourly bar to an earlier daily bar, and compare it with the previous day in its file", async () => {
    const hourly = flatCsv(
      "2024-07-02T14:30 2",
      "2024-07-02T15:30 3",
      "2024-07-03T09:30 4",
      "2024-07-03T10:30 5",
    );
    const files = { "AAPL.csv": DAILY, "AAPL_1h.csv": hourly };
    expect(await quote(files, "2024-07-03T15:30:00Z")).toMatchObject({
      price: 5,
      change: 2,
      timestamp: "2024-07-03T15:30:00.000Z",
      volume: null,
      high: null,
      low: null,
      open: null,
    });
    expect(await quote(files, "2024-07-02T20:00:00Z")).toMatchObject({ price: 220, volume: 58 }); // both closed then
  });

  it("fail with NO_PRICE without a file and before the first closed bar", async () => {
    const noPrice = { code: "NO_PRICE", data: { symbol: "NVDA", price: null, data: { price: null } } };
    await expect(quote({ "AAPL.csv": DAILY }, "2024-07-04T00:00:00Z", "NVDA")).rejects.toMatchObject(noPrice);
    await expect(quote({ "AAPL.csv": DAILY }, "2024-07-01T19:00:00Z")).rejects.toMatchObject({
      code: "NO_PRICE",
    });
  });
});
