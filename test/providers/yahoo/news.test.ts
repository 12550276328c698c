import { expect, it } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { yahooNews } from "../../../src/providers/yahoo/news.ts";
import { yahooVendor } from "../../replay/yahoo.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { kindOf, readJson, respondWith, signal } from "../requests.ts";

describeNews("yahoo", {
  make: (fetch) => yahooNews({ fetch }),
  vendor: yahooVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "unknown_symbol",
  other: fixed("SPY"),
  none: ['{"quotes":[{"symbol":"AAPL"}],"news":[]}'],
});

describeWithData("yahoo's search as recorded in 2025", ["fixtures", "yahoo"], (folder) => {
  const search = (file: string, instrument: Instrument) => {
    const { response } = readJson<{ response: { bodyJson: unknown } }>(folder, file);
    const { fetch, requests } = respondWith({ "": response.bodyJson });
    return { requests, result: yahooNews({ fetch }).call({ instrument, from: 0, until: 2e12 }, { signal }) };
  };

  it("returns headlines for a stock", async () => {
    const { requests, result } = search("search-AAPL.json", fixed("AAPL"));
    const { headlines, completeFrom } = await result;
    expect(requests).toEqual([
      "https://query2.finance.yahoo.com/v1/finance/search?q=AAPL&newsCount=40&quotesCount=6&enableFuzzyQuery=false",
    ]);
    expect(headlines).toHaveLength(4);
    expect(headlines[1]).toEqual({
      id: "bfb8b663-081c-3c2b-84e3-df8fff2c37d8",
      title: "Indonesia and Apple said to agree on terms to lift iPhone 16 ban",
      publisher: "Bloomberg",
      url: "https://finance.yahoo.com/news/indonesia-apple-said-agree-terms-055447668.html",
      publishedAt: Date.UTC(2025, 1, 25, 5, 54, 47),
      tags: ["AAPL"],
    });
    expect(headlines[3]).toMatchObject({ publisher: "Motley Fool", tags: ["BRK-B"] });
    expect(completeFrom).toBe(Date.UTC(2025, 1, 25, 0, 20));
  });

  it("returns headlines for a token, some of them without tags", async () => {
    const { result } = search("search-BTC-USD.json", fixed("BTC-USD"));
    const { headlines } = await result;
    expect(headlines.map(({ title, tags }) => [title, tags])).toEqual([
      ["Top Cryptocurrencies Fall; Bitcoin Drops Below $95,000", []],
      [
        "Berkshire Hathaway, Strategy, Domino's Pizza: Market Minute",
        ["MSTR", "STRK", "DPZ", "BTC-USD", "BRK-B"],
      ],
      ["Strategy buys additional $2 billion worth of bitcoin", ["MSTR", "STRK", "BTC-USD"]],
      ["Sector Update: Financial Stocks Rise Late Afternoon", []],
    ]);
  });

  it("fails with unknown_symbol if the symbol is not among the quotes, even if there is news", async () => {
    const adh = { ...UNLISTED_STOCK, symbol: "ADH" };
    expect(await kindOf(search("search-ADH.json", adh).result)).toBe("unknown_symbol");
  });
});
