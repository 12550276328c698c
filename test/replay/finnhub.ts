import { headlinesOf } from "./headlines.ts";
import { reportsOf, reportsOn, type ToldReport } from "./reports.ts";
import { finnhubRows } from "./tape/disclosed-rows.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const TOKEN = "replay-only-finnhub-token";
const refused = (status: number, error: string): Reply => json({ error }, status);

/** Finnhub's quote: letters for fields, seconds, no symbol; zeros for what it does not know. */
export const finnhubVendor: Vendor = {
  name: "finnhub",
  key: TOKEN,
  latency: { p50: 110, p95: 350 },
  answer({ path, query, headers }, world) {
    if (headers.get("x-finnhub-token") !== TOKEN) return refused(401, "Invalid API key.");
    if (path === "/api/v1/stock/candle") return refused(403, "You don't have access to this resource.");
    if (path === "/api/v1/company-news") return news(query.get("symbol") ?? "", world);
    if (path === "/api/v1/calendar/earnings") return calendar(query, world);
    if (path === "/api/v1/stock/congressional-trading") return json(finnhubRows(world, query));
    if (path !== "/api/v1/quote") return { status: 404, body: "404 page not found" };
    const symbol = query.get("symbol") ?? "";
    const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
    if (found === null || found.asset_class === "crypto")
      return json({ c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 });
    const { price, at, previousClose, open, high, low } = world.trade(found.symbol)!;
    return json({
      c: price,
      d: Number((price - previousClose).toFixed(4)),
      dp: Number((100 * (price / previousClose - 1)).toFixed(4)),
      h: high,
      l: low,
      o: open,
      pc: previousClose,
      t: Math.floor(at / 1_000),
    });
  },
  limits: [
    refused(429, "API limit reached. Please try again later. Remaining Limit: 0"),
    { status: 429, headers: { "retry-after": "7" }, body: "" },
  ],
  unauthorised: [
    refused(401, "Invalid API key."),
    refused(401, "Please use an API key."),
    refused(403, "You don't have access to this resource."),
  ],
  blocks: [
    {
      status: 403,
      headers: { "content-type": "text/html; charset=UTF-8" },
      body: "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>",
    },
    { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><html></html>" },
    { status: 302, headers: { location: "/" }, body: "" },
  ],
};

/** Company news: none of what it does not know. */
function news(symbol: string, world: World): Reply {
  const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
  return json(
    headlinesOf(found?.asset_class === "crypto" ? null : found, world).map(
      ({ title, publisher, url, at }, i) => ({
        category: "company news",
        datetime: at / 1_000,
        headline: title,
        id: 25_286 + i,
        image: "",
        related: symbol,
        source: publisher,
        summary: `${title} in a few words.`,
        url,
      }),
    ),
  );
}

/** Its calendar: of one company, or of all; figures that are not out are null. */
function calendar(query: URLSearchParams, world: World): Reply {
  const [from, to, symbol] = ["from", "to", "symbol"].map((name) => query.get(name) ?? "") as [
    string,
    string,
    string,
  ];
  const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
  const reports = symbol === "" ? reportsOn(from, world) : reportsOf(found, world);
  const row = ({ out, ...one }: ToldReport) => ({
    date: one.date,
    symbol: one.symbol,
    year: one.year,
    quarter: one.quarter,
    hour: "amc",
    epsEstimate: one.epsEstimate,
    epsActual: out ? one.eps : null,
    revenueEstimate: one.revenueEstimate,
    revenueActual: out ? one.revenue : null,
  });
  return json({ earningsCalendar: reports.filter(({ date }) => date >= from && date <= to).map(row) });
}
