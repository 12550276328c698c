import { headlinesOf } from "./headlines.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";

const said = (body: string): Reply => ({ status: 200, headers: { "content-type": "text/html" }, body });

/** GDELT's search of names in quotes, as rows newest first; nothing at all where it finds nothing. */
export const gdeltVendor: Vendor = {
  name: "gdelt",
  key: null,
  latency: { p50: 700, p95: 1_500 },
  answer({ path, query }, world) {
    if (path !== "/api/v2/doc/doc") return { status: 404, body: "not found" };
    const name = /^"([^"]+)"/.exec(query.get("query") ?? "")?.[1];
    const found = world.instruments().find((instrument) => instrument.name === name) ?? null;
    const lines = headlinesOf(found, world);
    if (lines.length === 0) return json({});
    return json({
      articles: lines.map(({ title, url, at }) => ({
        url,
        url_mobile: "",
        title,
        seendate: `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`,
        socialimage: "",
        domain: "news.example.com",
        language: "English",
        sourcecountry: "United States",
      })),
    });
  },
  limits: [
    { status: 429, body: "Please limit requests to one every 5 seconds or contact us for larger queries." },
    said("Please limit requests to one every 5 seconds or contact us for larger queries."),
  ],
  unauthorised: [],
  blocks: [said("<!DOCTYPE html><html></html>")],
};
