import { yahoofeedNews } from "../../../src/providers/yahoo/feed-news.ts";
import { rssOf } from "../../replay/rss.ts";
import { yahoofeedVendor } from "../../replay/yahoofeed.ts";
import { fixed, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

describeNews("yahoofeed", {
  make: (fetch) => yahoofeedNews({ fetch }),
  vendor: yahoofeedVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  // the feed names no publisher, and its items no symbol
  publisher: null,
  none: [rssOf("Yahoo! Finance: AAPL News", [])],
});
