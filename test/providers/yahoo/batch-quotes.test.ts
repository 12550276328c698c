import { describe, expect, it } from "vitest";
import { yahooQuotes } from "../../../src/providers/yahoo/batch-quotes.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, recorded, signal } from "../requests.ts";
import { AAPL, at, instrument, recordedBody } from "./answers.ts";

const NOW = at("2026-01-15T15:00:00Z");
const BRK = instrument("BRK.B");

/** Batches of quotes with this body; `crumb` replaces the response to the request for a crumb. */
function setup(body: unknown, crumb = () => new Response("9tRTcrUmb.1")) {
  const clock = { now: NOW };
  const { fetch, requests } = recorded(async (input) => {
    const { host, pathname } = new URL(String(input));
    if (host === "fc.yahoo.com") return new Response("", { headers: { "set-cookie": "A3=x; Path=/" } });
    return pathname === "/v1/test/getcrumb" ? crumb() : new Response(JSON.stringify(body));
  });
  const quotes = yahooQuotes({ fetch, now: () => clock.now });
  return { clock, requests, quotes: (of = [AAPL]) => quotes(of, { signal }) };
}
const row = (over: object = {}) => ({
  symbol: "AAPL",
  currency: "USD",
  quoteType: "EQUITY",
  exchangeDataDelayedBy: 0,
  regularMarketPrice: 138,
  regularMarketTime: NOW / 1_000 - 2,
  regularMarketPreviousClose: 137,
  bid: 137.9,
  ask: 138.1,
  ...over,
});
const answer = (...result: readonly object[]) => ({ quoteResponse: { result, error: null } });

describeWithData("Yahoo's batches as recorded", ["fixtures", "yahoo"], (folder) => {
  const recordedQuote = async (name: string) =>
    (await setup(recordedBody(folder, name)).quotes()).get("AAPL");

  it("return the after-hours trade of a closed market, without the bid and ask of another time", async () => {
    expect(await recordedQuote("quote-AAPL.json")).toEqual({
      price: 244.64,
      tradedAt: at("2025-02-15T00:59:58Z"),
      officialClose: false,
      previousClose: 241.53,
      open: 241.07,
      high: 245.41,
      low: 241,
      volume: 40_896_227,
      volumeScope: "all_venues",
      venue: "US",
    });
  });

  it("return the pre-market trade with the close of the evening", async () => {
    expect(await recordedQuote("quoteCombine-AAPL-NONEXIST.json")).toMatchObject({
      price: 155.82,
      previousClose: 160.07,
      open: null,
    });
  });
});

describe("Yahoo's batches of quotes", () => {
  it("take one call after those for cookie and crumb, and name instruments canonically", async () => {
    const { quotes, requests } = setup(answer(row(), row({ symbol: "BRK-B", regularMarketPrice: 490 })));
    const found = await quotes([AAPL, BRK]);
    expect([...found].map(([symbol, { price }]) => [symbol, price])).toEqual([
      ["AAPL", 138],
      ["BRK.B", 490],
    ]);
    await quotes([AAPL, BRK]);
    expect(requests.slice(2)).toEqual([
      "https://query2.finance.yahoo.com/v7/finance/quote?symbols=AAPL,BRK-B&crumb=9tRTcrUmb.1",
      "https://query2.finance.yahoo.com/v7/finance/quote?symbols=AAPL,BRK-B&crumb=9tRTcrUmb.1",
    ]);
  });

  it.each([
    ["about another symbol", { symbol: "MSFT" }],
    ["in another currency", { currency: "CAD" }],
    ["of a delayed exchange", { exchangeDataDelayedBy: 15 }],
    ["about another kind of instrument", { quoteType: "FUTURE" }],
    ["without a price", { regularMarketPrice: 0 }],
  ])("leave out a row %s", async (_, over) => {
    expect((await setup(answer(row(over))).quotes()).size).toBe(0);
  });

  it("have the official close once the session is over", async () => {
    const close = at("2026-01-14T21:00:01Z") / 1_000;
    const found = await setup(answer(row({ regularMarketTime: close }))).quotes();
    expect(found.get("AAPL")).toMatchObject({ officialClose: true, previousClose: 137 });
  });

  it("are unsupported for ten minutes after a refused crumb, without further calls", async () => {
    const refusal = () => new Response("Too Many Requests", { status: 429 });
    const { quotes, requests, clock } = setup(answer(row()), refusal);
    expect(await kindOf(quotes())).toBe("unsupported");
    const calls = requests.length;
    expect(await kindOf(quotes())).toBe("unsupported");
    expect(requests).toHaveLength(calls);
    clock.now += 601_000;
    expect(await kindOf(quotes())).toBe("unsupported");
    expect(requests.length).toBeGreaterThan(calls);
  });
});
