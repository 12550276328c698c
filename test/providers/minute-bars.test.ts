import { describe, expect, it } from "vitest";
import type { PriceProvider } from "../../src/domain/providers/price-provider.ts";
import { alpaca } from "../../src/providers/alpaca/prices.ts";
import { binance } from "../../src/providers/binance/prices.ts";
import { coinbase } from "../../src/providers/coinbase/prices.ts";
import { kraken } from "../../src/providers/kraken/prices.ts";
import { massive } from "../../src/providers/massive/prices.ts";
import { okx } from "../../src/providers/okx/prices.ts";
import { yahoo } from "../../src/providers/yahoo/prices.ts";
import { fixed } from "../support/fixed-world.ts";
import { barsIn, kindOf, respondWith, token } from "./requests.ts";

const now = Date.parse("2025-12-02T20:00:00Z");
const WINDOW = { from: "2025-12-02T14:30:00Z", until: "2025-12-02T14:32:00Z", timeframe: "1m" } as const;

type Make = (fetch: typeof globalThis.fetch) => PriceProvider;

describe("minute bars", () => {
  it.each<readonly [string, Make, "AAPL" | "BTC", string, number]>([
    ["yahoo", (fetch) => yahoo({ fetch }), "AAPL", "interval=1m&period1=1764685800", 7],
    [
      "alpaca",
      (fetch) => alpaca({ fetch, key: "k", secret: "s", now: () => now }),
      "AAPL",
      "timeframe=1Min&start=2025-12-02T14:30:00.000Z&end=2025-12-02T14:32:00.000Z",
      3650,
    ],
    [
      "massive",
      (fetch) => massive({ fetch, key: "k" }),
      "AAPL",
      "/range/1/minute/1764685800000/1764685920000",
      720,
    ],
    ["binance", (fetch) => binance({ fetch }), "BTC", "interval=1m&startTime=1764685800000", Infinity],
    [
      "coinbase",
      (fetch) => coinbase({ fetch }),
      "BTC",
      "granularity=60&start=2025-12-02T14:30:00.000Z&end=2025-12-02T14:32:00.000Z",
      Infinity,
    ],
    ["kraken", (fetch) => kraken({ fetch }), "BTC", "interval=1&since=1764685799", 718 / 1440],
    ["okx", (fetch) => okx({ fetch }), "BTC", "bar=1m&after=1764685920001", Infinity],
  ])("are requested from %s, as far as it has them", async (_name, make, of, expected, reach) => {
    const { fetch, requests } = respondWith({ "": {} });
    const provider = make(fetch);
    await kindOf(barsIn(provider, WINDOW, of === "AAPL" ? fixed("AAPL") : token("BTC")));
    expect(requests[0]).toContain(expected);
    expect(provider.reaches["1m"]).toBeCloseTo(reach, 6);
  });

  it("are read like other bars", async () => {
    const bar = (t: string, c: number) => ({ t, o: c, h: c + 1, l: c - 1, c, v: 10 });
    const rows = [
      bar("2025-12-02T14:29:00Z", 99),
      bar("2025-12-02T14:30:00Z", 100),
      bar("2025-12-02T14:31:00Z", 101),
    ];
    const { fetch } = respondWith({ "": { bars: { AAPL: rows }, next_page_token: null } });
    const { bars } = await barsIn(alpaca({ fetch, key: "k", secret: "s", now: () => now }), WINDOW);
    expect(bars).toEqual([
      { time: Date.parse("2025-12-02T14:30:00Z"), open: 100, high: 101, low: 99, close: 100, volume: 10 },
      { time: Date.parse("2025-12-02T14:31:00Z"), open: 101, high: 102, low: 100, close: 101, volume: 10 },
    ]);
  });
});
