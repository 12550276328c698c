import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { rollingDay } from "./lookup.ts";
import { empty, json, page, type Reply, type Vendor, type VendorRequest } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const DAY = 86_400_000;
const refused = (status: number, code: number, msg: string, headers = {}): Reply => {
  const reply = json({ code, msg }, status);
  return { ...reply, headers: { ...reply.headers, ...headers } };
};

/** Binance's spot market data: decimals as text, milliseconds as numbers, oldest first, a rolling day of 24 hours. */
export const binanceVendor: Vendor = {
  name: "binance",
  key: null,
  latency: { p50: 60, p95: 180 },
  answer(request, world) {
    const symbol = request.query.get("symbol");
    if (symbol === null)
      return refused(400, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.");
    if (!/^[A-Z0-9-_.]{1,20}$/.test(symbol))
      return refused(400, -1100, "Illegal characters found in parameter 'symbol'.");
    const name = `${symbol.replace(/USDT$/, "")}-USD`;
    if (!symbol.endsWith("USDT") || world.instrument(name)?.asset_class !== "crypto")
      return refused(400, -1121, "Invalid symbol.");
    const render = PATHS[request.path];
    return render === undefined ? empty(404) : render(name, symbol, request, world);
  },
  limits: [
    refused(
      429,
      -1003,
      "Too much request weight used; current limit is 6000 request weight per 1 MINUTE. Please use WebSocket Streams for live updates to avoid polling the API.",
      { "retry-after": "21" },
    ),
    refused(
      418,
      -1003,
      "Way too much request weight used; IP banned until 1764776700000. Please use WebSocket Streams for live updates to avoid bans.",
      { "retry-after": "120" },
    ),
    refused(400, -1003, "Too many requests queued."),
  ],
  unauthorised: [],
  blocks: [
    refused(451, 0, "Service unavailable from a restricted location according to 'b. Eligibility'."),
    page(403, "ERROR: The request could not be satisfied"),
  ],
};

type Render = (name: string, symbol: string, request: VendorRequest, world: World) => Reply;

const PATHS: Readonly<Record<string, Render>> = {
  "/api/v3/aggTrades": (name, _symbol, _request, world) => {
    const { price, at } = world.trade(name)!;
    return json([{ a: 26129, p: text(price), q: "0.00050000", f: 27781, l: 27781, T: at, m: true, M: true }]);
  },
  "/api/v3/ticker/24hr": (name, symbol, _request, world) => {
    const now = world.now();
    const { price, open, high, low, volume } = rollingDay(world, name);
    return json({
      symbol,
      lastPrice: text(price),
      openPrice: text(open),
      highPrice: text(high),
      lowPrice: text(low),
      volume: text(volume),
      openTime: now - DAY,
      closeTime: now,
      count: 76,
    });
  },
  "/api/v3/klines": (name, _symbol, { query }, world) => {
    const timeframe = PROVIDER_TIMEFRAMES.find((length) => length === query.get("interval"));
    if (timeframe === undefined) return refused(400, -1120, "Invalid interval.");
    const limit = Math.min(1000, Number(query.get("limit") ?? 500));
    const start = query.get("startTime");
    const until = Number(query.get("endTime") ?? world.now());
    const from = start === null ? until - limit * TIMEFRAME_MS[timeframe] : Number(start);
    const rows = world.bars(name, timeframe, { from, until }).map(kline(TIMEFRAME_MS[timeframe]));
    return json(start === null ? rows.slice(-limit) : rows.slice(0, limit));
  },
};

const kline =
  (length: number) =>
  ({ time, open, high, low, close, volume }: WorldBar) => [
    time,
    ...[open, high, low, close, volume].map(text),
    time + length - 1,
    text(volume * close),
    617,
    text(volume / 2),
    text((volume * close) / 2),
    "0",
  ];

const text = (figure: number): string => figure.toFixed(8);
