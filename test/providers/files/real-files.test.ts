import { expect, it } from "vitest";
import type { Timeframe } from "../../../src/domain/market/bars.ts";
import { canonicalOf } from "../../../src/market/symbols/directory.ts";
import { openFiles } from "../../../src/providers/files/open.ts";
import { stoppedClock } from "../../support/context.ts";
import { describeWithData } from "../../support/test-data.ts";

const HOUR = 3_600_000;
const NOW = new Date("2026-07-01T15:00:00Z");
const open = async (dir: string) => {
  const market = await openFiles({ dir, clock: stoppedClock(NOW) });
  const all = async (symbol: string, timeframe: Timeframe) =>
    (await market.bars.history(canonicalOf(symbol)!, { timeframe, limit: 1_000_000 })).bars;
  return { ...market, all };
};
const at = (iso: string) => Date.parse(`${iso}:00Z`);

describeWithData("daily files of US shares", ["ohlcv", "us_daily"], (dir) => {
  it("reads every row of every symbol, and ignores dividends", async () => {
    const { all, members, report } = await open(dir);
    expect(members).toHaveLength(57);
    let rows = 0;
    for (const { symbol } of members) rows += (await all(symbol, "1d")).time.length;
    expect(rows).toBe(77_206); // lines of the files without their headers
    expect(report().notes).toEqual([]);
    expect(report().skipped).toHaveLength(57);
    expect(report().skipped[0]).toEqual({
      file: "dividends/AAPL.csv",
      reason: "it has no columns open, high, low, close",
    });
  });

  it("returns the last close as a quote with its true market state", async () => {
    const { quotes } = await open(dir);
    expect(await quotes.latest(canonicalOf("SPY")!)).toMatchObject({
      price: 756.48,
      open: 755.9,
      high: 758.08,
      low: 754.69,
      volume: 54_976_100,
      timestamp: "2026-05-29T20:00:00.000Z",
      price_source: "file_close",
      market_state: "regular",
    });
  });

  it("preserves the written dates", async () => {
    const { time, close } = await (await open(dir)).all("BRK.B", "1d");
    expect([time[0], time.at(-1)]).toEqual([Date.UTC(2021, 0, 4), Date.UTC(2026, 4, 29)]);
    expect(close).toHaveLength(1357);
  });
});

describeWithData("hourly files in New York's time", ["ohlcv", "us_hourly_raw"], (dir) => {
  it("converts every hour to UTC, across clock changes", async () => {
    const { time } = await (await open(dir)).all("SPY", "1h");
    expect(time).toHaveLength(3947);
    // lines 2, 323, 324, 1482, 1483 of the file: 09:00, then 15:00 and 09:00 around March 10 and November 3
    expect([0, 321, 322, 1480, 1481].map((row) => time[row])).toEqual(
      [
        "2019-01-02T14:00",
        "2019-03-08T20:00",
        "2019-03-11T13:00",
        "2019-11-01T19:00",
        "2019-11-04T14:00",
      ].map(at),
    );
  });

  it("closes the last hour of a half day at 13:00", async () => {
    const { bars } = await open(dir);
    const asOf = (iso: string) =>
      bars.history(canonicalOf("SPY")!, { timeframe: "1h", limit: 1, asOf: Date.parse(iso) });
    expect((await asOf("2019-07-03T17:00:00Z")).bars.close[0]).toBe(298.8); // line 887, 12:00
    expect((await asOf("2019-07-03T16:59:59Z")).bars.close[0]).toBe(298.34); // line 886, 11:00
  });
});

describeWithData("hourly files of crypto", ["ohlcv", "crypto_intraday"], (dir) => {
  it("joins two files of one symbol, and leaves 192 gaps as they are", async () => {
    const { all, report } = await open(dir);
    const { time } = await all("BTC-USD", "1h");
    expect(time).toHaveLength(17_249 + 8_100);
    expect([time[0], time.at(-1)]).toEqual([at("2022-01-01T00:00"), at("2025-11-12T23:00")]);
    expect(time.filter((open, row) => row > 0 && open - time[row - 1]! !== HOUR)).toHaveLength(192);
    expect(report().series.map(({ symbol, timeframe }) => `${symbol} ${timeframe}`)).toEqual([
      "BTC-USD 1h",
      "BTC-USD 4h",
      "ETH-USD 1h",
    ]);
  });
});

describeWithData("a tree of many folders", ["ohlcv"], (dir) => {
  it("uses one folder for each symbol and timeframe, and reports which others it ignored", async () => {
    const { all, report } = await open(dir);
    const held = report().series.filter(({ symbol }) => symbol === "AAPL");
    expect(held).toEqual([
      { symbol: "AAPL", timeframe: "1d", files: ["us_daily/AAPL.csv"] },
      { symbol: "AAPL", timeframe: "1h", files: ["us_hourly_raw/AAPL.csv"] },
    ]);
    const { time } = await all("AAPL", "1d");
    // 1,357 and the sessions of 2020 in the older file since the split of 2020-08-31
    expect([time[0], time.length]).toEqual([Date.UTC(2020, 7, 31), 1357 + 86]);
    expect(report().notes).toContainEqual({
      file: "us_daily_raw_factors/AAPL.csv",
      note: "its 1d bars from 2020-08-31 to 2020-12-31 are used with those of us_daily/AAPL.csv",
    });
    expect(report().skipped.filter(({ file }) => file.startsWith("us_daily_raw_factors/"))).toEqual([
      { file: "us_daily_raw_factors/AAPL.factors.csv", reason: "it has no columns open, high, low, close" },
      {
        file: "us_daily_raw_factors/SPY.csv",
        reason:
          "its 1d bars of SPY end 2021-03-31 and are already taken from another folder: us_daily/SPY.csv, which ends 2026-05-29, is used instead",
      },
      { file: "us_daily_raw_factors/SPY.factors.csv", reason: "it has no columns open, high, low, close" },
    ]);
  });
});

describeWithData("a file as pandas writes it", ["backtest"], (dir) => {
  it("uses the column without a name as dates", async () => {
    const { time, open: opens } = await (await open(dir)).all("GOOG", "1d");
    expect([time.length, time[0], opens[0]]).toEqual([2148, Date.UTC(2004, 7, 19), 100]);
  });
});
