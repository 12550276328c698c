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
  ])("reads %s as %s, %s", (path, symbol, timeframe) => {
    expect(parseFileName(path)).toEqual({ symbol, timeframe });
  });
});
