import type { Contract } from "../../src/domain/prediction-markets/contracts.ts";
import { eventsOf } from "./polymarket.ts";
import { empty, json, page, type Vendor } from "./vendor.ts";

const SERIES: Readonly<Record<string, string>> = { KXBTCD: "BTC", KXETHD: "ETH", KXFEDDECISION: "Fed" };

/** Host that wants a signature for each request. */
const SIGNED_HOST = "api.elections.kalshi.com";
const unsigned = {
  code: "authentication_error",
  message: "authentication_error",
  service: "exchange",
};

/** Kalshi's search, which counts volumes twice and has dollar prices as text, and its documented list of one series. */
export const kalshiVendor: Vendor = {
  name: "kalshi",
  key: null,
  latency: { p50: 220, p95: 700 },
  answer({ path, query }, world) {
    if (path === "/v1/search/series") {
      const found = world.contracts(query.get("query") ?? "", "simbook");
      const current_page = eventsOf(found).map(searchedEvent);
      return json({ total_results_count: current_page.length, current_page, next_cursor: "" });
    }
    if (path === "/trade-api/v2/markets") {
      if (Number(query.get("limit") ?? 100) > 1_000)
        return json({ msg: "Parameter validation failed for GetMarkets" }, 400);
      const series = query.get("series_ticker") ?? "";
      const found = world.contracts(SERIES[series] ?? "", "simbook");
      return json({ cursor: "", markets: found.map((contract) => listedMarket(contract, series)) });
    }
    return json({ error: { code: "not_found", message: "not found", service: "gateway" } }, 404);
  },
  limits: [
    json({ error: "too many requests" }, 429),
    json({ error: "too many requests" }),
    empty(429, { "retry-after": "3" }),
  ],
  unauthorised: [],
  blocks: [page(403, "Attention Required!"), empty(302, { location: "/" })],
};

const pricesOf = ({ bid, ask, probability }: Contract) => ({
  yes_bid_dollars: (bid ?? 0).toFixed(4),
  yes_ask_dollars: (ask ?? 1).toFixed(4),
  last_price_dollars: probability!.toFixed(4),
});

const searchedEvent = (contracts: readonly [Contract, ...Contract[]]) => ({
  type: "contract",
  series_ticker: contracts[0].event.split("-")[0]!.toUpperCase(),
  event_ticker: contracts[0].event,
  event_title: contracts[0].event_title,
  category: contracts[0].keywords[0] ?? "",
  topic_keywords: contracts[0].keywords.slice(1),
  markets: contracts.map((contract) => ({
    ticker: contract.id,
    yes_subtitle: contract.outcome,
    title: contract.question,
    ...pricesOf(contract),
    close_ts: contract.close_time,
    result: "",
    volume: 2 * contract.volume_total!,
  })),
});

const listedMarket = (contract: Contract, series: string) => ({
  ticker: contract.id,
  event_ticker: `${series}-${contract.event}`,
  title: contract.question,
  yes_sub_title: contract.outcome,
  ...pricesOf(contract),
  liquidity_dollars: "0.0000",
  volume_fp: contract.volume_total!.toFixed(2),
  volume_24h_fp: contract.volume_24h!.toFixed(2),
  open_interest_fp: contract.open_interest!.toFixed(2),
  close_time: contract.close_time,
  status: "active",
  result: "",
  ...(contract.strike === null
    ? { strike_type: "custom" }
    : { strike_type: "greater", floor_strike: contract.strike.floor }),
});

/** Kalshi whose older host serves only signed requests. */
export const kalshiSigned: Vendor = {
  ...kalshiVendor,
  answer: (request, world) =>
    request.host === SIGNED_HOST ? json({ error: unsigned }, 401) : kalshiVendor.answer(request, world),
};
