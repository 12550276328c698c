import { instrumentOf } from "./lookup.ts";
import { reportsOf } from "./reports.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const KEY = "replay-only-alphavantage-key";
const TOO_MANY =
  "We have detected your API key as ***** and our standard API rate limit is 25 requests per day. Please subscribe to any of the premium plans.";

/** Alpha Vantage's news and earnings: status is always 200, times have no separators, tickers have sentiment scores. */
export const alphavantageVendor: Vendor = {
  name: "alphavantage",
  key: KEY,
  latency: { p50: 400, p95: 1_200 },
  answer({ path, query }, world) {
    if (path === "/query" && query.get("function") === "EARNINGS" && query.get("apikey") === KEY)
      return earnings(query.get("symbol") ?? "", world);
    if (path !== "/query" || !["NEWS_SENTIMENT", "EARNINGS"].includes(query.get("function") ?? ""))
      return json({ "Error Message": "Invalid API call." });
    if (query.get("apikey") !== KEY)
      return json({ Information: "The **demo** API key is for demo purposes only." });
    const ticker = query.get("tickers") ?? "";
    const symbol = ticker.startsWith("CRYPTO:") ? `${ticker.slice(7)}-USD` : ticker.replace("-", ".");
    const found = instrumentOf(world, symbol);
    if (found === null)
      return json({ Information: "Invalid inputs. Please refer to the API documentation." });
    const feed = world.headlines(found).map(({ title, url, publisher, publishedAt: at }) => ({
      title,
      url,
      time_published: new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, ""),
      summary: `${title} in a few words.`,
      source: publisher,
      ticker_sentiment: [
        { ticker, relevance_score: "0.9", ticker_sentiment_score: "0.1", ticker_sentiment_label: "Neutral" },
      ],
    }));
    return json({ items: String(feed.length), feed });
  },
  limits: [
    json({ Information: TOO_MANY }),
    json({
      Note: "Thank you for using Alpha Vantage! Our standard API call frequency is 25 requests per day.",
    }),
    empty(429),
  ],
  unauthorised: [json({ Information: "The **demo** API key is for demo purposes only." }), empty(401)],
  blocks: [page(403)],
};

/** Figures as text; an empty object for an unknown company. */
function earnings(symbol: string, world: World): Reply {
  const reports = reportsOf(instrumentOf(world, symbol.replace("-", ".")), world);
  if (reports.length === 0) return json({});
  const quarterlyEarnings = reports
    .filter(({ out }) => out)
    .map(({ end, date, eps, epsEstimate }) => ({
      fiscalDateEnding: end,
      reportedDate: date,
      reportTime: "post-market",
      reportedEPS: String(eps),
      estimatedEPS: String(epsEstimate),
      surprise: "None",
    }));
  return json({ symbol, annualEarnings: [], quarterlyEarnings });
}
