import { xml } from "./rss.ts";
import { empty, page, type Vendor } from "./vendor.ts";
import { releasesOf } from "./wires.ts";

/** PR Newswire's feed of all releases: the ticker is in the first lines, and releases of others name none. */
export const prnewswireVendor: Vendor = {
  name: "prnewswire",
  key: null,
  latency: { p50: 250, p95: 900 },
  answer({ path }, world) {
    if (path !== "/rss/news-releases-list.rss") return page(404);
    const items = releasesOf(world).map(
      ({ title, url, publisher, publishedAt, ticker }) => `<item>
  <title>${xml(title)}</title>
  <link>${xml(url)}</link>
  <guid>${xml(url)}</guid>
  <pubDate>${new Date(publishedAt).toUTCString().replace("GMT", "+0000")}</pubDate>
  <description><![CDATA[<p>DENVER /PRNewswire/ -- The company (NYSE: <a href="#">${ticker}</a>) today announced</p>]]></description>
  <dc:publisher>PR Newswire Association LLC.</dc:publisher>
  <dc:contributor>${xml(publisher)}</dc:contributor>
</item>`,
    );
    return {
      status: 200,
      headers: { "content-type": "text/xml" },
      body: `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:prn="http://www.prnewswire.com/ns/0.1/#">
<channel><title>PR Newswire: News Releases</title>${items.join("")}</channel></rss>`,
    };
  },
  limits: [empty(429)],
  unauthorised: [],
  blocks: [page(200), page(403)],
};
