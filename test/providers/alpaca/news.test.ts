import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { alpacaNews } from "../../../src/providers/alpaca/news.ts";
import { alpacaVendor } from "../../replay/alpaca.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { parameters, readJson, respondInOrder, signal, stock } from "../requests.ts";

const [keyId, secret] = alpacaVendor.key!.split(", ") as [string, string];
const now = () => MOMENT;
const make = (fetch: typeof globalThis.fetch) => alpacaNews({ fetch, key: keyId, secret, now });
/** News from responses in order, and the requested pages. */
function respond(responses: readonly unknown[], instrument: Instrument = fixed("AAPL")) {
  const { fetch, requests } = respondInOrder(responses);
  const news = make(fetch).call({ instrument, from: MOMENT - 86_400_000, until: MOMENT }, { signal });
  return { news, pages: () => parameters(requests, "page_token") };
}

describeNews("alpaca", {
  make,
  vendor: alpacaVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  other: fixed("SPY"),
  none: ['{"news":[],"next_page_token":null}', '{"news":null}'],
});

describe("alpaca's news", () => {
  const page = (token: string | null, at: string) => ({
    news: [
      {
        id: 1,
        headline: `Apple at ${at}`,
        source: "desk",
        url: "https://a.example.com/1",
        created_at: at,
        symbols: ["AAPL"],
      },
    ],
    next_page_token: token,
  });
  const pages = (...tokens: readonly (string | null)[]) =>
    respond(tokens.map((token, i) => page(token, `2025-12-03T0${9 - i}:00:00Z`)));

  it("reads three pages at most and returns the start of complete data", async () => {
    const two = pages("b", null);
    expect((await two.news).completeFrom).toBeNull();
    expect(two.pages()).toEqual([null, "b"]);
    const many = pages("b", "c", "d", "e");
    expect((await many.news).completeFrom).toBe(Date.UTC(2025, 11, 3, 7));
    expect(many.pages()).toEqual([null, "b", "c"]);
  });
});

describeWithData("alpaca's news as recorded", ["fixtures", "alpaca"], (folder) => {
  const bodyOf = (file: string) => readJson<{ body: object }>(folder, file).body;

  it("is parsed", async () => {
    const body = bodyOf("historical_news_data__get_news2.json");
    const { headlines } = await respond([body], stock("CWAN")).news;
    expect(headlines).toEqual([
      {
        id: "41799100",
        title: "Piper Sandler Maintains Neutral on Clearwater Analytics Hldg, Raises Price Target to $28",
        publisher: "benzinga",
        url: "https://www.benzinga.com/news/24/11/41799100/piper-sandler-maintains-neutral-on-clearwater-analytics-hldg-raises-price-target-to-28",
        publishedAt: Date.UTC(2024, 10, 7, 9, 16, 41),
        tags: ["CWAN"],
      },
    ]);
  });

  it("drops an invalid link and keeps the other tags", async () => {
    const last = { ...bodyOf("historical_news_data__get_news.json"), next_page_token: null };
    const { headlines } = await respond([last]).news;
    expect(headlines).toMatchObject([{ title: "headline", url: null, tags: ["AAPL", "QCOM"] }]);
  });
});

describeWithData(
  "alpaca's own example of news",
  ["fixtures", "alpaca", "marketdata_spec_examples.json"],
  (file) => {
    it("is parsed", async () => {
      const examples = readJson<{ "/v1beta1/news": { "news-response-example": { value: object } } }>(file);
      const { value } = examples["/v1beta1/news"]["news-response-example"];
      const { headlines } = await respond([{ ...value, next_page_token: null }]).news;
      expect(headlines).toMatchObject([
        { id: "24843171", publisher: "benzinga", publishedAt: Date.UTC(2021, 11, 31, 11, 8, 42) },
      ]);
    });
  },
);
