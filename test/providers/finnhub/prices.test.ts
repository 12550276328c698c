import { describe, expect, it } from "vitest";
import { finnhub } from "../../../src/providers/finnhub/prices.ts";
import { finnhubVendor } from "../../replay/finnhub.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describePriceProvider } from "../../support/price-provider-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { documented, kindOf, NO_DAY, readJson, respondWith, signal } from "../requests.ts";

const AAPL = fixed("AAPL");
const token = finnhubVendor.key!;

/** A provider with one response, and the requested URLs. */
function respond(body: unknown, status = 200) {
  const { fetch, requests } = respondWith({ "": body }, { status });
  return { provider: finnhub({ fetch, key: token }), requests };
}
const quoting = (body: unknown) => respond(body).provider.latest!(AAPL, { signal });

const QUOTE = { c: 251.3, d: 1.2, dp: 0.48, h: 252, l: 249, o: 250, pc: 250.1, t: 1790467200 };

describePriceProvider("finnhub", {
  make: (fetch) => finnhub({ fetch, key: token }),
  vendor: finnhubVendor,
  instruments: { good: AAPL, unknown: UNLISTED_STOCK, other: fixed("SPY") },
  // The one-letter field names do not include the symbol.
  echoless: ["latest"],
});

describeWithData("finnhub as documented", ["fixtures", "documented", "errors_and_shapes.json"], (file) => {
  const shape = (what: string) => documented(file, "finnhub", what);

  it("returns the price, its time and the figures of its day", async () => {
    const { provider, requests } = respond(shape("quote ok"));
    expect(await provider.latest!(AAPL, { signal })).toEqual({
      price: 251.3,
      tradedAt: Date.UTC(2026, 8, 27),
      previousClose: 250.1,
      open: 250,
      high: 252,
      low: 249,
      volume: null,
      volumeScope: "all_venues",
      venue: "US",
    });
    expect(requests).toEqual(["https://finnhub.io/api/v1/quote?symbol=AAPL"]);
  });

  it("reports a symbol whose figures are all 0 as unknown", async () => {
    expect(await kindOf(quoting(shape("unknown symbol")))).toBe("unknown_symbol");
  });

  it("reports data outside the free plan as an auth failure", async () => {
    const { provider } = respond(shape("candle on free plan"), 403);
    expect(await kindOf(provider.latest!(AAPL, { signal }))).toBe("auth");
  });
});

describeWithData("finnhub's own example", ["fixtures", "finnhub", "swagger_subset.json"], (file) => {
  it("is parsed without change and percent", async () => {
    const { paths } = readJson<{ paths: { "/quote": { get: { sampleResponse: string } } } }>(file);
    expect(await quoting(paths["/quote"].get.sampleResponse)).toMatchObject({
      price: 261.74,
      tradedAt: Date.UTC(2020, 1, 25, 14, 30),
      previousClose: 259.45,
      open: 261.07,
      high: 263.31,
      low: 260.68,
    });
  });
});

describe("finnhub", () => {
  it("writes a share class after a dot", async () => {
    const { provider, requests } = respond(QUOTE);
    await provider.latest!(fixed("BRK.B"), { signal });
    expect(requests[0]).toMatch(/symbol=BRK\.B$/);
  });

  it("has null for figures of the day that are 0 or missing", async () => {
    const { l: _, ...rest } = { ...QUOTE, o: 0, h: null, pc: 0 };
    expect(await quoting(rest)).toMatchObject({ ...NO_DAY, price: 251.3 });
  });

  it("drops a session's range if the price lies outside it", async () => {
    const outside = { previousClose: 250.1, open: null, high: null, low: null };
    expect(await quoting({ ...QUOTE, c: 252.5 })).toMatchObject({ price: 252.5, ...outside });
    expect(await quoting({ ...QUOTE, c: 248 })).toMatchObject({ price: 248, ...outside });
    expect(await quoting({ ...QUOTE, c: 252 })).toMatchObject({ high: 252, low: 249, open: 250 });
  });

  it.each([
    { ...QUOTE, c: 0 },
    { ...QUOTE, t: 0 },
    { ...QUOTE, c: -1 },
    { ...QUOTE, t: 1.5 },
    { ...QUOTE, c: null },
    { error: "words" },
  ])("is malformed with %j", async (body) => {
    expect(await kindOf(quoting(body))).toBe("malformed");
  });

  it("provides no bars", () => {
    expect(finnhub({ fetch, key: token }).history).toBe(undefined);
  });
});
