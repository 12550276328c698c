import { describe, expect, it } from "vitest";
import type { Quotes } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getQuotes } from "../../tools/get-quotes.ts";
import { pro } from "../support/context.ts";
import { marketOf, quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = marketOf({
  bars: {},
  quotes: {
    AAPL: quote({ price: 138, bid: 137.9, ask: 138.1 }),
    MSFT: quote({ price: 410 }),
    SPY: quote({ price: 600 }),
    QQQ: quote({ price: 500 }),
    "BTC-USD": quote({ price: 96_500.5, venue: "XCRY", market_state: "always_open" }),
  },
});
const call = (symbols: readonly string[], over = {}) =>
  invoke(getQuotes, { symbols }, { ports: { ...ports, ...over }, principal: pro, transport: "test" });
const plain = (_style: string, text: string) => text;

describe("get_quotes", () => {
  it("returns one row per instrument in the order of the request, each with its provenance", async () => {
    const { quotes, count, requested, errors } = await call(["MSFT", "aapl", "BTC/USD", "AAPL"]);
    expect(quotes.map(({ symbol, price, venue }) => [symbol, price, venue])).toEqual([
      ["MSFT", 410, "XTST"],
      ["AAPL", 138, "XTST"],
      ["BTC-USD", 96_500.5, "XCRY"],
    ]);
    expect([count, requested, errors]).toEqual([3, 3, []]);
    for (const { provenance } of quotes)
      expect(provenance).toMatchObject({ provider: "fixture", currency: "USD", stale: false, check: null });
  });

  it("has bid and ask where the provider has them, else null with the reason", async () => {
    const { quotes } = await call(["AAPL", "MSFT"]);
    expect(quotes.map(({ bid, ask, bid_ask_reason }) => [bid, ask, bid_ask_reason])).toEqual([
      [137.9, 138.1, null],
      [null, null, "fixture has no bid and ask for it"],
    ]);
  });

  it("lists unknown symbols and those without a price as errors", async () => {
    const { quotes, errors } = await call(["NVDAA", "AAPL", "TSLA"]);
    expect(quotes).toHaveLength(1);
    expect(errors).toMatchObject([
      { symbol: "NVDAA", code: "UNKNOWN_SYMBOL" },
      { symbol: "TSLA", code: "NO_PRICE" },
    ]);
  });

  it("fails if no provider responds, rather than with an empty list", async () => {
    const latest = () => Promise.reject(new ToolError("UPSTREAM_UNAVAILABLE", "No provider answered"));
    await expect(call(["AAPL", "MSFT"], { quotes: { latest } })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("fetches all instruments at once before it reads each", async () => {
    const fetched: string[][] = [];
    const quotes: Quotes = {
      ...ports.quotes,
      prefetch: async (instruments) => void fetched.push(instruments.map(({ symbol }) => symbol)),
    };
    await call(["AAPL", "MSFT", "NVDAA"], { quotes });
    expect(fetched).toEqual([["AAPL", "MSFT"]]);
  });

  it("prints several symbols as a table that fits the terminal", async () => {
    const paint = Object.assign((_: string, text: string) => text, { columns: 80, allColumns: "--json" });
    const [head, ...rows] = getQuotes.terminal!(await call(["AAPL", "MSFT", "NVDAA"]), paint).split("\n");
    expect(head).toBe("symbol  price  change %    bid    ask  kind        traded");
    expect(rows).toEqual([
      "AAPL      138     -0.82  137.9  138.1  live quote  2026-01-15T14:50:00Z",
      expect.stringMatching(/^MSFT {2,}\d+/),
      "Not shown at this width: currency, provider; --json has all",
      expect.stringMatching(/^NVDAA UNKNOWN_SYMBOL: /),
    ]);
  });

  it("prints a line per symbol", async () => {
    expect(getQuotes.terminal!(await call(["AAPL", "NVDAA"]), plain).split("\n")).toEqual([
      "AAPL 138 USD -0.82%, bid 137.9, ask 138.1  live_quote from fixture, traded 2026-01-15T14:50:00.000Z",
      expect.stringMatching(/^NVDAA UNKNOWN_SYMBOL: /),
    ]);
  });
});

toolContract(getQuotes, { ports });
