import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { rollingDay } from "./lookup.ts";
import { json, page, type Reply, type Vendor, type VendorRequest } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

const refused = (status: number, message: string): Reply => json({ message }, status);

/** Coinbase Exchange: quotes as text, candles as numbers with the low before the high, newest first, 300 at most. */
export const coinbaseVendor: Vendor = {
  name: "coinbase",
  key: null,
  latency: { p50: 80, p95: 250 },
  answer(request, world) {
    if (request.headers.get("user-agent") === null) return refused(400, "User-Agent header is required.");
    const [, product = "", what = ""] =
      /^\/products\/([^/]+)\/(ticker|stats|candles)$/.exec(request.path) ?? [];
    if (product === "") return refused(404, "Route not found");
    const name = product === "CGLD-USD" ? "CELO-USD" : product;
    if (product === "CELO-USD" || world.instrument(name)?.asset_class !== "crypto")
      return refused(404, "NotFound");
    return ANSWERS[what]!(name, request, world);
  },
  limits: [refused(429, "Public rate limit exceeded"), refused(429, "Slow rate limit exceeded")],
  unauthorised: [],
  blocks: [page(403, "Attention Required! | Cloudflare"), refused(403, "Forbidden")],
};

type Answer = (product: string, request: VendorRequest, world: World) => Reply;

const ANSWERS: Readonly<Record<string, Answer>> = {
  ticker: (product, _, world) => {
    const { price, at, volume } = rollingDay(world, product);
    return json({
      ask: (price + 0.01).toFixed(2),
      bid: price.toFixed(2),
      volume: volume.toFixed(8),
      trade_id: 1050113015,
      price: text(price),
      size: "0.00000003",
      // timestamps have nanosecond precision
      time: new Date(at).toISOString().replace("Z", "828120Z"),
      rfq_volume: "71.322108",
    });
  },
  stats: (product, _, world) => {
    const { price, open, high, low, volume } = rollingDay(world, product);
    return json({
      open: text(open),
      high: text(high),
      low: text(low),
      last: text(price),
      volume: volume.toFixed(8),
      volume_30day: (30 * volume).toFixed(8),
    });
  },
  candles: (product, { query }, world) => {
    const seconds = Number(query.get("granularity") ?? 60);
    const timeframe = PROVIDER_TIMEFRAMES.find((length) => TIMEFRAME_MS[length] === seconds * 1000);
    if (timeframe === undefined || timeframe === "30m" || timeframe === "4h")
      return refused(400, "Unsupported granularity");
    const length = TIMEFRAME_MS[timeframe];
    const [start, end] = [Date.parse(query.get("start") ?? ""), Date.parse(query.get("end") ?? "")];
    if (Number.isNaN(start) || Number.isNaN(end)) return refused(400, "Invalid start or end");
    if ((end - start) / length > 300)
      return refused(
        400,
        "granularity too small for the requested time range. Count of aggregations requested exceeds 300",
      );
    // the bar before the start is included
    const bars = world.bars(product, timeframe, { from: start - length, until: end });
    return json(bars.toReversed().map(candle));
  },
};

const candle = ({ time, open, high, low, close, volume }: WorldBar) => [
  time / 1000,
  ...[low, high, open, close, volume],
];
/** Formats a figure without trailing zeros. */
const text = (figure: number): string => figure.toFixed(10).replace(/\.?0+$/, "");
