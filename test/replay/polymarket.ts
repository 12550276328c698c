import type { Contract } from "../../src/domain/prediction-markets/contracts.ts";
import { empty, json, page, type Vendor } from "./vendor.ts";

/**
 * Polymarket's search: lists as text within JSON, a settled market in each event, and an event that only looks similar.
 */
export const polymarketVendor: Vendor = {
  name: "polymarket",
  key: null,
  latency: { p50: 180, p95: 600 },
  answer({ path, query }, world) {
    if (path !== "/public-search") return json({ type: "not found error", error: "not found" }, 404);
    const events = eventsOf(world.contracts(query.get("q") ?? "", "simex")).map(eventOf);
    const lookAlike = { ...events[0]!, id: "4242", title: "Who will win the cup?", slug: "cup" };
    const markets = [{ ...events[0]?.markets[0], id: "4243", question: "Will the Reds win the cup?" }];
    const found = events.length === 0 ? [] : [...events, { ...lookAlike, tags: [], markets }];
    return json({ events: found, pagination: { hasMore: false, totalResults: found.length } });
  },
  limits: [empty(429, { "retry-after": "5" }), page(429, "error code: 1015")],
  unauthorised: [],
  blocks: [page(403, "Attention Required!"), page(200)],
};

/** Contracts grouped by their event. */
export const eventsOf = (contracts: readonly Contract[]): readonly (readonly [Contract, ...Contract[]])[] =>
  [...new Set(contracts.map(({ event }) => event))].map(
    (event) => contracts.filter((contract) => contract.event === event) as [Contract, ...Contract[]],
  );

function eventOf([first, ...others]: readonly [Contract, ...Contract[]]) {
  const open = [first, ...others].map(marketOf);
  return {
    id: first.event,
    ticker: "t",
    slug: first.event.toLowerCase(),
    title: first.event_title,
    closed: false,
    volume: 1e6,
    tags: first.keywords.map((label, i) => ({ id: String(i), label })),
    markets: [
      ...open,
      { ...open[0]!, id: "999", closed: true, outcomePrices: '["0", "1"]', lastTradePrice: 1 },
    ],
  };
}

const marketOf = (contract: Contract) => ({
  id: contract.id,
  question: contract.question,
  slug: contract.id.toLowerCase(),
  endDate: contract.close_time,
  liquidity: String(contract.liquidity),
  liquidityNum: contract.liquidity,
  outcomes: '["Yes", "No"]',
  outcomePrices: JSON.stringify([String(contract.probability), (1 - contract.probability!).toFixed(4)]),
  volume: String(contract.volume_total),
  volumeNum: contract.volume_total,
  volume24hr: contract.volume_24h,
  active: true,
  closed: false,
  archived: false,
  acceptingOrders: true,
  bestBid: contract.bid ?? 0,
  bestAsk: contract.ask ?? 1,
  spread: contract.spread,
  lastTradePrice: 0.5,
});
