import { globenewswireNews } from "../../../src/providers/globenewswire/news.ts";
import { globenewswireVendor } from "../../replay/globenewswire.ts";
import { rssOf } from "../../replay/rss.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

describeNews("globenewswire", {
  make: (fetch) => globenewswireNews({ fetch, now: () => MOMENT }),
  vendor: globenewswireVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  noneSays: "nothing",
  none: [rssOf("a wire", [])],
});
