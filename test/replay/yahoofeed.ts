import { rssOf } from "./rss.ts";
import { empty, page, type Vendor } from "./vendor.ts";
import { instrumentAt } from "./yahoo.ts";

/** Yahoo's news feed by symbol: empty for an unlisted symbol. */
export const yahoofeedVendor: Vendor = {
  name: "yahoofeed",
  key: null,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (!(headers.get("user-agent") ?? "").startsWith("Mozilla/"))
      return { status: 429, body: "Too Many Requests" };
    if (path !== "/rss/2.0/headline") return page(404);
    const symbol = query.get("s") ?? "";
    const items = world.headlines(instrumentAt(symbol, world)).map(({ id, title, url, publishedAt }) => ({
      description: `${title} in a few words.`,
      guid: id,
      link: url,
      pubDate: new Date(publishedAt).toUTCString().replace("GMT", "+0000"),
      title,
    }));
    return {
      status: 200,
      headers: { "content-type": "application/rss+xml" },
      body: rssOf(`Yahoo! Finance: ${symbol} News`, items),
    };
  },
  limits: [{ status: 429, headers: { "content-type": "text/plain" }, body: "Too Many Requests\r\n" }],
  unauthorised: [],
  blocks: [page(200), page(403), empty(302, { location: "https://guce.yahoo.com/consent" })],
};
