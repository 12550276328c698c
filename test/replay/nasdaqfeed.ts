import { stockOf } from "./lookup.ts";
import { rssOf } from "./rss.ts";
import { empty, page, type Vendor } from "./vendor.ts";

/**
 * Nasdaq's news feed by ticker: the author in dc:creator, the related tickers, an empty feed for an unlisted ticker.
 */
export const nasdaqfeedVendor: Vendor = {
  name: "nasdaqfeed",
  key: null,
  latency: { p50: 300, p95: 900 },
  answer({ path, query }, world) {
    if (path !== "/feed/rssoutbound") return page(404);
    const symbol = query.get("symbol") ?? "";
    const items = world.headlines(stockOf(world, symbol)).map((headline) => ({
      title: headline.title,
      link: headline.url,
      guid: headline.id,
      "dc:creator": headline.publisher,
      pubDate: new Date(headline.publishedAt).toUTCString().replace("GMT", "+0000"),
      "nasdaq:tickers": symbol,
    }));
    const headers = { "content-type": "application/rss+xml" };
    return { status: 200, headers, body: rssOf(`${symbol} articles`, items) };
  },
  limits: [empty(429)],
  unauthorised: [],
  blocks: [page(200), page(403)],
};
