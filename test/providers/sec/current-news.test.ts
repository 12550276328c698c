import { secCurrentNews } from "../../../src/providers/sec/current-news.ts";
import { secVendor } from "../../replay/sec.ts";
import { fixed, MOMENT, UNLISTED_STOCK } from "../../support/fixed-world.ts";
import { describeNews } from "../../support/news-contract.ts";

describeNews("sec current filings", {
  make: (fetch) => secCurrentNews({ fetch, contact: secVendor.key!, now: () => MOMENT }),
  vendor: secVendor,
  good: fixed("AAPL"),
  unknown: UNLISTED_STOCK,
  unknownIs: "empty",
  publisher: "SEC EDGAR",
  titled: (title, { name }) => `${name} files 8-K: Item 8.01: ${title}`,
  noneSays: "nothing",
  none: ['<feed xmlns="http://www.w3.org/2005/Atom"><title>Latest Filings</title></feed>'],
});
