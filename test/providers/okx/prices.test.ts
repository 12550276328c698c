import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { okx } from "../../../src/providers/okx/prices.ts";
import { okxVendor } from "../../replay/okx.ts";
import { MOMENT } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { describeExchange } from "../exchange-contract.ts";
import { kindOf, readJson, respondAs, respondWith, signal, token } from "../requests.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BTC = token("BTC");
const HOST = "https://www.okx.com/api/v5/market";

const TRADE = {
  instId: "BTC-USDT",
  side: "buy",
  sz: "0.0002",
  px: "30236",
  tradeId: "1",
  ts: "1652459224818",
};
const TICKER = {
  instType: "SPOT",
  instId: "BTC-USDT",
  last: "30236",
  open24h: "29700.4",
  high24h: "31073",
  low24h: "28020.3",
  vol24h: "17602.13085371",
  ts: "1652459224956",
};
const PRICE = {
  price: 30236,
  tradedAt: 1652459224818,
  previousClose: 29700.4,
  open: 29700.4,
  high: 31073,
  low: 28020.3,
  volume: 17602.13085371,
};
const data = (...rows: readonly unknown[]) => ({ code: "0", msg: "", data: rows });
const quote = (trade: object, ticker: object) => ({ "/trades": data(trade), "/ticker": data(ticker) });
const { low24h: _, ...withoutLow } = { ...TICKER, open24h: "", high24h: "0", vol24h: "" };

describeExchange("okx", {
  make: okx,
  vendor: okxVendor,
  venue: "OKX",
  currency: "USDT",
  // Rows of bars contain no symbol.
  echoless: ["history"],
  quote: {
    responses: quote(TRADE, TICKER),
    expected: PRICE,
    requests: [`${HOST}/trades?instId=BTC-USDT&limit=1`, `${HOST}/ticker?instId=BTC-USDT`],
  },
  partial: { responses: quote(TRADE, withoutLow), expected: { price: 30236 } },
  malformed: {
    "a perpetual": quote(TRADE, { ...TICKER, instType: "SWAP" }),
    "the ticker of another pair": quote(TRADE, { ...TICKER, instId: "BTC-USD" }),
    "the trade of another pair": quote({ ...TRADE, instId: "ETH-USDT" }, TICKER),
    ...Object.fromEntries(
      ["0", "-1", "1e5", "0x10", "", 30236].map((px) => [
        `price ${JSON.stringify(px)}`,
        quote({ ...TRADE, px }, TICKER),
      ]),
    ),
  },
  unsupported: [token("USDT")],
  named: [token("USDC"), "instId=USDC-USDT"],
  bars: "/candles",
  errors: [
    [200, { code: "51001", msg: "words", data: [] }, "unknown_symbol"],
    [200, { code: "50011", msg: "words", data: [] }, "rate_limited"],
    [200, { code: "50001", msg: "words", data: [] }, "down"],
    [400, { code: "51000", msg: "words", data: [] }, "malformed"],
    [200, { code: "1", msg: "words", data: [] }, "malformed"],
  ],
});

describeWithData("okx as recorded", ["fixtures", "okx"], (folder) => {
  it("dates a price by its trade, not by the ticker", async () => {
    const channels = readFileSync(join(folder, "cryptofeed_ws_2022-05-13.txt"), "utf8");
    const row = (channel: string) => {
      const pattern = new RegExp(`"channel":"${channel}","instId":"BTC-USDT"},"data":\\[(\\{.*?\\})\\]`);
      return JSON.parse(pattern.exec(channels)![1]!) as object;
    };
    const [trade, ticker] = [row("trades"), row("tickers")];
    expect(ticker).toMatchObject({ last: "30236", ts: "1652459224956" });
    const { fetch } = respondWith(quote(trade, ticker));
    expect(await okx({ fetch }).latest!(BTC, { signal })).toMatchObject(PRICE);
  });

  it("reads bars, newest first", async () => {
    const file = "nautilus_http_get_candlesticks_full.json";
    const { fetch, requests } = respondWith({ "/candles": readJson(folder, file) });
    const from = 1747093980000;
    const request = { timeframe: "5m", from, until: from + MINUTE, signal } as const;
    const { bars, ...rest } = await okx({ fetch }).history!(BTC, request);
    expect(bars).toEqual([
      {
        time: 1747094040000,
        open: 102806.1,
        high: 102820.4,
        low: 102806.1,
        close: 102820.4,
        volume: 1040.37,
      },
      { time: 1747093980000, open: 102806, high: 102820.5, low: 102783.1, close: 102806.1, volume: 7164.04 },
    ]);
    expect(rest).toEqual({ adjustment: "raw", hours: "regular", volumeScope: "one_venue", venue: "OKX" });
    expect(requests).toEqual([`${HOST}/candles?instId=BTC-USDT&bar=5m&after=1747094040001&limit=2`]);
  });

  it("names pairs like its spot market", () => {
    const listed = readJson<{
      data: readonly { instId: string; baseCcy: string; quoteCcy: string }[];
    }>(folder, "nautilus_http_get_instruments_spot.json");
    for (const { instId, baseCcy, quoteCcy } of listed.data) expect(instId).toBe(`${baseCcy}-${quoteCcy}`);
  });
});

describe("okx", () => {
  const LAST = Math.floor(MOMENT / HOUR) * HOUR;
  const days = { timeframe: "1d", from: 0, until: 2 * DAY, signal } as const;

  /** Times of the hourly bars, and the path, `after` and `limit` of each call. */
  async function hours(from: number, until: number) {
    const { fetch, requests } = respondAs(okxVendor);
    const { bars } = await okx({ fetch }).history!(BTC, { timeframe: "1h", from, until, signal });
    const calls = requests.map((url) => {
      const { pathname, searchParams } = new URL(url);
      const [after, limit] = ["after", "limit"].map((name) => Number(searchParams.get(name)));
      return [pathname.split("/").at(-1), after, limit];
    });
    const times = bars.map(({ time }) => time).filter((time) => time >= from);
    return { times: times.sort((a, b) => a - b), calls };
  }

  it("pages back 300 bars at a time and requests no more than needed", async () => {
    const { times, calls } = await hours(LAST - 511 * HOUR, MOMENT);
    expect(times.length).toBe(512);
    expect(calls).toEqual([
      ["candles", MOMENT + 1, 300],
      ["candles", LAST - 299 * HOUR, 213],
    ]);
  });

  it("continues with the older bars where the newest 1,440 end", async () => {
    const from = LAST - 1540 * HOUR;
    const { times, calls } = await hours(from, LAST - 1300 * HOUR);
    expect(times).toEqual(Array.from({ length: 241 }, (_, i) => from + i * HOUR));
    expect(calls.map(([path]) => path)).toEqual(["candles", "candles", "history-candles", "history-candles"]);
  });

  it("requests UTC days from both endpoints before it returns no bars", async () => {
    const { fetch, requests } = respondWith({ "": data() });
    expect(await okx({ fetch }).history!(BTC, days)).toMatchObject({ bars: [] });
    expect(requests.map((url) => url.split("?")[0])).toEqual([`${HOST}/candles`, `${HOST}/history-candles`]);
    expect(requests[0]).toContain("bar=1Dutc");
  });

  it("stops requesting if the same bars are returned again", async () => {
    const row = ["172800000", "1", "2", "1", "2", "5", "5", "5", "1"];
    const { fetch, requests } = respondWith({ "/candles": data(row), "": data() });
    expect(await kindOf(okx({ fetch }).history!(BTC, days))).toBe("malformed");
    expect(requests.length).toBe(2);
  });
});
