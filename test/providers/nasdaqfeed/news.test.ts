import { nasdaqfeedNews } from "../../../src/providers/nasdaqfeed/news.ts";
import { nasdaqfeedVendor } from "../../replay/nasdaqfeed.ts";
import { rssOf } from "../../replay/rss.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

describeNews("nasdaqfeed", {
  make: (fetch) => nasdaqfeedNews({ fetch }),
  vendor: nasdaqfeedVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  none: [rssOf("AAPL articles", [])],
});
