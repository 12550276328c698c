import { type Bet, betsFor, dayInWords, groupsOf, WALL } from "./bets.ts";
import { json, type Vendor } from "./vendor.ts";

const SERIES: Readonly<Record<string, string>> = { KXBTCD: "BTC", KXETHD: "ETH", KXFEDDECISION: "Fed" };

/** Kalshi's search, whose volumes count twice and whose prices stand in dollars as text, and its documented list of one series. */
export const kalshiVendor: Vendor = {
  name: "kalshi",
  key: null,
  latency: { p50: 220, p95: 700 },
  answer({ path, query }, world) {
    if (path === "/v1/search/series") {
      const current_page = groupsOf(betsFor(query.get("query") ?? "", world)).map(searchedEvent);
      return json({ total_results_count: current_page.length, current_page, next_cursor: "" });
    }
    if (path === "/trade-api/v2/markets") {
      if (Number(query.get("limit") ?? 100) > 1_000)
        return json({ msg: "Parameter validation failed for GetMarkets" }, 400);
      const series = query.get("series_ticker") ?? "";
      const bets = betsFor(SERIES[series] ?? "", world);
      return json({ cursor: "", markets: bets.map((bet) => listedMarket(bet, series)) });
    }
    return json({ error: { code: "not_found", message: "not found", service: "gateway" } }, 404);
  },
  limits: [
    json({ error: "too many requests" }, 429),
    json({ error: "too many requests" }),
    { status: 429, headers: { "retry-after": "3" }, body: "" },
  ],
  unauthorised: [],
  blocks: [WALL, { status: 302, headers: { location: "/" }, body: "" }],
};

const tickerOf = ({ ticker, level }: Bet) => `KX${ticker.replaceAll(".", "")}D-T${level ?? "C25"}`;
const answerOf = ({ level }: Bet) =>
  level === null ? "Cut 25bps" : `$${level.toLocaleString("en-US")} or above`;
const titleOf = ({ name, level, closes }: Bet) =>
  level === null ? "Fed rate decision" : `${name} price on ${dayInWords(closes)}?`;

const pricesOf = ({ probability }: Bet) => ({
  yes_bid_dollars: Math.max(0, probability - 0.02).toFixed(4),
  yes_ask_dollars: Math.min(1, probability + 0.02).toFixed(4),
  last_price_dollars: probability.toFixed(4),
});

function searchedEvent(bets: readonly Bet[]) {
  const [first] = bets as [Bet];
  return {
    type: "contract",
    series_ticker: `KX${first.ticker.replaceAll(".", "")}D`,
    event_ticker: `KX${first.ticker.replaceAll(".", "")}D-1`,
    event_subtitle: `On ${dayInWords(first.closes)}`,
    event_title: titleOf(first),
    category: first.level === null ? "Economics" : "Financials",
    topic_keywords: first.level === null ? ["Federal Reserve", "Interest Rates"] : [],
    markets: bets.map((bet) => ({
      ticker: tickerOf(bet),
      yes_subtitle: answerOf(bet),
      title: "",
      ...pricesOf(bet),
      close_ts: new Date(bet.closes).toISOString(),
      result: "",
      volume: 4 * bet.volume,
    })),
  };
}

function listedMarket(bet: Bet, series: string) {
  return {
    ticker: tickerOf(bet),
    event_ticker: `${series}-1`,
    title: titleOf(bet),
    yes_sub_title: answerOf(bet),
    ...pricesOf(bet),
    liquidity_dollars: "0.0000",
    volume_fp: (2 * bet.volume).toFixed(2),
    volume_24h_fp: (bet.volume / 10).toFixed(2),
    open_interest_fp: (bet.volume / 2).toFixed(2),
    close_time: new Date(bet.closes).toISOString(),
    status: "active",
    result: "",
    ...(bet.level === null
      ? { strike_type: "custom" }
      : { strike_type: "greater", floor_strike: Number((bet.level - 0.01).toFixed(2)) }),
  };
}
