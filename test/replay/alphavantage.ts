import { headlinesOf } from "./headlines.ts";
import { reportsOf } from "./reports.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const KEY = "replay-only-alphavantage-key";
const TOO_MANY =
  "We have detected your API key as ***** and our standard API rate limit is 25 requests per day. Please subscribe to any of the premium plans.";

/** Alpha Vantage's news: everything with a status of 200, times without marks, tickers with what it thinks of them. */
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
    const found = world.instrument(symbol) ?? world.instrument(`${symbol}.US`);
    if (found === null)
      return json({ Information: "Invalid inputs. Please refer to the API documentation." });
    const feed = headlinesOf(found, world).map(({ title, url, publisher, at }) => ({
      title,
      url,
      time_published: new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, ""),
      authors: [],
      summary: `${title} in a few words.`,
      source: publisher,
      overall_sentiment_score: 0.1,
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
    { status: 429, body: "" },
  ],
  unauthorised: [
    json({ Information: "The **demo** API key is for demo purposes only." }),
    { status: 401, body: "" },
  ],
  blocks: [{ status: 403, headers: { "content-type": "text/html" }, body: "<html><body></body></html>" }],
};

/** Figures as text; an empty object for what it does not know. */
function earnings(symbol: string, world: World): Reply {
  const ticker = symbol.replace("-", ".");
  const reports = reportsOf(world.instrument(ticker) ?? world.instrument(`${ticker}.US`), world);
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
