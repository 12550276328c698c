import { type Bet, betsFor, dayInWords, groupsOf, WALL } from "./bets.ts";
import { json, type Vendor } from "./vendor.ts";

/** Polymarket's search: lists as text inside JSON, settled markets beside open ones, another event that only looks like it. */
export const polymarketVendor: Vendor = {
  name: "polymarket",
  key: null,
  latency: { p50: 180, p95: 600 },
  answer({ path, query }, world) {
    if (path !== "/public-search") return json({ type: "not found error", error: "not found" }, 404);
    const bets = betsFor(query.get("q") ?? "", world);
    const events = groupsOf(bets).map(eventOf);
    const found = events.length === 0 ? [] : [...events, lookAlike(bets[0]!)];
    return json({ events: found, pagination: { hasMore: false, totalResults: found.length } });
  },
  limits: [
    { status: 429, headers: { "retry-after": "5" }, body: "" },
    { status: 429, headers: { "content-type": "text/html" }, body: "<html>error code: 1015</html>" },
  ],
  unauthorised: [],
  blocks: [
    WALL,
    { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html><html></html>" },
  ],
};

function eventOf(bets: readonly Bet[]) {
  const [{ ticker, name, closes, level }] = bets as [Bet];
  const open = bets.map((bet, i) => marketOf(bet, 1_000 + i));
  const title = level === null ? "Fed rate cut?" : `${name} (${ticker}) above ___ on ${dayInWords(closes)}?`;
  return {
    id: `7${ticker.length}${ticker.charCodeAt(0)}`,
    ticker: "t",
    slug: `${ticker.toLowerCase().replaceAll(".", "-")}-event`,
    title,
    closed: false,
    volume: 1e6,
    tags: [{ id: "1", label: level === null ? "Fed" : "Finance" }],
    markets: [
      ...open,
      { ...open[0]!, id: "999", closed: true, outcomePrices: '["0", "1"]', lastTradePrice: 1 },
    ],
  };
}

function marketOf({ ticker, name, level, probability, closes, volume }: Bet, id: number) {
  const on = dayInWords(closes);
  const question =
    level === null
      ? `Will the Fed cut rates by ${on}?`
      : `Will ${name} (${ticker}) be above $${level.toLocaleString("en-US")} on ${on}?`;
  return {
    id: `${ticker.charCodeAt(0)}${id}`,
    question,
    conditionId: "0x00",
    slug: `m-${id}`,
    endDate: new Date(closes).toISOString(),
    liquidity: "1250.5",
    liquidityNum: 1250.5,
    outcomes: '["Yes", "No"]',
    outcomePrices: JSON.stringify([String(probability), (1 - probability).toFixed(2)]),
    clobTokenIds: '["1", "2"]',
    volume: String(volume),
    volumeNum: volume,
    volume24hr: volume / 20,
    active: true,
    closed: false,
    archived: false,
    acceptingOrders: true,
    bestBid: Number(Math.max(0, probability - 0.01).toFixed(2)),
    bestAsk: Number(Math.min(1, probability + 0.01).toFixed(2)),
    spread: 0.02,
    lastTradePrice: 0.5,
  };
}

/** What shares a word with the question and nothing else. */
const lookAlike = (bet: Bet) => ({
  ...eventOf([{ ...bet, ticker: "ZZ", name: "Somebody else", level: 42 }]),
  id: "4242",
  title: "Who will win the cup?",
});
