import { KEY_ID, SECRET } from "./alpaca.ts";

/** A trade as a vendor streams it. */
export interface StreamedTrade {
  readonly price: number;
  /** Epoch ms. */
  readonly at: number;
  /** Statistics of the last 24 hours, or the figures of the day. */
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly volume: number;
  /** Sale conditions of a stock's trade. Default: none. */
  readonly conditions?: readonly string[];
  readonly id?: number;
}

/** State of one connection. */
export interface StreamSession {
  readonly symbols: Set<string>;
  isAuthorised: boolean;
}

/** Server side of a vendor's stream, in its documented format. */
export interface StreamFormat {
  readonly name: string;
  readonly path: string;
  /** Messages sent when a client connects. */
  readonly welcome: readonly unknown[];
  /** Canonical symbol of a vendor's symbol: `BTC-USD` of `BTC/USD`. */
  canonical(symbol: string): string;
  /** Replies to a message and updates the session. */
  receive(message: any, session: StreamSession, listed: (symbol: string) => boolean): readonly unknown[];
  trade(symbol: string, trade: StreamedTrade): readonly unknown[];
  heartbeat(session: StreamSession, at: number): readonly unknown[];
  /** Messages that no client can use: wrong types, impossible values, unknown kinds. */
  garbage(symbol: string, at: number): readonly unknown[];
}

const iso = (at: number, digits = "123456"): string => new Date(at).toISOString().replace("Z", `${digits}Z`);
const text = (figure: number): string => figure.toFixed(8);

/** @see https://docs.alpaca.markets/docs/streaming-market-data */
const alpaca = (symbolLimit: number): StreamFormat => ({
  name: "alpaca",
  path: "/v2/iex",
  welcome: [[{ T: "success", msg: "connected" }]],
  canonical: (symbol) => symbol,
  receive(message, session) {
    const error = (code: number, msg: string) => [[{ T: "error", code, msg }]];
    if (message.action === "auth") {
      if (message.key !== KEY_ID || message.secret !== SECRET) return error(402, "auth failed");
      session.isAuthorised = true;
      return [[{ T: "success", msg: "authenticated" }]];
    }
    if (!session.isAuthorised) return error(401, "not authenticated");
    const trades: readonly string[] = message.trades ?? [];
    if (message.action === "subscribe") {
      if (new Set([...session.symbols, ...trades]).size > symbolLimit)
        return error(405, "symbol limit exceeded");
      for (const symbol of trades) session.symbols.add(symbol);
    } else if (message.action === "unsubscribe") for (const symbol of trades) session.symbols.delete(symbol);
    else return error(400, "invalid syntax");
    const names = [...session.symbols];
    return [[{ T: "subscription", trades: names, quotes: [], bars: [], dailyBars: names }]];
  },
  trade: (S, { price, at, open, high, low, volume, conditions = ["@"], id = at }) => [
    [
      { T: "d", S, o: open, h: high, l: low, c: price, v: volume, t: iso(at, "000000") },
      { T: "t", i: id, S, x: "V", p: price, s: 100, t: iso(at), c: conditions, z: "C" },
    ],
  ],
  heartbeat: () => [],
  garbage: (S, at) => [
    [{ T: "t", S, p: "12", t: iso(at) }],
    [{ T: "t", S, p: -1, t: iso(at) }, null, 7, { T: "q", S, bp: 1, ap: 2 }],
    [{ T: "t", S, p: 5, t: iso(at + 3_600_000) }],
    { T: "t", S, p: 5, t: iso(at) },
  ],
});

const tickersOf = (message: any): readonly string[] => [
  ...new Set<string>((message.params ?? []).map((name: string) => name.split("@")[0]!.toUpperCase())),
];

/** @see https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams */
const binance: StreamFormat = {
  name: "binance",
  path: "/stream",
  welcome: [],
  canonical: (symbol) => symbol.replace(/USDT$/, "-USD"),
  receive(message, { symbols }) {
    const { method, id } = message;
    if (method === "LIST_SUBSCRIPTIONS")
      return [{ result: [...symbols].map((symbol) => `${symbol.toLowerCase()}@aggTrade`), id }];
    if (method !== "SUBSCRIBE" && method !== "UNSUBSCRIBE")
      return [{ error: { code: 2, msg: "Invalid request: unknown variant" }, id }];
    // unknown symbols are accepted
    for (const symbol of tickersOf(message))
      if (method === "SUBSCRIBE") symbols.add(symbol);
      else symbols.delete(symbol);
    return [{ result: null, id }];
  },
  trade(s, { price, at, open, high, low, volume, id = 26129 }) {
    const stream = s.toLowerCase();
    const ticker = { o: text(open), h: text(high), l: text(low), v: text(volume), c: text(price) };
    return [
      { stream: `${stream}@ticker`, data: { e: "24hrTicker", E: at, s, ...ticker, C: at, n: 76 } },
      {
        stream: `${stream}@aggTrade`,
        data: { e: "aggTrade", E: at, s, a: id, p: text(price), q: "0.00050000", T: at, m: true, M: true },
      },
    ];
  },
  heartbeat: () => [],
  garbage(s, at) {
    const event = (data: object) => ({ stream: `${s.toLowerCase()}@aggTrade`, data });
    return [
      event({ e: "aggTrade", s, p: 12, T: at }),
      event({ e: "aggTrade", s, p: "0.00000000", T: at }),
      event({ e: "aggTrade", s, p: "-5.0", T: at }),
      event({ e: "aggTrade", s, p: "5.0", T: at + 3_600_000 }),
      event({ e: "depthUpdate", s, b: [], a: [] }),
    ];
  },
};

