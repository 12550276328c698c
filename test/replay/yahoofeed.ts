import { headlinesOf, rssOf } from "./headlines.ts";
import type { Reply, Vendor } from "./vendor.ts";
import { instrumentAt } from "./yahoo.ts";

const page = (status: number): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<!doctype html><html><body>Sorry</body></html>",
});

/** Yahoo's feed by symbol: an empty one for what it does not list. */
export const yahoofeedVendor: Vendor = {
  name: "yahoofeed",
  key: null,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (!(headers.get("user-agent") ?? "").startsWith("Mozilla/"))
      return { status: 429, body: "Too Many Requests" };
    if (path !== "/rss/2.0/headline") return page(404);
    const asked = query.get("s") ?? "";
    const items = headlinesOf(instrumentAt(asked, world), world).map(({ id, title, url, at }) => ({
      description: `${title} in a few words.`,
      guid: id,
      link: url,
      pubDate: new Date(at).toUTCString().replace("GMT", "+0000"),
      title,
    }));
    return {
      status: 200,
      headers: { "content-type": "application/rss+xml" },
      body: rssOf(`Yahoo! Finance: ${asked} News`, items),
    };
  },
  limits: [{ status: 429, headers: { "content-type": "text/plain" }, body: "Too Many Requests\r\n" }],
  unauthorised: [],
  blocks: [
    page(200),
    page(403),
    { status: 302, headers: { location: "https://guce.yahoo.com/consent" }, body: "" },
  ],
};
