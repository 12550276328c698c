import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { alpacaNews } from "../../../src/providers/alpaca/news.ts";
import { alpacaVendor } from "../../replay/alpaca.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";

const [keyId, secret] = alpacaVendor.key!.split(", ") as [string, string];
const now = () => MOMENT;
const make = (fetch: typeof globalThis.fetch) => alpacaNews({ fetch, key: keyId, secret, now });
const ask = (fetch: typeof globalThis.fetch, instrument: Instrument) =>
  make(fetch).call(
    { instrument, from: MOMENT - 86_400_000, until: MOMENT },
    { signal: new AbortController().signal },
  );

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
  const pages = (tokens: readonly (string | null)[]) => {
    const requests: (string | null)[] = [];
    const fetch: typeof globalThis.fetch = async (input) => {
      const at = requests.push(new URL(String(input)).searchParams.get("page_token")) - 1;
      return new Response(JSON.stringify(page(tokens[at] ?? null, `2025-12-03T0${9 - at}:00:00Z`)));
    };
    return { requests, fetch };
  };

  it("turns pages, three at most, and says from when on it is whole", async () => {
    const two = pages(["b", null]);
    expect((await ask(two.fetch, fixed("AAPL"))).completeFrom).toBeNull();
    expect(two.requests).toEqual([null, "b"]);
    const many = pages(["b", "c", "d", "e"]);
    const result = await ask(many.fetch, fixed("AAPL"));
    expect(many.requests).toEqual([null, "b", "c"]);
    expect(result.completeFrom).toBe(Date.UTC(2025, 11, 3, 7));
  });
});

describeWithData("alpaca's news as recorded", ["fixtures", "alpaca"], (folder) => {
  const bodyOf = (file: string) =>
    JSON.stringify((JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as { body: unknown }).body);

  it("is read", async () => {
    const fetch = async () => new Response(bodyOf("historical_news_data__get_news2.json"));
    const { headlines } = await ask(fetch, { ...fixed("AAPL"), symbol: "CWAN" });
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
    const body = bodyOf("historical_news_data__get_news.json");
    const last = JSON.stringify({ ...(JSON.parse(body) as object), next_page_token: null });
    const { headlines } = await ask(async () => new Response(last), fixed("AAPL"));
    expect(headlines).toMatchObject([{ title: "headline", url: null, tags: ["AAPL", "QCOM"] }]);
  });
});

describeWithData(
  "alpaca's own example of news",
  ["fixtures", "alpaca", "marketdata_spec_examples.json"],
  (file) => {
    it("is read", async () => {
      const examples = JSON.parse(readFileSync(file, "utf8")) as {
        "/v1beta1/news": { "news-response-example": { value: object } };
      };
      const { value } = examples["/v1beta1/news"]["news-response-example"];
      const body = JSON.stringify({ ...value, next_page_token: null });
      const { headlines } = await ask(async () => new Response(body), fixed("AAPL"));
      expect(headlines).toMatchObject([
        { id: "24843171", publisher: "benzinga", publishedAt: Date.UTC(2021, 11, 31, 11, 8, 42) },
      ]);
    });
  },
);
