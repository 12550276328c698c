import { expect, it } from "vitest";
import {
  Candles,
  type ExchangeOptions,
  type ExchangeQuote,
  exchange,
  FULL_HISTORY,
  tokenTicker,
} from "../../../src/providers/shared/exchange.ts";
import { kindOf, signal, stock, token } from "../requests.ts";

const DAY = 86_400_000;
const QUOTE: ExchangeQuote = { price: 10, tradedAt: 5 };

function source(quote: ExchangeQuote, options: Partial<ExchangeOptions<string>> = {}) {
  const pairs: string[] = [];
  const { latest, history } = exchange<string>({
    name: "acme",
    venue: "ACME",
    budget: { calls: 1, perMs: 1000, atOnce: 1 },
    reaches: FULL_HISTORY,
    pairOf: (instrument) => `${tokenTicker(instrument, ["USDT"])}-USD`,
    quote: async (pair) => {
      pairs.push(pair);
      return quote;
    },
    bars: async (pair) => {
      pairs.push(pair);
      return { bars: [] };
    },
    ...options,
  });
  return { latest: latest!, history: history!, pairs };
}

it("returns missing figures of the day as null, and the open as the previous close", async () => {
  const { latest } = source({ ...QUOTE, open: 9 });
  expect(await latest(token("BTC"), { signal })).toEqual({
    price: 10,
    currency: "USD",
    bid: null,
    ask: null,
    tradedAt: 5,
    previousClose: 9,
    open: 9,
    high: null,
    low: null,
    volume: null,
    volumeScope: "one_venue",
    venue: "ACME",
  });
});

it.each([
  ["a pair without trades in 24 hours", { ...QUOTE, volume: 0 }, "unknown_symbol"],
  ["a pair whose volume is missing", QUOTE, "answered"],
] as const)("answers %s", async (_, quote, kind) => {
  expect(await kindOf(source(quote).latest(token("BTC"), { signal }))).toBe(kind);
});

it("rejects other instruments, timeframes and too many bars without a call", async () => {
  const request = { timeframe: "1d", from: 0, until: 3 * DAY, signal } as const;
  const { latest, history, pairs } = source(QUOTE, { maxBars: 2, reaches: { "1d": 1, "1h": 1 } });
  for (const instrument of [stock("AAPL"), token("USDT"), token("$WIF")])
    expect(await kindOf(latest(instrument, { signal }))).toBe("unsupported");
  expect(await kindOf(history(token("BTC"), { ...request, timeframe: "5m", until: 0 }))).toBe("unsupported");
  expect(await kindOf(history(token("BTC"), request))).toBe("unsupported");
  expect(pairs).toEqual([]);
  expect(await kindOf(history(token("BTC"), { ...request, until: 2 * DAY }))).toBe("answered");
  expect(pairs).toEqual(["BTC-USD"]);
});

it("reads prices of 0 as missing, ignores additional cells, and rejects text that is not a decimal", async () => {
  expect(await Candles.parseAsync([[DAY, "0", "2", "1", "2.5", "5", "6"]])).toEqual([
    { time: DAY, open: null, high: 2, low: 1, close: 2.5, volume: 5 },
  ]);
  for (const row of [
    [DAY, "1", "2", "1", "2"],
    [0.5, "1", "2", "1", "2", "5"],
    [DAY, "1e5", "2", "1", "2", "5"],
  ])
    expect((await Candles.safeParseAsync([row])).success).toBe(false);
});
