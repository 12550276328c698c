import { IDS } from "../../src/providers/coingecko/prices.ts";
import { rollingDay } from "./lookup.ts";
import { json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World } from "./world.ts";

const KEY = "CG-replay-demo-key";
const refused = (status: number, error_code: number, error_message: string): Reply =>
  json({ status: { timestamp: "2026-10-01T08:00:00.000+00:00", error_code, error_message } }, status);
const BASES = new Map([...IDS].map(([base, id]) => [id, base]));

/** CoinGecko: averages over all venues by its own ids; accepts requests without a key, rejects a wrong key. */
export const coingeckoVendor: Vendor = {
  name: "coingecko",
  key: KEY,
  latency: { p50: 150, p95: 600 },
  answer({ path, query, headers }, world) {
    const key = headers.get("x-cg-demo-api-key");
    if (key !== null && key !== KEY) return refused(401, 10002, "API Key Missing");
    const below = path.replace(/^\/api\/v3/, "");
    if (below === "/coins/markets") return json(coins(world));
    if (below !== "/simple/price") return json({ error: "Incorrect path." }, 404);
    if (query.get("vs_currencies") !== "usd") return json({ error: "Missing parameter vs_currencies" }, 422);
    const ids = (query.get("ids") ?? "").split(",");
    return json(Object.fromEntries(ids.flatMap((id) => priceOf(id, world))));
  },
  limits: [
    refused(
      429,
      429,
      "You've exceeded the Rate Limit. Please visit https://www.coingecko.com/en/api/pricing to subscribe to our API plans for higher rate limits.",
    ),
    { status: 429, headers: { "content-type": "text/plain", "retry-after": "60" }, body: "Throttled\n" },
    refused(200, 429, "You've exceeded the Rate Limit."),
  ],
  unauthorised: [
    refused(401, 10002, "API Key Missing"),
    refused(401, 10005, "This request is limited to paid plans."),
    json(
      { error_code: 10011, status: { error_message: "If you are using Demo API key, change your root URL" } },
      400,
    ),
  ],
  blocks: [
    { status: 403, headers: { "content-type": "text/plain; charset=UTF-8" }, body: "error code: 1020" },
    page(403, "Access denied"),
  ],
};

/** Canonical symbol of a CoinGecko id; null for an unknown id. */
const nameOf = (id: string, world: World): string | null => {
  const name = `${BASES.get(id) ?? ""}-USD`;
  return world.instrument(name)?.asset_class === "crypto" ? name : null;
};

function priceOf(id: string, world: World) {
  const name = nameOf(id, world);
  if (name === null) return [];
  const { price, at, open, volume } = rollingDay(world, name);
  const coin = {
    usd: price,
    usd_24h_vol: price * volume,
    usd_24h_change: 100 * (price / open - 1),
    last_updated_at: Math.floor(at / 1000),
  };
  return [[id, coin] as const];
}

/** Every token that has an id, in table order; two of them share a ticker. */
function coins(world: World) {
  const listed = [...IDS].filter(([, id]) => nameOf(id, world) !== null);
  const clone = listed[0] === undefined ? [] : [[listed[0][0], "not-the-real-one"] as const];
  return [...listed, ...clone].map(([base, id], index) => ({
    id,
    symbol: base.toLowerCase(),
    name: world.instrument(`${base}-USD`)!.name,
    market_cap_rank: index + 1,
  }));
}
