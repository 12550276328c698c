import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { alphavantageNews } from "../../../src/providers/alphavantage/news.ts";
import { alphavantageVendor } from "../../replay/alphavantage.ts";
import { fetchAnswering } from "../../support/faulty-fetch.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { failureOf } from "../../support/price-provider-fixture.ts";
import { describeWithData } from "../../support/test-data.ts";

const key = alphavantageVendor.key!;
const requests = (body: unknown) =>
  alphavantageNews({ fetch: fetchAnswering({ status: 200, body: JSON.stringify(body) }), key }).call(
    { instrument: fixed("AAPL"), from: 0, until: MOMENT },
    { signal: new AbortController().signal },
  );

describeNews("alphavantage", {
  make: (fetch) => alphavantageNews({ fetch, key }),
  vendor: alphavantageVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "unknown_symbol",
  other: fixed("SPY"),
  none: ['{"items":"0","feed":[]}'],
  keyInUrl: true,
});

describe("alphavantage", () => {
  it("takes words it does not document for no answer, and repeats none of them", async () => {
    expect(await failureOf(requests({ Information: "Your key XYZ is fine" }))).toMatchObject({
      kind: "malformed",
    });
  });

  it("writes tokens with their pair, and dates without marks", async () => {
    const feed = [
      {
        title: "Apple and bitcoin",
        url: "https://a.example.com/1",
        time_published: "20251203T101112",
        source: "Desk",
        ticker_sentiment: [{ ticker: "AAPL" }, { ticker: "CRYPTO:BTC" }],
      },
    ];
    const { headlines } = await requests({ feed });
    expect(headlines).toMatchObject([
      { publishedAt: Date.UTC(2025, 11, 3, 10, 11, 12), tags: ["AAPL", "BTC-USD"] },
    ]);
  });
});

describeWithData(
  "alphavantage's refusals as documented",
  ["fixtures", "documented", "errors_and_shapes.json"],
  (file) => {
    const shapes = (
      JSON.parse(readFileSync(file, "utf8")) as readonly { provider: string; what: string; body: unknown }[]
    ).filter(({ provider }) => provider === "alphavantage");

    it.each([
      ["daily limit, HTTP 200", "rate_limited"],
      ["older limit form, HTTP 200", "rate_limited"],
      ["unknown symbol / bad call, HTTP 200", "malformed"],
    ])("is a failure of the right kind: %s", async (what, kind) => {
      const { body } = shapes.find((shape) => shape.what === what)!;
      expect((await failureOf(requests(body))).kind).toBe(kind);
    });
  },
);
