import { stockOf } from "./lookup.ts";
import { reportsOf, reportsOn, type WorldReport } from "./reports.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const TOKEN = "replay-only-finnhub-token";
const refused = (status: number, error: string): Reply => json({ error }, status);

/**
 * Finnhub: quotes with one-letter fields, seconds and no symbol, zeros for an unknown symbol; news, earnings,
 * disclosures.
 */
export const finnhubVendor: Vendor = {
  name: "finnhub",
  key: TOKEN,
  latency: { p50: 110, p95: 350 },
  answer({ path, query, headers }, world) {
    if (headers.get("x-finnhub-token") !== TOKEN) return refused(401, "Invalid API key.");
    if (path === "/api/v1/stock/candle") return refused(403, "You don't have access to this resource.");
    if (path === "/api/v1/company-news") return news(query.get("symbol") ?? "", world);
    if (path === "/api/v1/calendar/earnings") return calendar(query, world);
    if (path === "/api/v1/stock/congressional-trading") return json(disclosures(query, world));
    if (path !== "/api/v1/quote") return { status: 404, body: "404 page not found" };
    const found = stockOf(world, query.get("symbol") ?? "");
    if (found === null) return json({ c: 0, d: null, dp: null, h: 0, l: 0, o: 0, pc: 0, t: 0 });
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
    empty(429, { "retry-after": "7" }),
  ],
  unauthorised: [
    refused(401, "Invalid API key."),
    refused(401, "Please use an API key."),
    refused(403, "You don't have access to this resource."),
  ],
  blocks: [page(403, "Just a moment..."), page(200), empty(302, { location: "/" })],
};

/** Company news; empty for an unknown symbol. */
function news(symbol: string, world: World): Reply {
  return json(
    world.headlines(stockOf(world, symbol)).map(({ title, publisher, url, publishedAt }, i) => ({
      datetime: publishedAt / 1_000,
      headline: title,
      id: 25_286 + i,
      related: symbol,
      source: publisher,
      summary: `${title} in a few words.`,
      url,
    })),
  );
}

/** Disclosures of one symbol, filed between two dates. */
function disclosures(query: URLSearchParams, world: World) {
  const [symbol = "", from = "", to = ""] = ["symbol", "from", "to"].map((name) => query.get(name) ?? "");
  const data = world
    .filings()
    .filter(({ filed }) => filed >= from && filed <= to)
    .flatMap(({ filed, member, trades }) =>
      trades
        .filter(({ ticker }) => ticker === symbol)
        .map(({ amount, asset, owner, transaction_date, type }) => ({
          amountFrom: amount!.low,
          amountTo: amount!.high,
          assetName: asset,
          filingDate: filed,
          name: `${member.first} ${member.last}`,
          ownerType: owner,
          position: member.chamber === "house" ? "representative" : "senator",
          symbol,
          transactionDate: transaction_date,
          transactionType: { buy: "Purchase", sell: "Sale", exchange: "Exchange" }[type],
        })),
    );
  return { symbol, data };
}

/** Earnings calendar of one company or of all; unpublished figures are null. */
function calendar(query: URLSearchParams, world: World): Reply {
  const [symbol = "", from = "", to = ""] = ["symbol", "from", "to"].map((name) => query.get(name) ?? "");
  const reports = symbol === "" ? reportsOn(from, world) : reportsOf(stockOf(world, symbol), world);
  const row = ({ out, eps, revenue, date, year, quarter, epsEstimate, ...report }: WorldReport) => ({
    date,
    symbol: report.symbol,
    year,
    quarter,
    hour: "amc",
    epsEstimate,
    epsActual: out ? eps : null,
    revenueEstimate: report.revenueEstimate,
    revenueActual: out ? revenue : null,
  });
  return json({ earningsCalendar: reports.filter(({ date }) => date >= from && date <= to).map(row) });
}
