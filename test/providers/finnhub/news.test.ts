import { describe, expect, it } from "vitest";
import { finnhubNews } from "../../../src/providers/finnhub/news.ts";
import { finnhubVendor } from "../../replay/finnhub.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondWith, signal } from "../requests.ts";

const token = finnhubVendor.key!;
const now = () => MOMENT;

describeNews("finnhub", {
  make: (fetch) => finnhubNews({ fetch, key: token, now }),
  vendor: finnhubVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  other: fixed("SPY"),
  none: ["[]"],
});

describe("finnhub's news", () => {
  const request = (from: number, until: number) =>
    finnhubNews({ fetch: respondWith({ "": [] }).fetch, key: token, now }).call(
      { instrument: fixed("AAPL"), from, until },
      { signal },
    );
  const year = MOMENT - 365 * 86_400_000;

  it("returns the start of its history of one year", async () => {
    expect((await request(year - 9, year + 9)).completeFrom).toBe(year);
    expect((await request(year, year + 9)).completeFrom).toBeNull();
    expect(await kindOf(request(year - 9, year - 1))).toBe("unsupported");
  });
});

describeWithData(
  "finnhub's own example of company news",
  ["fixtures", "finnhub", "swagger_subset.json"],
  (file) => {
    it("is parsed, requested by whole days", async () => {
      const { paths } = readJson<{ paths: { "/company-news": { get: { sampleResponse: string } } } }>(file);
      // The example ends its list with a comma.
      const body = paths["/company-news"].get.sampleResponse.replace(/,\s*\]\s*$/, "]");
      const { fetch, requests } = respondWith({ "": body });
      const { headlines, completeFrom } = await finnhubNews({ fetch, key: token, now }).call(
        { instrument: fixed("AAPL"), from: Date.UTC(2025, 10, 20, 5), until: MOMENT },
        { signal },
      );
      expect(requests).toEqual([
        "https://finnhub.io/api/v1/company-news?symbol=AAPL&from=2025-11-20&to=2025-12-03",
      ]);
      expect(completeFrom).toBeNull();
      expect(headlines.at(-1)).toEqual({
        id: "25341",
        title: "Apple iPhone 11 Pro Teardowns Look Encouraging for STMicro and Sony",
        publisher: "TheStreet",
        url: "https://realmoney.thestreet.com/investing/technology/iphone-11-pro-teardowns-look-encouraging-for-stmicro-sony-15105767",
        publishedAt: Date.UTC(2019, 8, 26, 19, 29, 40),
        tags: ["AAPL"],
      });
    });
  },
);
