import { prnewswireNews } from "../../../src/providers/prnewswire/news.ts";
import { prnewswireVendor } from "../../replay/prnewswire.ts";
import { rssOf } from "../../replay/rss.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

describeNews("prnewswire", {
  make: (fetch) => prnewswireNews({ fetch, now: () => MOMENT }),
  vendor: prnewswireVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  noneSays: "nothing",
  none: [rssOf("a wire", [])],
});
