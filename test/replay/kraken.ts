import { PROVIDER_TIMEFRAMES, TIMEFRAME_MS } from "../../src/domain/market/bars.ts";
import { rollingDay } from "./lookup.ts";
import { json, page, type Reply, type Vendor, type VendorRequest } from "./vendor.ts";
import type { World, WorldBar } from "./world.ts";

/** Number of bars of each length, including the forming bar. */
const BARS = 720;
const refused = (...error: readonly string[]): Reply => json({ error });

/** Kraken's public data: status is always 200, pairs have Kraken's own names, the last row is still forming. */
export const krakenVendor: Vendor = {
  name: "kraken",
  key: null,
  latency: { p50: 110, p95: 350 },
  answer(request, world) {
    const render = ANSWERS[request.path.replace(/^\/0\/public/, "")];
    if (render === undefined) return refused("EGeneral:Unknown method");
    const pair = request.query.get("pair") ?? "";
    if (pair === "") return refused("EGeneral:Invalid arguments");
    const base = /^([A-Z0-9]+)USD$/.exec(pair)?.[1] ?? "";
    const name = `${TICKERS[base] ?? base}-USD`;
    const misnamed = Object.values(TICKERS).includes(base);
    if (base === "USDT") return tether(request.path, world);
    if (misnamed || world.instrument(name)?.asset_class !== "crypto")
      return refused("EQuery:Unknown asset pair");
    return render(name, keyOf(base), request, world);
  },
  limits: [
    refused("EGeneral:Too many requests"),
    refused("EAPI:Rate limit exceeded"),
    refused("EService: Throttled: 1764776700"),
    { status: 429, headers: { "content-type": "text/html", "retry-after": "30" }, body: "<html>1015</html>" },
  ],
  unauthorised: [],
  blocks: [
    page(403, "Just a moment..."),
    { status: 403, headers: { "content-type": "text/plain" }, body: "error code: 1020" },
  ],
};

/** Common tickers of Kraken's own names. */
const TICKERS: Readonly<Record<string, string>> = { XBT: "BTC", XDG: "DOGE" };
const OLDEST = new Set(["ETC", "ETH", "LTC", "REP", "XBT", "XLM", "XMR", "XRP", "ZEC"]);
const keyOf = (base: string): string => {
  if (OLDEST.has(base)) return `X${base}ZUSD`;
  return base === "USDT" ? "USDTZUSD" : `${base}USD`;
};

/** The dollar price of USDT, which is also the day's high and low. */
function tether(path: string, world: World): Reply {
  const price = world.trade("USDT-USD")!.price.toFixed(5);
  const last = [price, "100.0", world.now() / 1000 - 1, "b", "m", "", 1];
  const result = path.endsWith("/Trades")
    ? [last]
    : { h: [price, price], l: [price, price], v: ["1.0", "1.0"] };
  return json({ error: [], result: { [keyOf("USDT")]: result } });
}

type Render = (name: string, key: string, request: VendorRequest, world: World) => Reply;

const ANSWERS: Readonly<Record<string, Render>> = {
  "/Trades": (name, key, { query }, world) => {
    const { price, at } = world.trade(name)!;
    const count = Math.min(1000, Number(query.get("count") ?? 1000));
    const trades = Array.from({ length: count }, (_, i) => {
      const age = count - 1 - i;
      return [text(price + age), "0.34507674", at / 1000 - age, "b", "m", "", 61044952 - age];
    });
    return json({ error: [], result: { [key]: trades, last: `${at}000000` } });
  },
  "/Ticker": (name, key, _, world) => {
    const { price, open, high, low, volume } = world.trade(name)!;
    const rolling = rollingDay(world, name);
    const pair = {
      a: [text(price + 0.1), "1", "1.000"],
      b: [text(price), "1", "1.000"],
      c: [text(price), "0.00092800"],
      v: [amount(volume), amount(rolling.volume)],
      p: [text(price), text(price)],
      t: [2105, 37019],
      l: [text(low), text(rolling.low)],
      h: [text(high), text(rolling.high)],
      o: text(open),
    };
    return json({ error: [], result: { [key]: pair } });
  },
  "/OHLC": (name, key, { query }, world) => {
    const minutes = Number(query.get("interval") ?? 1);
    const timeframe = PROVIDER_TIMEFRAMES.find((length) => TIMEFRAME_MS[length] === minutes * 60_000);
    if (timeframe === undefined) return refused("EGeneral:Invalid arguments");
    const now = world.now();
    const since = Number(query.get("since") ?? 0) * 1000;
    const rows = world
      .bars(name, timeframe, { from: now - BARS * TIMEFRAME_MS[timeframe], until: now })
      .slice(-BARS)
      .filter(({ time }) => time > since);
    const last = (rows.at(-2) ?? rows.at(-1))?.time ?? since;
    return json({ error: [], result: { [key]: rows.map(candle), last: last / 1000 } });
  },
};

const candle = ({ time, open, high, low, close, volume }: WorldBar) => [
  time / 1000,
  ...[open, high, low, close, (high + low) / 2].map(text),
  amount(volume),
  32_890,
];

/** Five decimals; ten for prices below a dollar. */
const text = (figure: number): string => figure.toFixed(figure < 1 ? 10 : 5);
const amount = (figure: number): string => figure.toFixed(8);

/** Kraken with a warning beside all data. */
export const krakenWithWarnings: Vendor = {
  ...krakenVendor,
  answer(request, world) {
    const reply = krakenVendor.answer(request, world);
    return { ...reply, body: reply.body.replace('"error":[]', '"error":["WGeneral:Deprecated"]') };
  },
};
