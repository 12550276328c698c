import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { Symbols } from "../../../src/domain/ports.ts";
import { createDirectory, createLiveDirectory } from "../../../src/market/symbols/directory.ts";
import { embeddedListings } from "../../../src/market/symbols/listings.ts";
import { longLists } from "../../support/long-lists.ts";
import { describeWithData } from "../../support/test-data.ts";

const listings = embeddedListings();
const directory = createDirectory({ members: [], listings });

const read = (text: string) => directory.resolve(text).instrument.symbol;
const others = (text: string) => directory.resolve(text).alternatives.map(({ symbol }) => symbol);

describe("a symbol typed by a user", () => {
  test.each(["AAPL", "aapl", "  AaPl\t", "$AAPL", "$aapl", "AAPL.US"])("%o is Apple", (text) => {
    expect(directory.resolve(text)).toEqual({
      instrument: {
        symbol: "AAPL",
        name: "Apple",
        asset_class: "equity",
        sector: "Information Technology",
        currency: "USD",
      },
      alternatives: [],
    });
  });

  test.each(["NASDAQ:AAPL", "AAPL US", "AAPL US Equity", "aapl:us", "AAPL.O", "AAPL.OQ", "AAPL:xnas"])(
    "%o names the exchange of Apple",
    (text) => expect([read(text), others(text)]).toEqual(["AAPL", []]),
  );

  test.each([
    "LON:VOD",
    "VOD.L",
    "T CN Equity",
    "RY:CA",
    "SAP:xetr",
    "U.N",
    "NASDAQ:DOGE",
    "all us",
    "AAPL.US US",
  ])("%o is no US listing", (text) => expect(directory.find(text)).toBeNull());

  test("LINK of an exchange is the stock alone, and a share class has its dot", () => {
    expect([read("NYSE:LINK"), others("NYSE:LINK")]).toEqual(["LINK", []]);
    expect(read("NYSE:BRK.B")).toBe("BRK.B");
    expect(read("BRK/B US")).toBe("BRK.B");
  });

  test.each(["BRK.B", "BRK-B", "BRK/B", "brk.b", " brk_b "])("%o is the class B share", (text) => {
    expect(read(text)).toBe("BRK.B");
    expect(others(text)).toEqual([]);
  });

  test.each([
    "BTC-USD",
    "BTC/USD",
    "BTCUSD",
    "BTCUSDT",
    "BTC-USDT",
    "btc/usdt",
    "BTCUSDC",
    "btc-usdc",
    "BTC_USDT",
    "$BTC-USD",
  ])("%o is Bitcoin and nothing else", (text) => {
    expect(read(text)).toBe("BTC-USD");
    expect(others(text)).toEqual([]);
  });

  test.each([
    ["LINK", "LINK", ["LINK-USD"]],
    ["T", "T", ["T-USD"]],
    ["LTC", "LTC", ["LTC-USD"]],
    ["LEO", "LEO", ["LEO-USD"]],
    ["link-usd", "LINK-USD", []],
    ["LINK.US", "LINK", []],
  ])("%o, a stock and a token, resolves to %s with alternatives %o", (text, symbol, alternatives) => {
    expect(read(text)).toBe(symbol);
    expect(others(text)).toEqual(alternatives);
  });

  test.each([
    ["BTC", "BTC-USD", ["BTC.US"]],
    ["ETH", "ETH-USD", ["ETH.US"]],
    ["XRP", "XRP-USD", ["XRP.US"]],
    ["NEAR", "NEAR-USD", ["NEAR.US"]],
    ["btc.us", "BTC.US", []],
    ["DIA", "DIA", ["DIA-USD"]],
    ["ARB", "ARB", ["ARB-USD"]],
  ])("%o, a fund and a token, resolves to %s with alternatives %o", (text, symbol, alternatives) => {
    expect(read(text)).toBe(symbol);
    expect(others(text)).toEqual(alternatives);
  });

  test.each(["SOL", "DOGE", "PEPE", "1INCH", "USDT"])(
    "%o, a token without a US listing, is its USD pair",
    (text) => {
      expect(directory.resolve(text)).toMatchObject({
        instrument: { symbol: `${text}-USD`, asset_class: "crypto" },
        alternatives: [],
      });
    },
  );

  test.each([
    ["CUSD", "CUSD", "etf"],
    ["USD", "USD", "etf"],
    ["PYUSD", "PYUSD-USD", "crypto"],
    ["USDTUSD", "USDT-USD", "crypto"],
    ["USDCUSDT", "USDC-USD", "crypto"],
    ["MUSDT", "M-USD", "crypto"],
    ["BF-B", "BF.B", "equity"],
    ["PBR.A", "PBR.A", "equity"],
  ])("%o is not torn apart: %s, %s", (text, symbol, asset_class) => {
    expect(directory.resolve(text).instrument).toMatchObject({ symbol, asset_class });
  });
});

describeWithData(
  "names that stocks and tokens share",
  ["universe", "collisions_equity_vs_token.csv"],
  (file) => {
    const rows = readFileSync(file, "utf8")
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.match(/^([^,]+),(?:"[^"]*"|[^,]*),[^,]*,(EQ|ETF),.*,(True|False)$/)!)
      .map(([, symbol, kind, top50]) => ({ symbol: symbol!, kind: kind!, major: top50 === "True" }));

    let live: Symbols;
    beforeAll(async () => {
      live = createLiveDirectory({ listings: (await longLists()).listings }).symbols;
    });

    test("number 54", () => expect(rows).toHaveLength(54));

    test.each(rows)(
      "$symbol ($kind, major token: $major) resolves by the rules, with the other instrument as alternative",
      ({ symbol, kind, major }) => {
        const token = `${symbol}-USD`;
        const tokenFirst = kind === "ETF" && major;
        const listing = tokenFirst ? `${symbol}.US` : symbol;
        for (const { resolve } of [directory, live]) {
          const { instrument, alternatives } = resolve(symbol);
          expect(instrument.symbol).toBe(tokenFirst ? token : listing);
          expect(alternatives.map((other) => other.symbol)).toEqual([tokenFirst ? listing : token]);
          expect(resolve(`${symbol}.US`).instrument.asset_class).toBe(kind === "ETF" ? "etf" : "equity");
          expect(resolve(token)).toMatchObject({
            instrument: { symbol: token, asset_class: "crypto" },
            alternatives: [],
          });
          expect(resolve(`${symbol}USDT`).instrument.symbol).toBe(token);
        }
      },
    );
  },
);
