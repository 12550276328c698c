import { describe, expect, it } from "vitest";
import { kraken, pairOf } from "../../../src/providers/kraken/prices.ts";
import { krakenVendor, krakenWithWarnings } from "../../replay/kraken.ts";
import type { Vendor } from "../../replay/vendor.ts";
import { MOMENT } from "../../support/fixed-world.ts";
import { describeWithData } from "../../support/test-data.ts";
import { describeExchange } from "../exchange-contract.ts";
import {
  barsIn,
  kindOf,
  type Responses,
  readJson,
  respondAs,
  respondWith,
  signal,
  token,
} from "../requests.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const BTC = token("BTC");
const HOST = "https://api.kraken.com/0/public";

const holding = (key: string, value: unknown, last?: unknown) => ({
  error: [],
  result: { [key]: value, ...(last !== undefined && { last }) },
});
const TRADE = ["63243.80000", "0.00092800", 1785718731.6424, "b", "m", "", 61044952];
const DAY_OF_BTC = {
  a: ["63243.80000", "1", "1.000"],
  b: ["63243.70000", "1", "1.000"],
  c: ["63243.80000", "0.00092800"],
  v: ["55.74378179", "810.57235439"],
  p: ["63264.56913", "63240.68062"],
  t: [2105, 37019],
  l: ["63150.00000", "62759.30000"],
  h: ["63513.40000", "63712.10000"],
  o: "63500.00000",
};
const quote = (trades: readonly unknown[] = [TRADE], day: object = DAY_OF_BTC) => ({
  "/Trades": holding("XXBTZUSD", trades, "1785718731642400000"),
  "/Ticker": holding("XXBTZUSD", day),
});
const latest = (responses: Responses, of = BTC) =>
  kraken({ fetch: respondWith(responses).fetch }).latest!(of, { signal });
const history = (ohlc: unknown, { of = BTC, timeframe = "1d", from = 0, until = DAY } = {}) => {
  const { fetch, requests } = respondWith({ "/OHLC": ohlc });
  const request = { timeframe: timeframe as "1d", from, until, signal };
  return { requests, bars: kraken({ fetch }).history!(of, request) };
};

describe("a warning of Kraken", () => {
  const provider = (vendor: Vendor) => kraken({ fetch: respondAs(vendor).fetch });
  const days = { from: "2025-12-01", until: "2025-12-10" };

  it("does not refuse the data beside it", async () => {
    const [warned, plain] = [provider(krakenWithWarnings), provider(krakenVendor)];
    expect(await warned.latest!(BTC, { signal })).toEqual(await plain.latest!(BTC, { signal }));
    expect(await barsIn(warned, days, BTC)).toEqual(await barsIn(plain, days, BTC));
  });

  it("is no data, and does not hide an error", async () => {
    const answering = (error: readonly string[], result?: object) =>
      kindOf(latest({ "": { error, ...(result && { result }) } }));
    expect(await answering(["WGeneral:Deprecated"])).toBe("malformed");
    expect(await answering(["WGeneral:Deprecated", "EAPI:Rate limit exceeded"], {})).toBe("rate_limited");
  });
});

describeExchange("kraken", {
  make: kraken,
  vendor: krakenVendor,
  venue: "KRAKEN",
  quote: {
    responses: quote(),
    expected: {
      price: 63243.8,
      tradedAt: 1785718731642,
      previousClose: null,
      open: null,
      high: 63712.1,
      low: 62759.3,
      volume: 810.57235439,
      bid: 63243.7,
      ask: 63243.8,
    },
    requests: [`${HOST}/Trades?pair=XBTUSD&count=1`, `${HOST}/Ticker?pair=XBTUSD`],
  },
  partial: {
    responses: quote([TRADE], { h: ["1.0", "0.0"], v: ["6.0", "5.0"] }),
    expected: { volume: 5 },
  },
  malformed: Object.fromEntries(
    [
      ["0.00000", 1785718731],
      ["-1", 1785718731],
      ["1e5", 1785718731],
      ["63243.8", 0],
      ["63243.8", "1785718731"],
    ].map(([price, seconds]) => [
      `price "${price}" at ${JSON.stringify(seconds)}`,
      quote([[price, "1.0", seconds]]),
    ]),
  ),
  unsupported: [token("USD")],
  named: [token("DOGE"), "pair=XDGUSD"],
  bars: "/OHLC",
  pages: false,
  errors: [
    ["EQuery:Unknown asset pair", "unknown_symbol"],
    ["EAPI:Rate limit exceeded", "rate_limited"],
    ["EGeneral:Too many requests", "rate_limited"],
    ["EService: Throttled: 1764776700", "rate_limited"],
    ["EService:Unavailable", "down"],
    ["EService:Busy", "down"],
    ["EGeneral:Internal error", "down"],
    ["EGeneral:Invalid arguments", "malformed"],
  ].map(([error, kind]) => [200, { error: [error] }, kind!] as const),
});

