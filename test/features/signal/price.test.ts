import { describe, expect, it } from "vitest";
import type { Quotes } from "../../../src/domain/ports.ts";
import { pricedPictureOf } from "../../../src/features/signal/price.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { FRESH, quote, STALE, smallMarket } from "../../support/market.ts";

const signal = new AbortController().signal;
const priced = async (quotes: Quotes, as_of?: string) => {
  const request = { symbol: "AAPL", timeframe: "1d", as_of, signal } as const;
  return (await pricedPictureOf(request, { ...smallMarket().ports, quotes })).price;
};

describe("the price of a signal", () => {
  it("is the quote, with its time", async () => {
    expect(await priced({ latest: async () => quote({ price: 140 }) })).toEqual({
      value: 140,
      source: "live_quote",
      as_of: "2026-01-15T14:50:00.000Z",
      market_state: "regular",
      reason: null,
      quote: quote({ price: 140 }),
    });
  });

  it.each(["delayed_quote", "prior_close", "last_trade"] as const)(
    "is omitted with the reason when the quote is a %s",
    async (price_source) => {
      const close = { timestamp: "2026-01-14T21:00:00.000Z", market_state: "closed" } as const;
      const late = quote({ price: 140, price_source, ...close });
      expect(await priced({ latest: async () => late })).toEqual({
        value: null,
        source: price_source,
        as_of: null,
        market_state: "closed",
        reason: `No live price: the last known trade is 140 USD at 2026-01-14T21:00:00.000Z (${price_source} from fixture, market closed).`,
        quote: late,
      });
    },
  );

  it("is omitted with the reason when it is far from the decision close", async () => {
    const wrong = quote({ price: 13_775 });
    expect(await priced({ latest: async () => wrong })).toMatchObject({
      value: null,
      source: "live_quote",
      reason: expect.stringMatching(
        /^The price of fixture, 13775 USD .* more than 40% from the decision bar's close of 137\.375: /,
      ),
    });
  });

  it("is omitted when no second provider confirms it, or it is not in dollars", async () => {
    const check = {
      reason: "far_from_close",
      close: 120,
      close_as_of: null,
      witness: "cnbc",
      deviation_percent: 16.6667,
      limit_percent: 4,
      confirmed: false,
    } as const;
    const doubted = quote({ price: 140, price_source: "unconfirmed_quote", origin: { ...FRESH, check } });
    expect(await priced({ latest: async () => doubted })).toMatchObject({
      value: null,
      source: "unconfirmed_quote",
      reason:
        "The price of fixture, 140 USD at 2026-01-15T14:50:00.000Z, is 16.6667% from the last official close of 120, more than 4%: not called live: no second provider confirms it.",
    });
    const tether = quote({ price: 140, currency: "USDT" });
    expect(await priced({ latest: async () => tether })).toMatchObject({
      value: null,
      reason:
        "No price in US dollars: the last known trade is 140 USDT at 2026-01-15T14:50:00.000Z (fixture).",
    });
  });

  it("is omitted when the quote is cached because no provider responds", async () => {
    const late = quote({ origin: STALE });
    expect(await priced({ latest: async () => late })).toMatchObject({ value: null });
  });

  it("is the newest close of the files, as in a quote, unless it is far from the decision close", async () => {
    const file = { price_source: "file_close", timestamp: "2026-01-15T14:00:00.000Z" } as const;
    const far = quote({ price: 999, ...file });
    expect(await priced({ latest: async () => far })).toMatchObject({
      value: null,
      source: "file_close",
      reason: expect.stringContaining("the files of this symbol may be adjusted differently"),
    });
    const newer = quote({ price: 139.5, ...file });
    expect(await priced({ latest: async () => newer })).toEqual({
      value: 139.5,
      source: "file_close",
      as_of: "2026-01-15T14:00:00.000Z",
      market_state: "regular",
      reason: null,
      quote: null,
    });
  });

  it("is the decision bar's close for a past signal, without a request", async () => {
    const nobody = { latest: () => Promise.reject(new Error("asked")) };
    expect(await priced(nobody, "2026-01-13")).toMatchObject({
      value: 137.25,
      source: "historical_close",
      as_of: "2026-01-13T21:00:00.000Z",
    });
  });

  it("is null with the reason when there is none, and the signal remains", async () => {
    const none = { latest: () => Promise.reject(new ToolError("NO_PRICE", "No price of AAPL")) };
    expect(await priced(none)).toEqual({
      value: null,
      source: null,
      as_of: null,
      market_state: null,
      reason: "No price of AAPL",
      quote: null,
    });
  });
});
