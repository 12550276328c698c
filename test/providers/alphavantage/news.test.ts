import { describe, expect, it } from "vitest";
import { alphavantageNews } from "../../../src/providers/alphavantage/news.ts";
import { alphavantageVendor } from "../../replay/alphavantage.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { documented, kindOf, respondWith, signal } from "../requests.ts";

const key = alphavantageVendor.key!;
const news = (body: unknown) =>
  alphavantageNews({ fetch: respondWith({ "": body }).fetch, key }).call(
    { instrument: fixed("AAPL"), from: 0, until: MOMENT },
    { signal },
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
  it("is malformed with an undocumented message", async () => {
    expect(await kindOf(news({ Information: "Your key XYZ is fine" }))).toBe("malformed");
  });

  it("sends tokens as crypto tickers, and parses compact timestamps", async () => {
    const feed = [
      {
        title: "Apple and bitcoin",
        url: "https://a.example.com/1",
        time_published: "20251203T101112",
        source: "Desk",
        ticker_sentiment: [{ ticker: "AAPL" }, { ticker: "CRYPTO:BTC" }],
      },
    ];
    const { headlines } = await news({ feed });
    expect(headlines).toMatchObject([
      { publishedAt: Date.UTC(2025, 11, 3, 10, 11, 12), tags: ["AAPL", "BTC-USD"] },
    ]);
  });
});

describeWithData(
  "alphavantage's refusals as documented",
  ["fixtures", "documented", "errors_and_shapes.json"],
  (file) => {
    it.each([
      ["daily limit, HTTP 200", "rate_limited"],
      ["older limit form, HTTP 200", "rate_limited"],
      ["unknown symbol / bad call, HTTP 200", "malformed"],
    ])("is a failure of the right kind: %s", async (what, kind) => {
      expect(await kindOf(news(documented(file, "alphavantage", what)))).toBe(kind);
    });
  },
);
