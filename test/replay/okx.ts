import { type ProviderTimeframe, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { rollingDay } from "./lookup.ts";
import { json, page, type Reply, type Vendor } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const HOUR = 3_600_000;
const good = (data: readonly unknown[]): Reply => json({ code: "0", msg: "", data });
const refused = (status: number, code: string, msg: string): Reply => json({ code, data: [], msg }, status);

/** Number of bars of each length in the list of recent candles. */
const NEWEST = 1440;

/** OKX's public market data: all values are text, newest first, errors have status 200. */
export const okxVendor: Vendor = {
  name: "okx",
  key: null,
  latency: { p50: 90, p95: 250 },
  answer({ path, query }, world) {
    const instId = query.get("instId") ?? "";
    if (instId === "") return refused(400, "50014", "Parameter instId can not be empty");
    const name = `${instId.replace(/-USDT$/, "")}-USD`;
    if (!instId.endsWith("-USDT") || world.instrument(name)?.asset_class !== "crypto")
      return refused(200, "51001", "Instrument ID, Instrument ID code, or Spread ID doesn't exist.");
    if (path === "/api/v5/market/ticker") return good([ticker(name, instId, world)]);
    if (path === "/api/v5/market/trades") return good([trade(name, instId, world)]);
    const recent = path === "/api/v5/market/candles";
    if (!recent && path !== "/api/v5/market/history-candles")
      return json({ code: "404", data: {}, msg: "Not Found" }, 404);
    const length = LENGTHS[query.get("bar") ?? "1m"];
    if (length === undefined) return refused(400, "51000", "Parameter bar error");
    const limit = Math.min(recent ? 300 : 100, Number(query.get("limit") ?? 100));
    const after = Number(query.get("after") ?? world.now() + 1);
    return good(
      rows(name, world, { ...length, recent, after })
        .slice(-limit)
        .toReversed(),
    );
  },
  limits: [
    json({ msg: "Too Many Requests", code: "50011" }, 429),
    refused(200, "50011", "Rate limit reached. Please refer to API documentation and throttle requests."),
  ],
  unauthorised: [],
  blocks: [page(403, "Attention Required!"), page(200)],
};

interface Length {
  readonly timeframe: ProviderTimeframe;
  /** How far the bars start before the UTC grid, ms. */
  readonly early: number;
}

/** Days without `utc` begin at midnight in Hong Kong. */
const LENGTHS: Readonly<Record<string, Length>> = {
  "1Dutc": { timeframe: "1d", early: 0 },
  "1D": { timeframe: "1d", early: 8 * HOUR },
  "4H": { timeframe: "4h", early: 0 },
  "1H": { timeframe: "1h", early: 0 },
  "30m": { timeframe: "30m", early: 0 },
  "15m": { timeframe: "15m", early: 0 },
  "5m": { timeframe: "5m", early: 0 },
  "1m": { timeframe: "1m", early: 0 },
};

/** Rows before a time, oldest first; the list of older candles contains closed bars only. */
function rows(
  name: string,
  world: World,
  { timeframe, early, recent, after }: Length & { readonly recent: boolean; readonly after: number },
) {
  const length = TIMEFRAME_MS[timeframe];
  const now = world.now();
  const oldest = now - NEWEST * length;
  const until = Math.min(after - 1 + early, now);
  return world
    .bars(name, timeframe, { from: Math.max(until - 302 * length, recent ? oldest : 0), until })
    .map((bar) => ({ ...bar, time: bar.time - early }))
    .filter(({ time }) => time < after && (recent || time + length <= now))
    .map((bar) => candle(bar, bar.time + length <= now));
}

const candle = ({ time, open, high, low, close, volume }: WorldBar, closed: boolean) => [
  String(time),
  ...[open, high, low, close, volume, volume * close, volume * close].map(text),
  closed ? "1" : "0",
];

const trade = (name: string, instId: string, world: World) => {
  const { price, at } = world.trade(name)!;
  return {
    instId,
    side: "buy",
    sz: "0.0002",
    px: text(price),
    source: "0",
    tradeId: "338476307",
    ts: String(at),
  };
};

function ticker(name: string, instId: string, world: World) {
  const { price, open, high, low, volume } = rollingDay(world, name);
  return {
    instType: "SPOT",
    instId,
    last: text(price),
    open24h: text(open),
    high24h: text(high),
    low24h: text(low),
    vol24h: text(volume),
    // later than the trade, as the order book has changed since
    ts: String(world.now()),
  };
}

/** Formats without trailing zeros: `30236`, `0.0002`. */
const text = (figure: number): string => figure.toFixed(8).replace(/\.?0+$/, "");