describeWithData("kraken as recorded", ["fixtures", "kraken"], (folder) => {
  const OHLC = "xchange_example-ohlc-data.json";

  it("reads bars, oldest first, under Kraken's own name for bitcoin", async () => {
    const from = 1502402520000;
    const window = { timeframe: "5m", from, until: from + 1.5 * MINUTE };
    const { bars: response, requests } = history(readJson(folder, OHLC), window);
    const { bars, ...rest } = await response;
    expect(bars).toEqual([
      { time: 1502402520000, open: 3449.992, high: 3449.999, low: 3449.992, close: 3449.999, volume: 1.012 },
      {
        time: 1502402580000,
        open: 3449.997,
        high: 3450,
        low: 3440.001,
        close: 3440.001,
        volume: 7.36749998,
      },
    ]);
    expect(rest).toEqual({
      adjustment: "raw",
      currency: "USD",
      hours: "regular",
      volumeScope: "one_venue",
      venue: "KRAKEN",
    });
    expect(requests).toEqual([`${HOST}/OHLC?pair=XBTUSD&interval=5&since=1502402519`]);
  });

  it("rejects a window that its 720 bars do not cover", async () => {
    const window = { timeframe: "5m", from: 1502402460000, until: 1502445660000 };
    expect(await kindOf(history(readJson(folder, OHLC), window).bars)).toBe("unsupported");
  });

  it.each(["nautilus_http_ticker.json", "xchange_example-ticker-data.json"])(
    "rejects the day of another pair, in tether or in euros: %s",
    async (file) => {
      const responses = { ...quote(), "/Ticker": readJson(folder, file) };
      expect(await kindOf(latest(responses))).toBe("malformed");
    },
  );

  it("knows its dollar pairs by their requested and returned names", () => {
    const { result } = readJson<{
      result: Record<string, { altname: string; wsname?: string; quote: string }>;
    }>(folder, "xchange_example-assetpairs-data.json");
    const pairs = Object.entries(result).filter(
      ([, pair]) => pair.quote === "ZUSD" && pair.wsname !== undefined,
    );
    expect(pairs).toHaveLength(18);
    for (const [key, { altname, wsname }] of pairs) {
      const base = wsname!.split("/")[0]!;
      const pair = pairOf(token(base === "XBT" ? "BTC" : base));
      expect(pair.name).toBe(altname);
      expect(pair.keys).toContain(key);
    }
  });
});

describe("kraken", () => {
  it("takes the newest of several trades", async () => {
    const older = ["1.00000", "1.0", 1785718730.5, "b", "m", "", 1];
    for (const trades of [
      [older, TRADE],
      [TRADE, older],
    ])
      expect(await latest(quote(trades))).toMatchObject({ price: 63243.8 });
  });

  it("does not accept XTZUSD, which is Tezos, as a response about T", async () => {
    const response = { error: [], result: { XTZUSD: [TRADE], last: "1" } };
    expect(await kindOf(latest({ "": response }, token("T")))).toBe("malformed");
  });

  it.each([
    ["for a day", quote([TRADE], { ...DAY_OF_BTC, v: ["0.00000000", "0.00000000"] })],
    ["at all", quote([])],
  ])("does not know a pair that has not traded %s", async (_, responses) => {
    expect(await kindOf(latest(responses))).toBe("unknown_symbol");
  });

  it("rejects a response with two pairs", async () => {
    const result = { XXBTZUSD: [], XETHZUSD: [], last: 0 };
    expect(await kindOf(history({ error: [], result }).bars)).toBe("malformed");
  });

  it("returns no bars for an empty list, and none after the window", async () => {
    const window = { from: DAY, until: 2 * DAY };
    expect(await history(holding("XXBTZUSD", [], 0), window).bars).toMatchObject({ bars: [] });
    const row = (day: number) => [day * 86_400, "1.0", "2.0", "1.0", "2.0", "1.5", "3.0", 7];
    const { bars } = await history(holding("XXBTZUSD", [row(1), row(2), row(3)], 0), window).bars;
    expect(bars.map(({ time }) => time)).toEqual([DAY, 2 * DAY]);
  });

  it("reaches back 718 bars of each timeframe", () => {
    const { reaches } = kraken({ fetch });
    expect(reaches["1d"]).toBe(718);
    expect(reaches["4h"]).toBeCloseTo(119.67, 2);
    expect(reaches["5m"]).toBeCloseTo(2.493, 3);
  });

  it.each([
    ["BTC", "XBTUSD"],
    ["DOGE", "XDGUSD"],
    ["LUNA", "LUNA2USD"],
    ["LUNC", "LUNAUSD"],
    ["SOL", "SOLUSD"],
  ])("requests %s as %s", async (base, name) => {
    const { bars, requests } = history(holding(name, [], 0), { of: token(base), until: MOMENT });
    await bars;
    expect(requests[0]).toContain(`pair=${name}&`);
  });
});
