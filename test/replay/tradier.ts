import type { OptionContract } from "../../src/domain/options-flow/options.ts";
import { stockOf } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const TOKEN = "replay-only-tradier-token";
const fault = (status: number, faultstring: string, errorcode: string): Reply =>
  json({ fault: { faultstring, detail: { errorcode } } }, status);

/**
 * Tradier: a one-element list is written as its element, an empty one as null; 0 for a contract that never traded or
 * has no model; share classes are written with a slash and listed only among all roots.
 */
export const tradierVendor: Vendor = {
  name: "tradier",
  key: TOKEN,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) return this.unauthorised[0]!;
    const { status, body } = answered(path, query, world);
    const quota = {
      "x-ratelimit-allowed": "120",
      "x-ratelimit-used": "1",
      "x-ratelimit-available": "119",
      "x-ratelimit-expiry": String(world.now() + 60_000),
    };
    return { status, headers: { "content-type": "application/json", ...quota }, body };
  },
  limits: [
    fault(429, "Rate limit quota violation. Quota limit exceeded.", "policies.ratelimit.QuotaViolation"),
    empty(429, { "x-ratelimit-available": "0" }),
  ],
  unauthorised: [
    fault(401, "Invalid Access Token", "keymanagement.service.invalid_access_token"),
    { status: 401, body: "Invalid access token" },
  ],
  blocks: [page(403), page(200)],
};

function answered(path: string, query: URLSearchParams, world: World): Reply {
  const ticker = query.get("symbol") ?? query.get("symbols") ?? "";
  const stock = ticker.includes(".") ? null : stockOf(world, ticker.replace("/", "."));
  const trade = stock === null ? null : world.trade(stock.symbol);
  if (path === "/v1/markets/quotes") {
    if (trade === null) return json({ quotes: { unmatched_symbols: { symbol: ticker } } });
    const { price, at } = trade;
    const quote = { symbol: ticker, type: "stock", last: price, trade_date: at };
    return json({ quotes: { quote: { ...quote, bid: price - 0.01, ask: price + 0.01 } } });
  }
  const contracts = trade === null ? [] : (world.chain(stock!, trade)?.contracts ?? []);
  const unwrapped = <T>(name: string, rows: readonly T[]) =>
    rows.length === 0 ? null : { [name]: rows.length === 1 ? rows[0] : rows };
  if (path === "/v1/markets/options/expirations") {
    const hidden = ticker.includes("/") && query.get("includeAllRoots") !== "true";
    const dates = hidden ? [] : [...new Set(contracts.map(({ expiry }) => expiry))];
    return json({ expirations: unwrapped("date", dates) });
  }
  if (path !== "/v1/markets/options/chains") return empty(404);
  const rows = contracts
    .filter(({ expiry }) => expiry === query.get("expiration"))
    .map((contract) => optionOf(contract, ticker));
  // after a takeover, an adjusted contract keeps its old shares under a different root
  const adjusted = rows.slice(0, 1).map((row) => {
    const root_symbol = `${row.root_symbol}1`;
    return { ...row, root_symbol, symbol: row.symbol.replace(row.root_symbol, root_symbol) };
  });
  return json({ options: unwrapped("option", [...rows, ...adjusted]) });
}

/** A contract without a bid never traded and has no model. */
function optionOf(contract: OptionContract, ticker: string) {
  const { symbol, type, strike, expiry, bid, ask, iv, lastTradedAt } = contract;
  const quiet = bid === null;
  return {
    symbol,
    type: "option",
    option_type: type,
    underlying: ticker,
    root_symbol: ticker.replace("/", ""),
    strike,
    contract_size: 100,
    expiration_date: expiry,
    last: contract.last,
    trade_date: lastTradedAt === null ? 0 : Date.parse(lastTradedAt),
    volume: contract.volume,
    bid: bid ?? 0,
    bidsize: contract.bidSize ?? 0,
    ask,
    asksize: contract.askSize,
    open_interest: contract.openInterest,
    greeks: {
      delta: quiet ? 1 : contract.delta,
      gamma: quiet ? 1e-10 : contract.gamma,
      theta: contract.theta,
      vega: contract.vega,
      mid_iv: quiet ? 0 : iv,
      smv_vol: iv,
    },
  };
}
