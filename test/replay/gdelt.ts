import { json, type Reply, type Vendor } from "./vendor.ts";

const text = (body: string, status = 200): Reply => ({
  status,
  headers: { "content-type": "text/html" },
  body,
});
const TOO_MANY = "Please limit requests to one every 5 seconds or contact us for larger queries.";

/** GDELT's search for quoted names: rows newest first, an empty object for no result. */
export const gdeltVendor: Vendor = {
  name: "gdelt",
  key: null,
  latency: { p50: 700, p95: 1_500 },
  answer({ path, query }, world) {
    if (path !== "/api/v2/doc/doc") return text("not found", 404);
    const name = /^"([^"]+)"/.exec(query.get("query") ?? "")?.[1];
    const found = world.instruments().find((instrument) => instrument.name === name) ?? null;
    const articles = world.headlines(found).map(({ title, url, publishedAt }) => ({
      url,
      title,
      seendate: `${new Date(publishedAt).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`,
      domain: "news.example.com",
      language: "English",
    }));
    return json(articles.length === 0 ? {} : { articles });
  },
  limits: [text(TOO_MANY, 429), text(TOO_MANY)],
  unauthorised: [],
  blocks: [text("<!DOCTYPE html><html></html>")],
};
