import { describe, expect, it } from "vitest";
import { parseFileName } from "../../../src/providers/files/file-name.ts";

describe("parseFileName", () => {
  it.each([
    ["AAPL.csv", "AAPL", null],
    ["us_daily/BRK-B.csv", "BRK-B", "1d"],
    ["BRK_B.csv", "BRK-B", null],
    ["crypto_daily/BTCUSDT_binance.csv", "BTCUSDT", "1d"],
    ["crypto_intraday/BTCUSDT_1h_2022_2023.csv", "BTCUSDT", "1h"],
    ["Binance_ETHUSDT_5m.csv", "ETHUSDT", "5m"],
    ["BTC_USDT_4h.csv", "BTC-USDT", "4h"],
    ["us_hourly_raw/SPY.csv", "SPY", "1h"],
    ["data/30m/qqq.tsv", "qqq", "30m"],
    ["daily/MSFT_15m.csv", "MSFT", "15m"],
    ["AAPL-1d.csv", "AAPL", "1d"],
    ["SOLUSDT-15m-2024-01.csv", "SOLUSDT", "15m"],
    ["BTC-USD-2024.csv", "BTC-USD", null],
    ["BRK-B_1d.csv", "BRK-B", "1d"],
    ["SPOT_1d.csv", "SPOT", "1d"],
    ["ET.csv", "ET", null],
    ["_.csv", "", null],
    ["XBTUSD_1440.csv", "BTC-USD", "1d"],
    ["XXBTZUSD_240.csv", "BTC-USD", "4h"],
    ["XDGUSD_60.csv", "DOGE-USD", "1h"],
    ["ETHUSD_5.csv", "ETHUSD", "5m"],
    ["SOLUSD1440.csv", "SOLUSD", "1d"],
    ["AAPL1440.csv", "AAPL", "1d"],
    ["AAPL60.csv", "AAPL", "1h"],
    ["AAPL5.csv", "AAPL", "5m"],
    ["aaplm5.csv", "aapl", "5m"],
    ["#AAPLH4.csv", "AAPL", "4h"],
    ["AAPL_H1.csv", "AAPL", "1h"],
    ["AAPL-H1.csv", "AAPL", "1h"],
    ["EURUSD,60.csv", "EURUSD", "1h"],
    ["AAPL.US60.csv", "AAPL.US", "1h"],
    ["AAPLW1.csv", "AAPL", null],
    ["NASDAQ_AAPL, 1D.csv", "AAPL", "1d"],
    ["BITSTAMP_BTCUSD, 60_5f3a1.csv", "BTCUSD", "1h"],
    ["AAPL Historical Data.csv", "AAPL", null],
    ["AAPL (1).csv", "AAPL", null],
    ["aapl_us_d.csv", "aapl.US", "1d"],
    ["aapl_daily_historical-data-01-15-2025.csv", "aapl", "1d"],
    ["AAPL_M1_202401020930_202412312359.csv", "AAPL", "1m"],
    ["intraday_5min_AAPL.csv", "AAPL", "5m"],
    ["Binance_BTCUSDT_d.csv", "BTCUSDT", "1d"],
    ["D.csv", "D", null],
  ])("reads %s as %s, %s", (path, symbol, timeframe) => {
    expect(parseFileName(path)).toMatchObject({ symbol, timeframe });
  });

  it("marks a name that may be no symbol at all", () => {
    expect(
      ["data.csv", "daily/prices_2024.csv", "AAPL.csv"].map((path) => parseFileName(path).isVague),
    ).toEqual([true, true, false]);
  });

  it("reads a letter before digits as part of the symbol or of the bar length by the listed tickers", () => {
    const read = (path: string, ...listed: string[]) => {
      const { symbol, timeframe, fault } = parseFileName(path, (ticker) => listed.includes(ticker));
      return fault ?? `${symbol} ${timeframe}`;
    };
    expect(read("GM5.csv", "GM")).toBe("GM 5m");
    expect(read("AMD1.csv", "AMD")).toBe("AMD 1m");
    expect(read("AMD1.csv", "AM")).toBe("AM 1d");
    expect(read("GM5.csv", "G", "GM")).toBe(
      "its name may mean G with M5 or GM with 5; write an underscore before the bar length",
    );
    expect(read("GM_M5.csv", "G", "GM")).toBe("GM 5m");
  });
});
