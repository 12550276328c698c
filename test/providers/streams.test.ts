import { describe, expect, it } from "vitest";
import type { Instrument } from "../../src/domain/market/market.ts";
import { embeddedListings } from "../../src/market/symbols/listings.ts";
import { alpacaStream } from "../../src/providers/alpaca/stream.ts";
import { binanceStream } from "../../src/providers/binance/stream.ts";
import { coinbaseStream } from "../../src/providers/coinbase/stream.ts";
import { krakenStream } from "../../src/providers/kraken/stream.ts";

const key = { key: "id", secret: "secret" };
const alpaca = alpacaStream(key);
const binance = binanceStream({});
const coinbase = coinbaseStream({});
const kraken = krakenStream({});

const { us, tokens } = embeddedListings();
const listed = new Map(
  [...us.values(), ...tokens.values()].map(({ instrument }) => [instrument.symbol, instrument]),
);
const token = (symbol: string): Instrument => ({ ...listed.get("BTC-USD")!, symbol });
const read = ({ createParser }: Pick<typeof kraken, "createParser">, ...messages: readonly unknown[]) => {
  const parse = createParser();
  return messages.flatMap((message) => parse(JSON.stringify(message)));
};

describe("names of instruments", () => {
  it("are those of the provider's stream", () => {
    expect(["AAPL", "BRK.B", "SPY"].map((symbol) => alpaca.symbolOf(listed.get(symbol)!))).toEqual([
      "AAPL",
      "BRK.B",
      "SPY",
    ]);
    expect(alpaca.symbolOf(token("BTC-USD"))).toBeNull();
    const names = ["BTC-USD", "DOGE-USD", "LUNA-USD", "LUNC-USD", "CELO-USD", "USDT-USD"].map(token);
    expect(names.map(kraken.symbolOf)).toEqual([
      "BTC/USD",
      "DOGE/USD",
      "LUNA2/USD",
      "LUNA/USD",
      "CELO/USD",
      "USDT/USD",
    ]);
    expect(names.map(coinbase.symbolOf).slice(-2)).toEqual(["CGLD-USD", "USDT-USD"]);
    expect(names.map(binance.symbolOf).slice(-2)).toEqual(["CELOUSDT", null]);
    for (const provider of [kraken, coinbase, binance])
      expect(provider.symbolOf(listed.get("AAPL")!)).toBeNull();
  });
});

describe("addresses", () => {
  it("are the provider's, or below the URL that replaces the provider's", () => {
    expect([alpaca, binance, coinbase, kraken].map(({ url }) => url)).toEqual([
      "wss://stream.data.alpaca.markets/v2/iex",
      "wss://data-stream.binance.vision/stream",
      "wss://ws-feed.exchange.coinbase.com",
      "wss://ws.kraken.com/v2",
    ]);
    const at = (baseUrl: string) => krakenStream({ baseUrl }).url;
    expect([at("http://127.0.0.1:8899/kraken/"), at("https://proxy.test")]).toEqual([
      "ws://127.0.0.1:8899/kraken/v2",
      "wss://proxy.test/v2",
    ]);
  });
});

