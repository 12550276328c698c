import { xml } from "./rss.ts";
import { empty, page, type Vendor } from "./vendor.ts";
import { releasesOf } from "./wires.ts";

const STOCK = "https://www.globenewswire.com/rss/stock";

/** GlobeNewswire's feed of public companies: categories for ticker and ISIN, times to the second or minute. */
export const globenewswireVendor: Vendor = {
  name: "globenewswire",
  key: null,
  latency: { p50: 250, p95: 900 },
  answer({ path }, world) {
    if (!path.startsWith("/RssFeed/orgclass/1/")) return page(404);
    const items = releasesOf(world).map(({ id, title, url, publisher, publishedAt, ticker }) => {
      const at = new Date(publishedAt).toUTCString();
      return `<item>
  <guid isPermaLink="true">${xml(url)}</guid>
  <link>${xml(url)}</link>
  <category domain="${STOCK}">Nasdaq:${ticker}</category>
  <category domain="${STOCK}">TSX:${ticker}X</category>
  <category domain="https://www.globenewswire.com/rss/ISIN">US0000000001</category>
  <title>${xml(title)}</title>
  <description><![CDATA[<p>JOHNS CREEK, Ga. (GLOBE NEWSWIRE) -- a release</p>]]></description>
  <pubDate>${publishedAt % 60_000 === 0 ? at.replace(/:\d\d GMT$/, " GMT") : at}</pubDate>
  <dc:identifier>${xml(id)}</dc:identifier>
  <dc:language>en</dc:language>
  <dc:publisher>GlobeNewswire Inc.</dc:publisher>
  <dc:contributor>${xml(publisher)}</dc:contributor>
</item>`;
    });
    return {
      status: 200,
      headers: { "content-type": "application/rss+xml; charset=utf-8" },
      body: `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:dc="http://dublincore.org/documents/dcmi-namespace/">
<channel><title>GlobeNewswire - News about Public Companies</title>${items.join("")}</channel></rss>`,
    };
  },
  limits: [empty(429)],
  unauthorised: [],
  blocks: [page(200), page(403)],
};