/** @see https://docs.cdp.coinbase.com/exchange/websocket-feed/channels */
const coinbase: StreamFormat = {
  name: "coinbase",
  path: "",
  welcome: [],
  canonical: (product) => (product === "CGLD-USD" ? "CELO-USD" : product),
  receive(message, { symbols }, listed) {
    const products: readonly string[] = message.product_ids ?? [];
    const unknown = products.find((product) => !listed(product));
    if (unknown !== undefined)
      return [{ type: "error", message: "Failed to subscribe", reason: `${unknown} is not a valid product` }];
    for (const product of products)
      if (message.type === "subscribe") symbols.add(product);
      else symbols.delete(product);
    const channel = (name: string) => ({ name, product_ids: [...symbols], account_ids: null });
    return [{ type: "subscriptions", channels: ["ticker", "heartbeat"].map(channel) }];
  },
  trade: (product_id, { price, at, open, high, low, volume, id = 1_050_113_015 }) => [
    {
      type: "ticker",
      sequence: 37_475_248_783,
      product_id,
      price: text(price),
      open_24h: text(open),
      volume_24h: text(volume),
      low_24h: text(low),
      high_24h: text(high),
      volume_30d: text(30 * volume),
      best_bid: text(price),
      best_ask: text(price + 0.01),
      side: "buy",
      time: iso(at),
      trade_id: id,
      last_size: "0.00010000",
    },
  ],
  heartbeat: ({ symbols }, at) =>
    [...symbols].map((product_id) => ({
      type: "heartbeat",
      last_trade_id: 1,
      product_id,
      sequence: 1,
      time: iso(at),
    })),
  garbage: (product_id, at) => [
    { type: "ticker", product_id, price: "12.00" },
    { type: "ticker", product_id, price: "0", time: iso(at) },
    { type: "ticker", product_id, price: "7e9", time: iso(at) },
    { type: "ticker", product_id, price: "5.0", time: iso(at + 3_600_000) },
    { type: "l2update", product_id, changes: [] },
  ],
};

/** @see https://docs.kraken.com/exchange/api-reference/spot-websocket-v2/ticker */
const kraken: StreamFormat = {
  name: "kraken",
  path: "/v2",
  welcome: [
    {
      channel: "status",
      type: "update",
      data: [{ version: "2.0.10", system: "online", api_version: "v2", connection_id: 12393906104898 }],
    },
  ],
  canonical: (symbol) => symbol.replace("LUNA/", "LUNC/").replace("LUNA2/", "LUNA/").replace("/", "-"),
  receive(message, { symbols }, listed) {
    const times = { time_in: "2026-01-15T15:00:00.123456Z", time_out: "2026-01-15T15:00:00.123500Z" };
    const { method } = message;
    if (method === "ping") return [{ method: "pong", ...times }];
    const names: readonly string[] = message.params?.symbol ?? [];
    return names.map((symbol) => {
      if (!listed(symbol))
        return { error: `Currency pair not supported ${symbol}`, method, success: false, symbol, ...times };
      if (method === "subscribe") symbols.add(symbol);
      else symbols.delete(symbol);
      return { method, result: { channel: "ticker", snapshot: true, symbol }, success: true, ...times };
    });
  },
  trade: (symbol, { price, at, open, high, low, volume }) => [
    ticker("update", symbol, price, at, { high, low, volume, change: price - open }),
  ],
  heartbeat: () => [{ channel: "heartbeat" }],
  garbage: (symbol, at) => [
    // the price of a snapshot may be old
    ticker("snapshot", symbol, 12, at, {}),
    ticker("update", symbol, 0, at, {}),
    ticker("update", symbol, 5, at + 3_600_000, {}),
    { channel: "ticker", type: "update", data: [{ symbol, last: "12", timestamp: iso(at) }, null] },
    { channel: "book", type: "update", data: [{ symbol }] },
  ],
};

const ticker = (type: string, symbol: string, last: number, at: number, figures: object) => ({
  channel: "ticker",
  type,
  data: [
    {
      symbol,
      bid: last,
      bid_qty: 1,
      ask: last,
      ask_qty: 1,
      last,
      vwap: last,
      ...figures,
      timestamp: iso(at),
    },
  ],
});

/** `symbolLimit`: maximum number of symbols on one connection of Alpaca. Default: that of its free plan. */
export const streamFormats = (symbolLimit = 30): readonly StreamFormat[] => [
  alpaca(symbolLimit),
  binance,
  coinbase,
  kraken,
];
