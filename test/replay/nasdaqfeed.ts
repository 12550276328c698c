import { headlinesOf, rssOf } from "./headlines.ts";
import type { Reply, Vendor } from "./vendor.ts";

const page = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<!DOCTYPE html><html><head><title>Access Denied</title></head></html>",
});

/** Nasdaq's feed by ticker: who wrote it as dc:creator, the tickers it is about, an empty feed for what it does not list. */
export const nasdaqfeedVendor: Vendor = {
  name: "nasdaqfeed",
  key: null,
  latency: { p50: 300, p95: 900 },
  answer({ path, query }, world) {
    if (path !== "/feed/rssoutbound") return page(404);
    const asked = query.get("symbol") ?? "";
    const found = world.instrument(asked) ?? world.instrument(`${asked}.US`);
    const items = headlinesOf(found?.asset_class === "crypto" ? null : found, world).map((line) => ({
      title: line.title,
      link: line.url,
      guid: line.id,
      "dc:creator": line.publisher,
      pubDate: new Date(line.at).toUTCString().replace("GMT", "+0000"),
      "nasdaq:tickers": asked,
    }));
    return {
      status: 200,
      headers: { "content-type": "application/rss+xml" },
      body: rssOf(`${asked} articles`, items),
    };
  },
  limits: [{ status: 429, body: "" }],
  unauthorised: [],
  blocks: [page(200), page(403)],
};
