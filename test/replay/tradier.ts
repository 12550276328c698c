import { newYorkDay } from "../../src/lib/newyork.ts";
import { json, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const DAY = 86_400_000;
const TOKEN = "replay-only-tradier-token";
const fault = (status: number, faultstring: string, errorcode: string): Reply =>
  json({ fault: { faultstring, detail: { errorcode } } }, status);

/**
 * Tradier: what there is once stands without its list, what there is none of is null, 0 where a contract never traded
 * or has no model, classes of shares behind a slash and only among all roots.
 */
export const tradierVendor: Vendor = {
  name: "tradier",
  key: TOKEN,
  latency: { p50: 150, p95: 500 },
  answer({ path, query, headers }, world) {
    if (headers.get("authorization") !== `Bearer ${TOKEN}`) return this.unauthorised[0]!;
    const { status, body } = answered(path, query, world);
    const left = {
      "x-ratelimit-allowed": "120",
      "x-ratelimit-used": "1",
      "x-ratelimit-available": "119",
      "x-ratelimit-expiry": String(world.now() + 60_000),
    };
    return { status, headers: { "content-type": "application/json", ...left }, body };
  },
  limits: [
    fault(429, "Rate limit quota violation. Quota limit exceeded.", "policies.ratelimit.QuotaViolation"),
    { status: 429, headers: { "x-ratelimit-available": "0" }, body: "" },
  ],
  unauthorised: [
    fault(401, "Invalid Access Token", "keymanagement.service.invalid_access_token"),
    { status: 401, body: "Invalid access token" },
  ],
  blocks: [
    { status: 403, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" },
    { status: 200, headers: { "content-type": "text/html" }, body: "<html><body></body></html>" },
  ],
};

function answered(path: string, query: URLSearchParams, world: World): Reply {
  const ticker = query.get("symbol") ?? query.get("symbols") ?? "";
  const name = ticker.replace("/", ".");
  const found = world.instrument(name) ?? world.instrument(`${name}.US`);
  const symbol =
    found === null || found.asset_class === "crypto" || ticker.includes(".") ? null : found.symbol;
  switch (path) {
    case "/v1/markets/quotes":
      return json({
        quotes: symbol === null ? { unmatched_symbols: { symbol: ticker } } : quote(ticker, symbol, world),
      });
    case "/v1/markets/options/expirations": {
      const hidden = ticker.includes("/") && query.get("includeAllRoots") !== "true";
      return json({ expirations: symbol === null || hidden ? null : { date: fridays(world).map(dateOf) } });
    }
    case "/v1/markets/options/chains":
      return json({
        options: symbol === null ? null : chain(ticker, symbol, query.get("expiration") ?? "", world),
      });
    default:
      return { status: 404, body: "" };
  }
}

function quote(ticker: string, symbol: string, world: World) {
  const { price, at } = world.trade(symbol)!;
  return {
    quote: {
      symbol: ticker,
      type: "stock",
      last: price,
      trade_date: at,
      bid: price - 0.01,
      ask: price + 0.01,
    },
  };
}

const dateOf = (day: number): string => new Date(day).toISOString().slice(0, 10);

/** The next two Fridays. */
function fridays(world: World): readonly number[] {
  const today = newYorkDay(world.now());
  const next = today + ((12 - new Date(today).getUTCDay()) % 7) * DAY;
  return [next, next + 7 * DAY];
}

/** Five strikes around the price, calls and puts, and one contract left from a takeover; of the farther Friday one call. */
function chain(ticker: string, symbol: string, expiration: string, world: World) {
  const place = fridays(world).map(dateOf).indexOf(expiration);
  if (place === -1) return null;
  const { price, at } = world.trade(symbol)!;
  const step = Math.max(1, Math.round(price / 40));
  const middle = Math.round(price / step) * step;
  const about = { ticker, expiration, price, at };
  if (place === 1) return { option: row({ ...about, strike: middle, type: "call", nth: 0 }) };
  const rows = [-2, -1, 0, 1, 2].flatMap((steps, nth) =>
    (["call", "put"] as const).map((type) => row({ ...about, strike: middle + steps * step, type, nth })),
  );
  const left = row({ ...about, strike: middle, type: "call", nth: 2, after: "1" });
  return { option: [...rows, left] };
}

interface Asked {
  readonly ticker: string;
  readonly expiration: string;
  readonly price: number;
  readonly at: number;
  readonly strike: number;
  readonly type: "call" | "put";
  readonly nth: number;
  readonly after?: string;
}

/** The farthest put never traded and has no model. */
function row({ ticker, expiration, price, at, strike, type, nth, after = "" }: Asked) {
  const quiet = nth === 4 && type === "put";
  const root = `${ticker.replace("/", "")}${after}`;
  const date = expiration.slice(2).replaceAll("-", "");
  const inside = Math.max(0, type === "call" ? price - strike : strike - price);
  const theo = Math.round((inside + price / (20 + 10 * Math.abs(nth - 2))) * 100) / 100;
  return {
    symbol: `${root}${date}${type === "call" ? "C" : "P"}${String(strike * 1000).padStart(8, "0")}`,
    type: "option",
    option_type: type,
    underlying: ticker,
    root_symbol: root,
    strike,
    contract_size: 100,
    expiration_date: expiration,
    expiration_type: "weeklys",
    last: quiet ? null : theo,
    trade_date: quiet ? 0 : at,
    volume: quiet ? 0 : 1_868,
    bid: quiet ? 0 : theo - 0.05,
    bidsize: quiet ? 0 : 65,
    ask: theo + 0.05,
    asksize: 5,
    open_interest: quiet ? 0 : 2_952,
    greeks: {
      delta: quiet ? 1 : (type === "call" ? 1 : -1) * (0.7 - 0.1 * nth),
      gamma: quiet ? 1e-10 : 0.0392,
      theta: -0.2983,
      vega: 0.0524,
      rho: 0.0085,
      phi: -0.0083,
      bid_iv: quiet ? 0 : 0.31,
      mid_iv: quiet ? 0 : 0.315,
      ask_iv: quiet ? 0 : 0.32,
      smv_vol: 0.38,
      updated_at: "2025-12-03 15:00:06",
    },
  };
}
