import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/kernel/errors.ts";
import { streamQuotes } from "../../tools/stream-quotes.ts";
import { member } from "../support/context.ts";
import { marketOf, quote, STALE } from "../support/market.ts";
import { streamedPrices } from "../support/quote-streams.ts";
import { callerOf, invalidField } from "../support/tool-call.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports } = marketOf({ bars: {}, quotes: { NVDA: quote(), LINK: quote({ price: 6.25 }) } });
const call = callerOf(streamQuotes, ports, member);
const plain = (_style: string, text: string) => text;

/** A market with a price of every symbol of the examples. */
function streamedMarket() {
  const { quotes, quoteStreams } = streamedPrices({ AAPL: 1, NVDA: 2, "BTC-USD": 3, SPY: 4, QQQ: 5 });
  return { quotes, quoteStreams };
}

describe("stream_quotes", () => {
  it("returns each symbol once, with its price, its time and where it comes from", async () => {
    expect(await call({ symbols: ["nvda", "NVDA", "LINK"] })).toEqual({
      ok: true,
      as_of: "2026-01-15T15:00:00.000Z",
      quotes: [
        {
          symbol: "NVDA",
          asset_class: "equity",
          price: 182.5,
          change: -1.5,
          changePercent: -0.82,
          source: "fixture",
          venue: "XTST",
          timestamp: "2026-01-15T14:50:00.000Z",
          price_source: "live_quote",
          market_state: "regular",
          delayed_minutes: 0,
          stale: false,
          feed: "poll",
          reason: null,
        },
        expect.objectContaining({ symbol: "LINK", price: 6.25 }),
      ],
      watching: ["NVDA", "LINK"],
      alternatives: [expect.objectContaining({ symbol: "LINK-USD" })],
      label: "SAMPLE (simulated)",
      market: "sample",
    });
  });

  it("says which prices come from an open stream, and which are stale", async () => {
    const { quotes, send } = streamedPrices({ NVDA: 1, AAPL: 2 });
    send("NVDA", 3);
    expect((await call({ symbols: ["NVDA", "AAPL"] }, { quotes })).quotes).toMatchObject([
      { symbol: "NVDA", price: 3, feed: "stream" },
      { symbol: "AAPL", price: 2, feed: "poll" },
    ]);
    const stale = { latest: async () => quote({ origin: STALE }) };
    expect((await call({ symbols: ["NVDA"] }, { quotes: stale })).quotes[0]).toMatchObject({ stale: true });
  });

  it("returns null with the reason for a symbol without a price, and fails without any price", async () => {
    const { quotes, failing } = streamedPrices({ NVDA: 1 });
    failing.set("AAPL", new ToolError("UPSTREAM_UNAVAILABLE", "No provider of AAPL responds"));
    const { quotes: rows } = await call({ symbols: ["AAPL", "NVDA"] }, { quotes });
    const { symbol, asset_class, stale, feed, reason, ...figures } = rows[0]!;
    expect([symbol, asset_class, stale, feed, reason]).toEqual([
      "AAPL",
      "equity",
      false,
      "poll",
      "No provider of AAPL responds",
    ]);
    expect(figures).toHaveProperty("price");
    expect(new Set(Object.values(figures))).toEqual(new Set([null]));
    expect(rows[1]).toMatchObject({ price: 1, reason: null });
    await expect(call({ symbols: ["AAPL"] }, { quotes })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
    failing.set("AAPL", new ToolError("INTERNAL", "A defect"));
    await expect(call({ symbols: ["AAPL", "NVDA"] }, { quotes })).rejects.toMatchObject({ code: "INTERNAL" });
  });

  it("takes 1 to 20 symbols", async () => {
    await expect(call({ symbols: [] })).rejects.toMatchObject(invalidField("/symbols"));
    const many = Array.from({ length: 21 }, () => "NVDA");
    await expect(call({ symbols: many })).rejects.toMatchObject(invalidField("/symbols"));
  });

  it("is printed one symbol per line", async () => {
    const { quotes } = streamedPrices({ NVDA: 1 });
    const result = await call({ symbols: ["NVDA", "AAPL"] }, { quotes });
    expect(streamQuotes.terminal!(result, plain)).toBe(
      "NVDA 1 USD (-0.82%) live_quote from fixture, traded 2026-01-15T14:50:00.000Z, poll\nAAPL no price: No price of AAPL",
    );
  });
});

toolContract(streamQuotes, { ports: { ...ports, ...streamedMarket() } });
