import { describe, expect, it } from "vitest";
import { noIndices } from "../../src/app/providers/not-connected.ts";
import type { Quote } from "../../src/domain/market/market.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { getQuote } from "../../tools/get-quote.ts";
import { countingMeters, member } from "../support/context.ts";
import { marketOf, quote } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";

const quotes: Record<string, Quote> = {
  NVDA: quote(),
  "BTC-USD": quote({ price: 96_500.5, venue: "XCRY", market_state: "always_open" }),
  LINK: quote({ price: 6.25 }),
  "LINK-USD": quote({ price: 13.75, market_state: "always_open" }),
};
const { ports } = marketOf({ bars: {}, quotes });
const call = (symbol: unknown, over = {}) =>
  invoke(getQuote, { symbol }, { ports: { ...ports, ...over }, principal: member, transport: "test" });
const plain = (_style: string, text: string) => text;

describe("get_quote", () => {
  it("returns the price with its time, venue and delay", async () => {
    expect(await call(" nvda ")).toEqual({
      ok: true,
      symbol: "NVDA",
      asset_class: "equity",
      venue: "XTST",
      data: {
        price: 182.5,
        change: -1.5,
        changePercent: -0.82,
        volume: 12_000_000,
        high: 185,
        low: 181.25,
        open: 184,
        source: "fixture",
        timestamp: "2026-01-15T14:50:00.000Z",
        price_source: "live_quote",
        market_state: "regular",
        delayed_minutes: 0,
        currency: "USD",
      },
      provenance: {
        provider: "fixture",
        fetched_at: "2026-01-15T15:00:00.000Z",
        as_of: "2026-01-15T14:50:00.000Z",
        delay_minutes: 0,
        session: null,
        adjustment: "raw",
        currency: "USD",
        stale: false,
        fallback_from: [],
        comparison: null,
        check: null,
        converted: null,
      },
      alternatives: [],
      label: "SAMPLE (simulated)",
    });
  });

  it.each(["BTC/USD", "BTC-USD", "btc", "BTCUSDT"])("reads %s as the token's pair", async (text) => {
    expect(await call(text)).toMatchObject({
      symbol: "BTC-USD",
      asset_class: "crypto",
      venue: "XCRY",
      data: { price: 96_500.5 },
    });
  });

  it("returns the level of an index in points, with its fund", async () => {
    const level = quote({ price: 6_930.5, volume: null, venue: "US" });
    const indices = { ...noIndices(), missing: null, quotes: { latest: async () => level } };
    const answer = await call("S&P 500", { indices });
    expect(answer).toMatchObject({
      symbol: "^GSPC",
      asset_class: "index",
      data: { price: 6_930.5, volume: null, currency: null },
      index_note:
        "An index is in points, has no volume and cannot be traded. SPY (SPDR S&P 500 ETF) is a fund that tracks it.",
      alternatives: [],
    });
    expect(getQuote.terminal!(answer as never, plain)).toContain("^GSPC 6930.5 points -1.50 (-0.82%)");
  });

  it("refuses an index in a market without levels, with its fund and what has them", async () => {
    await expect(call("^VIX")).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      message: "^VIX is the volatility index of the S&P 500, which cannot be traded",
      hint: "VIXY is a fund that holds its futures, which move less and lose value over time. The level of an index needs MARKET_DATA=live.",
      data: { symbol: "^VIX", price: null },
    });
  });

  it("resolves a name that a stock and a token share to the stock, and lists the token", async () => {
    expect(await call("LINK")).toMatchObject({
      symbol: "LINK",
      asset_class: "equity",
      data: { price: 6.25 },
      alternatives: [{ symbol: "LINK-USD", asset_class: "crypto" }],
    });
    expect(await call("LINK/USD")).toMatchObject({
      symbol: "LINK-USD",
      asset_class: "crypto",
      data: { price: 13.75 },
      alternatives: [],
    });
  });

  it("rejects an unknown symbol with a null price, never 0, and the nearest names", async () => {
    await expect(call("NVDAA")).rejects.toMatchObject({
      code: "UNKNOWN_SYMBOL",
      data: {
        symbol: "NVDAA",
        price: null,
        data: { price: null },
        candidates: [{ symbol: "NVDA", name: "Nvidia", asset_class: "equity" }],
      },
    });
  });

  it("fails with NO_PRICE when there is no price", async () => {
    await expect(call("AAPL")).rejects.toMatchObject({
      code: "NO_PRICE",
      data: { symbol: "AAPL", price: null, data: { price: null } },
    });
  });

  it("rejects an invalid symbol before the daily quota is charged", async () => {
    const { meters, debits } = countingMeters();
    await expect(call("A".repeat(41), { meters })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(call("  ", { meters })).rejects.toMatchObject({ code: "INVALID_INPUT" });
    expect(debits).toEqual({ burst: 2, day: 0 });
  });

  it("omits unknown figures on a terminal", async () => {
    const unknown = { change: null, changePercent: null, volume: null, high: null, low: null, open: null };
    const latest = async () => quote(unknown);
    expect(getQuote.terminal!(await call("NVDA", { quotes: { latest } }), plain)).toBe(
      "NVDA 182.5 USD\nlive_quote from fixture (XTST), traded 2026-01-15T14:50:00.000Z",
    );
  });

  it("rounds a change on a terminal, and omits an unknown percentage", async () => {
    const shown = async (over: Partial<Quote>) => {
      const latest = async () => quote(over);
      return getQuote.terminal!(await call("NVDA", { quotes: { latest } }), plain).split("\n")[0];
    };
    expect(await shown({})).toBe("NVDA 182.5 USD -1.50 (-0.82%)");
    expect(await shown({ change: 0.1 + 0.2, changePercent: 0.0004 })).toBe("NVDA 182.5 USD +0.30 (+0.00%)");
    expect(await shown({ changePercent: null })).toBe("NVDA 182.5 USD -1.50");
    expect(await shown({ price: 0.0825, change: -0.00125, changePercent: -1.4925 })).toBe(
      "NVDA 0.0825 USD -0.001250 (-1.49%)",
    );
  });
});

toolContract(getQuote, { ports });
