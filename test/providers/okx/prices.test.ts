import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { okx } from "../../../src/providers/okx/prices.ts";
import { okxVendor } from "../../replay/okx.ts";
import { fetchFrom } from "../../replay/vendor.ts";
import { fixed, fixedWorld, MOMENT, UNLISTED_TOKEN } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, signal, token } from "../requests.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const BTC = token("BTC");

/** Responses by path, and the requested URLs. */
function respondWith(bodies: Readonly<Record<string, string>>, status = 200) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = async (input) => {
    const url = new URL(String(input));
    requests.push(`${url.host}${url.pathname}${url.search}`);
    return new Response(bodies[url.pathname] ?? '{"code":"0","msg":"","data":[]}', { status });
  };
  return { source: okx({ fetch }), requests };
}

/** The source over the replayed vendor, with `path after limit` of each call. */
function overheard() {
  const honest = fetchFrom(okxVendor, fixedWorld());
  const requests: (readonly [string, number, number])[] = [];
  const source = okx({
    fetch: (input, init) => {
      const { pathname, searchParams } = new URL(String(input));
      const path = pathname.split("/").at(-1)!;
      requests.push([path, Number(searchParams.get("after")), Number(searchParams.get("limit"))]);
      return honest(input, init);
    },
  });
  return { source, requests };
}

const CANDLES = "/api/v5/market/candles";
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
const data = (...rows: readonly unknown[]) => JSON.stringify({ code: "0", msg: "", data: rows });
const quoting = (trade: object, ticker: object) =>
  respondWith({ "/api/v5/market/trades": data(trade), "/api/v5/market/ticker": data(ticker) });

describePriceProvider("okx", {
  make: (fetch) => okx({ fetch }),
  vendor: okxVendor,
  instruments: { good: fixed("BTC-USD"), unknown: UNLISTED_TOKEN, other: fixed("ETH-USD") },
  // rows of bars carry no name
  echoless: ["history"],
  // its day is the 24 hours before the trade, not the UTC day
  quoted: (world, { symbol }) => {
    const { price, at } = world.trade(symbol)!;
    return { price, tradedAt: at };
  },
});

describeWithData("okx as recorded", ["fixtures", "okx"], (folder) => {
  const recorded = (file: string) => readFileSync(join(folder, file), "utf8");

  it("dates a price by its trade, not by the ticker", async () => {
    const row = (channel: string) =>
      new RegExp(`"channel":"${channel}","instId":"BTC-USDT"},"data":\\[(\\{.*?\\})\\]`).exec(
        recorded("cryptofeed_ws_2022-05-13.txt"),
      )![1]!;
    const [trade, ticker] = [JSON.parse(row("trades")), JSON.parse(row("tickers"))] as [object, object];
    expect(ticker).toMatchObject({ last: "30236", ts: "1652459224956" });
    expect(await quoting(trade, ticker).source.latest!(BTC, { signal })).toEqual({
      price: 30236,
      tradedAt: 1652459224818,
      previousClose: 29700.4,
      open: 29700.4,
      high: 31073,
      low: 28020.3,
      volume: 17602.13085371,
      volumeScope: "one_venue",
      venue: "OKX",
    });
  });

  it("reads bars, newest first", async () => {
    const { source, requests } = respondWith({
      [CANDLES]: recorded("nautilus_http_get_candlesticks_full.json"),
    });
    const from = 1747093980000;
    const { bars, ...rest } = await source.history!(BTC, {
      timeframe: "5m",
      from,
      until: from + MINUTE,
      signal,
    });
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
    expect(requests).toEqual([
      "www.okx.com/api/v5/market/candles?instId=BTC-USDT&bar=5m&after=1747094040001&limit=2",
    ]);
  });

  it("knows its spot market's names", () => {
    const listed = JSON.parse(recorded("nautilus_http_get_instruments_spot.json")) as {
      data: readonly { instId: string; baseCcy: string; quoteCcy: string }[];
    };
    for (const { instId, baseCcy, quoteCcy } of listed.data) expect(instId).toBe(`${baseCcy}-${quoteCcy}`);
  });
});

