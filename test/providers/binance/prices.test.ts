import { expect, it } from "vitest";
import { binance } from "../../../src/providers/binance/prices.ts";
import { binanceVendor } from "../../replay/binance.ts";
import { MOMENT } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { describeExchange, withText } from "../exchange-contract.ts";
import { kindOf, readJson, respondAs, respondWith, signal, token } from "../requests.ts";

const HOUR = 3_600_000;
const BTC = token("BTC");
const HOST = "https://data-api.binance.vision/api/v3";

const TRADE =
  '[{"a":1,"p":"63317.60000000","q":"0.00050000","f":1,"l":1,"T":1785718731642,"m":true,"M":true}]';
const DAY =
  '{"symbol":"BTCUSDT","lastPrice":"63317.60000000","openPrice":"62830.00000000","highPrice":"63796.33000000",' +
  '"lowPrice":"62830.00000000","volume":"8345.37574000","openTime":1785632332001,"closeTime":1785718732001}';
const QUOTE = { "/aggTrades": TRADE, "/ticker/24hr": DAY };

describeExchange("binance", {
  make: binance,
  vendor: binanceVendor,
  venue: "BINANCE",
  currency: "USDT",
  // Rows of bars contain no symbol.
  echoless: ["history"],
  noBars: ["[]"],
  quote: {
    responses: QUOTE,
    expected: {
      price: 63317.6,
      tradedAt: 1785718731642,
      previousClose: 62830,
      open: 62830,
      high: 63796.33,
      low: 62830,
      volume: 8345.37574,
    },
    requests: [`${HOST}/aggTrades?symbol=BTCUSDT&limit=1`, `${HOST}/ticker/24hr?symbol=BTCUSDT`],
  },
  partial: {
    responses: {
      ...QUOTE,
      "/ticker/24hr": { symbol: "BTCUSDT", openPrice: "0.00000000", highPrice: "63796.33" },
    },
    expected: { high: 63796.33 },
  },
  malformed: withText("/aggTrades", TRADE, "63317.60000000", ["0.00000000", "-1.0", "1e5", "0x10", ""]),
  unsupported: [token("USDT")],
  named: [token("USDC"), "symbol=USDCUSDT"],
  bars: "/klines",
  errors: [
    [400, { code: -1121, msg: "words" }, "unknown_symbol"],
    [400, { code: -1100, msg: "words" }, "unknown_symbol"],
    [400, { code: -1003, msg: "words" }, "rate_limited"],
    [400, { code: -1001, msg: "words" }, "down"],
    [400, { code: -1120, msg: "words" }, "malformed"],
  ],
});

describeWithData("binance as recorded", ["fixtures", "binance"], (folder) => {
  const history = (file: string, timeframe: "5m" | "1d", from: number, until: number) => {
    const { fetch, requests } = respondWith({ "/klines": readJson(folder, file) });
    return { bars: binance({ fetch }).history!(BTC, { timeframe, from, until, signal }), requests };
  };

  it("reads spot bars", async () => {
    const file = "nautilus_http_spot_market_klines.json";
    const { bars: response, requests } = history(file, "5m", 1634943780000, 1634944500000);
    const { bars, ...rest } = await response;
    expect(requests).toEqual([
      `${HOST}/klines?symbol=BTCUSDT&interval=5m&startTime=1634943780000&endTime=1634944500000&limit=1000`,
    ]);
    expect(bars[0]).toEqual({
      time: 1634943780000,
      open: 60685.22,
      high: 60729.84,
      low: 60670.9,
      close: 60719.27,
      volume: 21.63272,
    });
    expect(bars[2]).toMatchObject({ time: 1634943900000, close: 60768.71, volume: 15.3866 });
    expect(rest).toEqual({
      adjustment: "raw",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "BINANCE",
    });
  });

  it("rejects the documented weekly bar as a daily one", async () => {
    const { bars } = history("nautilus_klines_response.json", "1d", 1634860800000, 1634947200000);
    expect(await kindOf(bars)).toBe("malformed");
  });

  it("rejects the statistics of another pair", async () => {
    const day = readJson(folder, "nautilus_ticker_24hr_response.json");
    const { fetch } = respondWith({ ...QUOTE, "/ticker/24hr": day });
    expect(await kindOf(binance({ fetch }).latest!(BTC, { signal }))).toBe("malformed");
  });
});

it("requests the next thousand bars after a full page", async () => {
  const { fetch, requests } = respondAs(binanceVendor);
  const from = Math.floor(MOMENT / HOUR) * HOUR - 1500 * HOUR;
  const request = { timeframe: "1h", from, until: MOMENT, signal } as const;
  expect((await binance({ fetch }).history!(BTC, request)).bars.length).toBe(1501);
  expect(requests.map((url) => Number(new URL(url).searchParams.get("startTime")))).toEqual([
    from,
    from + 1000 * HOUR,
  ]);
});
