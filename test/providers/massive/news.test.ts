import { expect, it } from "vitest";
import { massiveNews } from "../../../src/providers/massive/news.ts";
import { massiveVendor } from "../../replay/massive.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";
import { describeWithData } from "../../support/test-data.ts";
import { readJson, respondWith, signal, stock } from "../requests.ts";

const key = massiveVendor.key!;

describeNews("massive", {
  make: (fetch) => massiveNews({ fetch, key }),
  vendor: massiveVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  other: fixed("SPY"),
  none: ['{"status":"OK","results":[]}', '{"status":"OK"}'],
});

describeWithData("massive's mock of news", ["fixtures", "polygon"], (folder) => {
  it.each(["news_NFLX.json", "v2_reference_news_NFLX.json"])("is parsed: %s", async (file) => {
    const { fetch } = respondWith({ "": readJson(folder, file) });
    const request = { instrument: stock("NFLX"), from: 0, until: MOMENT };
    const { headlines } = await massiveNews({ fetch, key }).call(request, { signal });
    expect(headlines).toEqual([
      {
        id: "JeJEhAVoKaqJ2zF9nzQYMg07UlEeWlis6Dsop33TPQY",
        title:
          "Theres a big hole in the Feds theory of inflation\u2014incomes are falling at a record 10.9 rate",
        publisher: "MarketWatch",
        url: "https://www.marketwatch.com/story/theres-a-big-hole-in-the-feds-theory-of-inflationincomes-are-falling-at-a-record-10-9-rate-11651165705",
        publishedAt: Date.UTC(2022, 3, 28, 17, 8),
        tags: ["MSFT", "TSN", "NFLX", "AMZN"],
      },
    ]);
  });
});