// the examples of the providers' documentation
describe("documented messages", () => {
  it("are read: Alpaca", () => {
    const trade = {
      T: "t",
      i: 96921,
      S: "AAPL",
      x: "D",
      p: 126.55,
      s: 1,
      t: "2021-02-22T15:51:44.208123456Z",
      c: ["@", "I"],
      z: "C",
    };
    expect(
      read(alpaca, [{ T: "success", msg: "connected" }], [{ T: "success", msg: "authenticated" }]),
    ).toEqual([{ kind: "ready" }]);
    expect(read(alpaca, [{ T: "subscription", trades: ["AAPL"], quotes: [], bars: ["*"] }, trade])).toEqual([
      {
        kind: "quote",
        symbol: "AAPL",
        quote: {
          price: 126.55,
          tradedAt: Date.parse("2021-02-22T15:51:44.208Z"),
          previousClose: null,
          open: null,
          high: null,
          low: null,
          volume: null,
          volumeScope: "one_venue",
          venue: "IEX",
        },
      },
    ]);
    const errors = [400, 401, 402, 403, 404, 405, 406, 407, 409].map(
      (code) => read(alpaca, [{ T: "error", code, msg: "" }])[0],
    );
    const rejected = { kind: "closing", reason: "rejected" };
    expect(errors).toEqual([
      undefined,
      rejected,
      rejected,
      undefined,
      rejected,
      { kind: "full" },
      rejected,
      { kind: "closing", reason: "down" },
      rejected,
    ]);
  });

  it("are read: a day's bar of another day does not describe a trade", () => {
    const bar = { T: "d", S: "AAPL", o: 120, h: 130, l: 119, c: 125, v: 9, t: "2021-02-19T05:00:00Z" };
    const trade = { T: "t", S: "AAPL", p: 126.55, t: "2021-02-22T15:51:44.208Z" };
    expect(read(alpaca, [bar, trade])[0]).toMatchObject({
      quote: { price: 126.55, high: null, volume: null },
    });
    const today = { ...bar, t: "2021-02-22T05:00:00Z" };
    expect(read(alpaca, [today, trade])[0]).toMatchObject({ quote: { open: 120, high: 130, volume: 9 } });
  });

  it("are read: Binance", () => {
    const trade = {
      e: "aggTrade",
      E: 1672515782136,
      s: "BNBBTC",
      a: 12345,
      p: "0.001",
      q: "100",
      f: 100,
      l: 105,
      T: 1672515782136,
      m: true,
      M: true,
    };
    const day = {
      e: "24hrTicker",
      E: 1672515782136,
      s: "BNBBTC",
      p: "0.0015",
      P: "250.00",
      c: "0.0025",
      o: "0.0010",
      h: "0.0025",
      l: "0.0010",
      v: "10000",
      C: 86400000,
    };
    const events = read(
      binance,
      { result: null, id: 1 },
      { stream: "bnbbtc@ticker", data: day },
      { stream: "bnbbtc@aggTrade", data: trade },
    );
    expect(events).toMatchObject([
      {
        kind: "quote",
        symbol: "BNBBTC",
        quote: {
          price: 0.001,
          tradedAt: 1672515782136,
          open: 0.001,
          previousClose: 0.001,
          high: 0.0025,
          low: 0.001,
          volume: 10_000,
        },
      },
    ]);
    expect(read(binance, { stream: "!", data: { e: "serverShutdown", E: 1 } })).toEqual([
      { kind: "closing", reason: "down" },
    ]);
    expect(binance.subscribe(["BTCUSDT"]).map((text) => JSON.parse(text))).toEqual([
      { method: "SUBSCRIBE", params: ["btcusdt@aggTrade", "btcusdt@ticker"], id: 1 },
    ]);
  });

  it("are read: Coinbase", () => {
    const ticker = {
      type: "ticker",
      sequence: 20401309348,
      product_id: "BTC-USD",
      price: "20608.9",
      open_24h: "20339.07",
      volume_24h: "646.52524689",
      low_24h: "20059.17",
      high_24h: "20965.95",
      volume_30d: "10899.20555282",
      best_bid: "20602.07",
      best_ask: "20611.92",
      side: "buy",
      time: "2022-10-26T19:40:02.207724Z",
      trade_id: 68077668,
      last_size: "0.05",
    };
    expect(
      read(coinbase, { type: "subscriptions", channels: [] }, { type: "heartbeat" }, ticker),
    ).toMatchObject([
      {
        kind: "quote",
        symbol: "BTC-USD",
        quote: {
          price: 20_608.9,
          tradedAt: Date.parse("2022-10-26T19:40:02.207Z"),
          previousClose: 20_339.07,
          high: 20_965.95,
          low: 20_059.17,
          volume: 646.52524689,
        },
      },
    ]);
    // a figure in another notation does not cost the price
    expect(read(coinbase, { ...ticker, open_24h: "7.3e-7" })[0]).toMatchObject({
      quote: { price: 20_608.9, previousClose: null },
    });
    const error = (reason: string) => ({ type: "error", message: "Failed to subscribe", reason });
    expect(read(coinbase, error("FOO-USD is not a valid product"), error("rate limit"))).toEqual([
      { kind: "refused", symbol: "FOO-USD" },
    ]);
  });

  it("are read: Kraken", () => {
    const row = {
      symbol: "ALGO/USD",
      bid: 0.10025,
      bid_qty: 740.0,
      ask: 0.10036,
      ask_qty: 1361.44813783,
      last: 0.10035,
      volume: 997038.98383185,
      vwap: 0.10148,
      low: 0.09979,
      high: 0.10285,
      change: -0.00017,
      change_pct: -0.17,
      timestamp: "2023-09-25T07:49:37.708706Z",
    };
    const message = (type: string) => ({ channel: "ticker", type, data: [row] });
    expect(read(kraken, message("snapshot"), { channel: "heartbeat" }, message("update"))).toMatchObject([
      {
        kind: "quote",
        symbol: "ALGO/USD",
        quote: {
          price: 0.10035,
          tradedAt: Date.parse("2023-09-25T07:49:37.708Z"),
          previousClose: 0.10052,
          high: 0.10285,
          low: 0.09979,
          volume: 997038.98383185,
        },
      },
    ]);
    expect(
      read(kraken, {
        error: "Currency pair not supported FOO/USD",
        method: "subscribe",
        success: false,
        symbol: "FOO/USD",
      }),
    ).toEqual([{ kind: "refused", symbol: "FOO/USD" }]);
  });

  it.each([alpaca, binance, coinbase, kraken])("never fail on other text: $name", ({ createParser }) => {
    const parse = createParser();
    for (const text of [
      "",
      "null",
      "[]",
      "{}",
      "[[]]",
      '"x"',
      "<html>",
      '{"data":null}',
      '[{"T":"t"}]',
      "1e999",
    ])
      expect(parse(text)).toEqual([]);
  });
});