describe("okx", () => {
  it("takes a coin's perpetual, or another pair, for no answer", async () => {
    for (const change of [{ instType: "SWAP" }, { instId: "BTC-USD" }]) {
      const { source } = quoting(TRADE, { ...TICKER, ...change });
      expect(await kindOf(source.latest!(BTC, { signal }))).toBe("malformed");
    }
    const { source } = quoting({ ...TRADE, instId: "ETH-USDT" }, TICKER);
    expect(await kindOf(source.latest!(BTC, { signal }))).toBe("malformed");
  });

  it("leaves out figures of the day that are empty, 0 or not there", async () => {
    const { low24h: _, ...ticker } = { ...TICKER, open24h: "", high24h: "0", vol24h: "" };
    expect(await quoting(TRADE, ticker).source.latest!(BTC, { signal })).toMatchObject({
      price: 30236,
      previousClose: null,
      open: null,
      high: null,
      low: null,
      volume: null,
    });
  });

  it("takes a price of 0, or one that is no decimal, for no answer", async () => {
    for (const px of ["0", "-1", "1e5", "0x10", "", 30236]) {
      const { source } = quoting({ ...TRADE, px }, TICKER);
      expect([px, await kindOf(source.latest!(BTC, { signal }))]).toEqual([px, "malformed"]);
    }
  });

  it("refuses other instruments than tokens in USDT without a call", async () => {
    const { source, requests } = quoting(TRADE, TICKER);
    for (const of of [token("USDT"), token("$WIF"), { ...BTC, symbol: "BTC-EUR" }])
      expect(await kindOf(source.latest!(of, { signal }))).toBe("unsupported");
    expect(requests).toEqual([]);
    await kindOf(source.latest!(token("USDC"), { signal }));
    expect(requests[0]).toContain("instId=USDC-USDT");
  });

  it.each([
    [200, "51001", "unknown_symbol"],
    [200, "50011", "rate_limited"],
    [200, "50001", "down"],
    [400, "51000", "malformed"],
    [200, "1", "malformed"],
  ])("calls status %i with code %s %s", async (status, code, kind) => {
    const { source } = respondWith({ [CANDLES]: JSON.stringify({ code, msg: "words", data: [] }) }, status);
    const request = { timeframe: "1d", from: 0, until: DAY, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe(kind);
  });

  it("requests UTC days", async () => {
    const { source, requests } = respondWith({});
    await source.history!(BTC, { timeframe: "1d", from: 0, until: DAY, signal });
    expect(requests[0]).toContain("bar=1Dutc");
  });

  it("pages back 300 bars at a time and requests no more than needed", async () => {
    const { source, requests } = overheard();
    const last = Math.floor(MOMENT / HOUR) * HOUR;
    const from = last - 511 * HOUR;
    const { bars } = await source.history!(BTC, { timeframe: "1h", from, until: MOMENT, signal });
    expect(bars.filter(({ time }) => time >= from).length).toBe(512);
    expect(requests).toEqual([
      ["candles", MOMENT + 1, 300],
      ["candles", last - 299 * HOUR, 213],
    ]);
  });

  it("goes on with the older bars where the newest 1,440 end", async () => {
    const { source, requests } = overheard();
    const last = Math.floor(MOMENT / HOUR) * HOUR;
    const from = last - 1540 * HOUR;
    const { bars } = await source.history!(BTC, {
      timeframe: "1h",
      from,
      until: last - 1300 * HOUR,
      signal,
    });
    const times = bars.map(({ time }) => time).sort((a, b) => a - b);
    expect(times.filter((time) => time >= from)).toEqual(
      Array.from({ length: 241 }, (_, i) => from + i * HOUR),
    );
    expect(requests.map(([path]) => path)).toEqual([
      "candles",
      "candles",
      "history-candles",
      "history-candles",
    ]);
  });

  it("requests both endpoints before it returns no bars", async () => {
    const { source, requests } = respondWith({});
    const request = { timeframe: "1d", from: 0, until: 2 * DAY, signal } as const;
    expect(await source.history!(BTC, request)).toMatchObject({ bars: [] });
    expect(requests.map((url) => url.split("?")[0])).toEqual([
      "www.okx.com/api/v5/market/candles",
      "www.okx.com/api/v5/market/history-candles",
    ]);
  });

  it("does not ask for ever when the same bars come again", async () => {
    const { source, requests } = respondWith({
      [CANDLES]: data(["172800000", "1", "2", "1", "2", "5", "5", "5", "1"]),
    });
    const request = { timeframe: "1d", from: 0, until: 2 * DAY, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("malformed");
    expect(requests.length).toBe(2);
  });

  it("refuses more bars than thirty calls give", async () => {
    const { source, requests } = respondWith({});
    const request = { timeframe: "5m", from: 0, until: MOMENT, signal } as const;
    expect(await kindOf(source.history!(BTC, request))).toBe("unsupported");
    expect(requests).toEqual([]);
  });
});
