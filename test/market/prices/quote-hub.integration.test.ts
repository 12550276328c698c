import { afterEach, describe, expect, it, vi } from "vitest";
import type { Instrument, Quote } from "../../../src/domain/market/market.ts";
import type { QuoteStreamProvider } from "../../../src/domain/providers/quote-stream.ts";
import { BoundedWebSocket } from "../../../src/lib/websocket.ts";
import { createQuoteHub, type QuoteHubOptions } from "../../../src/market/prices/quote-hub.ts";
import { alpacaStream } from "../../../src/providers/alpaca/stream.ts";
import { binanceStream } from "../../../src/providers/binance/stream.ts";
import { coinbaseStream } from "../../../src/providers/coinbase/stream.ts";
import { krakenStream } from "../../../src/providers/kraken/stream.ts";
import { KEY_ID, SECRET } from "../../replay/alpaca.ts";
import { collectingLog } from "../../support/context.ts";
import { startStreamVendors, streamedTrade } from "../../support/stream-vendors.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Vendors = Awaited<ReturnType<typeof startStreamVendors>>;
const BUILDERS: Readonly<Record<string, (vendors: Vendors, key: string) => QuoteStreamProvider>> = {
  alpaca: (vendors, key) => alpacaStream({ baseUrl: vendors.url("alpaca"), key, secret: SECRET }),
  binance: (vendors) => binanceStream({ baseUrl: vendors.url("binance") }),
  coinbase: (vendors) => coinbaseStream({ baseUrl: vendors.url("coinbase") }),
  kraken: (vendors) => krakenStream({ baseUrl: vendors.url("kraken") }),
};
/** Each vendor with an instrument and the vendor's name of it. */
const CASES = [
  ["alpaca", "AAPL", "AAPL", "IEX"],
  ["binance", "BTC-USD", "BTCUSDT", "BINANCE"],
  ["coinbase", "BTC-USD", "BTC-USD", "COINBASE"],
  ["kraken", "BTC-USD", "BTC/USD", "KRAKEN"],
] as const;

interface Fixture {
  readonly symbolLimit?: number;
  readonly options?: Partial<QuoteHubOptions>;
  readonly provider?: Partial<QuoteStreamProvider>;
  readonly keys?: { readonly alpaca: string };
}

/** A hub over some vendors, connected by real sockets. */
async function setup(names: readonly string[], { symbolLimit, options, provider, keys }: Fixture = {}) {
  const vendors = await startStreamVendors({ ...(symbolLimit !== undefined && { symbolLimit }) });
  const { log, lines } = collectingLog();
  const hub = createQuoteHub({
    providers: names.map((name) => ({
      ...BUILDERS[name]!(vendors, keys?.alpaca ?? KEY_ID),
      ...provider,
    })),
    WebSocket: BoundedWebSocket,
    clock: { now: () => new Date() },
    log,
    witness: { isWitnessed: () => true },
    firstPauseMs: 5,
    ...options,
  });
  ends.push(vendors.close, hub.close);
  const instrument = (symbol: string): Instrument => vendors.listed.get(symbol)!;
  /** Subscribes and collects the quotes; `subscribed` resolves when the vendor has the symbol. */
  const listen = (symbol: string) => {
    const quotes: Quote[] = [];
    const leave = hub.subscribe(instrument(symbol), (quote) => void quotes.push(quote));
    return { quotes, leave };
  };
  const symbolsAt = (name: string) => vendors.subscriptions(name).flat();
  const subscribed = (name: string, symbol: string) =>
    vi.waitUntil(() => symbolsAt(name).includes(symbol), { timeout: 15_000 });
  const arrived = (quotes: readonly unknown[], count = 1) =>
    vi.waitUntil(() => quotes.length >= count, { timeout: 15_000 });
  return { vendors, hub, lines, instrument, listen, symbolsAt, subscribed, arrived };
}

describe.each(CASES)("the stream of %s", (name, symbol, vendorSymbol, venue) => {
  it("delivers each trade with its time, its provider and its venue", async () => {
    const { vendors, hub, listen, instrument, subscribed, arrived } = await setup([name]);
    const unused = { provider: name, state: "idle", symbols: 0, last_message_at: null, losses: 0 };
    expect(hub.status?.()).toEqual([unused]);
    const { quotes } = listen(symbol);
    await subscribed(name, vendorSymbol);
    expect(hub.status?.()).toMatchObject([{ state: "open", symbols: 1, losses: 0 }]);
    await subscribed(name, vendorSymbol);
    const at = Date.now();
    vendors.push(name, vendorSymbol, streamedTrade(100.5, at));
    await arrived(quotes);
    expect(quotes[0]).toMatchObject({
      price: 100.5,
      timestamp: new Date(at).toISOString(),
      source: name,
      venue,
      open: name === "alpaca" ? 95 : expect.closeTo(95, 6),
      high: 110,
      low: 90,
      volume: 1_234,
      origin: { served_from: "stream", stale: false, volume_scope: "one_venue" },
    });
    const latest = hub.latest(instrument(symbol), undefined);
    // a stock's stream has no previous close, so a quote is requested first
    expect(latest?.price ?? null).toBe(name === "alpaca" ? null : 100.5);
  });

  it("ignores malformed messages, other symbols, impossible prices and trades of the future", async () => {
    const { vendors, listen, subscribed, arrived } = await setup([name]);
    const { quotes } = listen(symbol);
    await subscribed(name, vendorSymbol);
    const at = Date.now();
    vendors.pushGarbage(name, vendorSymbol, at);
    const other = { alpaca: "MSFT", binance: "ETHUSDT", coinbase: "ETH-USD", kraken: "ETH/USD" }[name];
    vendors.push(name, other, streamedTrade(7, at), { force: true });
    vendors.push(name, vendorSymbol, streamedTrade(101, at));
    await arrived(quotes);
    expect(quotes.map(({ price }) => price)).toEqual([101]);
    expect(vendors.connections(name)).toBe(1);
  });

  it("never goes back in time", async () => {
    const { vendors, listen, subscribed, arrived } = await setup([name]);
    const { quotes } = listen(symbol);
    await subscribed(name, vendorSymbol);
    const at = Date.now();
    vendors.push(name, vendorSymbol, streamedTrade(101, at - 1_000));
    vendors.push(name, vendorSymbol, streamedTrade(99, at - 5_000));
    vendors.push(name, vendorSymbol, streamedTrade(102, at));
    await arrived(quotes, 2);
    expect(quotes.map(({ price }) => price)).toEqual([101, 102]);
  });

  it("reconnects and subscribes again after the connection breaks; no old price remains", async () => {
    const { vendors, hub, listen, instrument, subscribed, arrived } = await setup([name]);
    const { quotes } = listen(symbol);
    await subscribed(name, vendorSymbol);
    vendors.push(name, vendorSymbol, streamedTrade(100));
    await arrived(quotes);
    vendors.drop(name);
    await vi.waitUntil(() => vendors.connections(name) === 2, { timeout: 15_000 });
    expect(hub.latest(instrument(symbol), undefined)).toBeNull();
    await subscribed(name, vendorSymbol);
    vendors.push(name, vendorSymbol, streamedTrade(103));
    await arrived(quotes, 2);
    expect(quotes.map(({ price }) => price)).toEqual([100, 103]);
  });

  it("replaces a connection that falls silent", async () => {
    const { vendors, listen, subscribed, lines } = await setup([name], { provider: { silenceMs: 150 } });
    listen(symbol);
    await subscribed(name, vendorSymbol);
    vendors.set(name, { silent: true });
    await vi.waitUntil(() => lines.some(({ fields }) => fields.failure === "silent"), { timeout: 15_000 });
    vendors.set(name, {});
    await vi.waitUntil(() => vendors.connections(name) >= 2, { timeout: 15_000 });
    await subscribed(name, vendorSymbol);
  });

  it("shares one subscription over all listeners and ends it when the last one has left", async () => {
    const { vendors, listen, subscribed, arrived, symbolsAt } = await setup([name], {
      options: { idleMs: 20 },
    });
    const [first, second, third] = [listen(symbol), listen(symbol), listen(symbol)];
    await subscribed(name, vendorSymbol);
    vendors.push(name, vendorSymbol, streamedTrade(100));
    await Promise.all([first, second, third].map(({ quotes }) => arrived(quotes)));
    first.leave();
    first.leave();
    second.leave();
    vendors.push(name, vendorSymbol, streamedTrade(101, Date.now() + 1));
    await arrived(third.quotes, 2);
    expect(first.quotes).toHaveLength(1);
    expect(symbolsAt(name)).toEqual([vendorSymbol]);
    third.leave();
    await vi.waitUntil(() => vendors.subscriptions(name).length === 0, { timeout: 15_000 });
    expect(vendors.connections(name)).toBe(1);
  });
});

describe("a subscription", () => {
  it("is ended at the provider while other symbols stay", async () => {
    const { listen, subscribed, symbolsAt, vendors } = await setup(["kraken"], { options: { idleMs: 10 } });
    const bitcoin = listen("BTC-USD");
    listen("ETH-USD");
    await subscribed("kraken", "BTC/USD");
    await subscribed("kraken", "ETH/USD");
    bitcoin.leave();
    await vi.waitUntil(() => symbolsAt("kraken").join() === "ETH/USD", { timeout: 15_000 });
    expect(vendors.connections("kraken")).toBe(1);
  });

  it("outlives a listener that comes back within the idle time", async () => {
    const { listen, subscribed, vendors } = await setup(["kraken"]);
    const first = listen("BTC-USD");
    await subscribed("kraken", "BTC/USD");
    first.leave();
    const { quotes } = listen("BTC-USD");
    vendors.push("kraken", "BTC/USD", streamedTrade(100));
    await vi.waitUntil(() => quotes.length === 1, { timeout: 15_000 });
    expect(vendors.connections("kraken")).toBe(1);
  });

  it.each([
    ["coinbase", "kraken", "BTC/USD"],
    ["kraken", "coinbase", "BTC-USD"],
  ])("moves from %s to %s, which lists the symbol", async (first, second, vendorSymbol) => {
    const { vendors, listen, subscribed, arrived, symbolsAt } = await setup([first, second]);
    vendors.set(first, { unlisted: ["BTC-USD"] });
    listen("ETH-USD");
    const { quotes } = listen("BTC-USD");
    await subscribed(second, vendorSymbol);
    vendors.push(second, vendorSymbol, streamedTrade(100));
    await arrived(quotes);
    expect(quotes[0]).toMatchObject({ source: second });
    expect(symbolsAt(first)).toHaveLength(1);
    expect(symbolsAt(second)).toEqual([vendorSymbol]);
  });
});

describe("limits", () => {
  it("subscribes to no more symbols than a connection allows; the others have no stream", async () => {
    const { hub, instrument, listen, symbolsAt } = await setup(["alpaca"], { provider: { maxSymbols: 2 } });
    for (const symbol of ["AAPL", "MSFT", "NVDA"]) listen(symbol);
    await vi.waitUntil(() => symbolsAt("alpaca").length === 2, { timeout: 15_000 });
    expect(symbolsAt("alpaca")).toEqual(["AAPL", "MSFT"]);
    expect(hub.latest(instrument("NVDA"), undefined)).toBeNull();
  });

  it("lowers its own limit when the provider rejects a subscription as too large", async () => {
    const { listen, symbolsAt, vendors } = await setup(["alpaca"], {
      symbolLimit: 2,
      options: { retryMs: 20 },
    });
    listen("AAPL");
    await vi.waitUntil(() => symbolsAt("alpaca").length === 1, { timeout: 15_000 });
    for (const symbol of ["MSFT", "NVDA", "AMD"]) listen(symbol);
    // the three are rejected together, then one of them is accepted
    await vi.waitUntil(() => symbolsAt("alpaca").length === 2, { timeout: 15_000 });
    expect(symbolsAt("alpaca")).toEqual(["AAPL", "MSFT"]);
    expect(vendors.connections("alpaca")).toBe(1);
  });
});

describe("a rejected key", () => {
  it.each<[string, readonly unknown[] | undefined, string]>([
    ["a wrong key", undefined, "wrong"],
    [
      "another connection with the key",
      [[{ T: "error", code: 406, msg: "connection limit exceeded" }]],
      KEY_ID,
    ],
    [
      "a key without the feed, after it was accepted",
      [
        [
          { T: "success", msg: "connected" },
          { T: "error", code: 409, msg: "insufficient subscription" },
        ],
      ],
      KEY_ID,
    ],
  ])("is not tried again soon: %s", async (_, refuse, key) => {
    const { vendors, listen, lines, subscribed, arrived } = await setup(["alpaca", "kraken"], {
      keys: { alpaca: key },
    });
    if (refuse !== undefined) vendors.set("alpaca", { refuse });
    listen("AAPL");
    await vi.waitUntil(() => lines.some(({ fields }) => fields.failure === "rejected"), { timeout: 15_000 });
    // a new attempt would be made before the other provider sends a price
    const { quotes } = listen("BTC-USD");
    await subscribed("kraken", "BTC/USD");
    vendors.push("kraken", "BTC/USD", streamedTrade(100));
    await arrived(quotes);
    expect(lines.filter(({ event }) => event === "stream_lost")).toHaveLength(1);
    expect(vendors.connections("alpaca")).toBe(1);
    expect(JSON.stringify(lines)).not.toContain("insufficient");
  });
});

describe("a provider that is down", () => {
  it("hands its symbols to the next one", async () => {
    const { vendors, listen, subscribed, arrived } = await setup(["coinbase", "kraken"]);
    vendors.set("coinbase", { refuse: [{ type: "error", message: "maintenance" }] });
    const { quotes } = listen("BTC-USD");
    await subscribed("kraken", "BTC/USD");
    vendors.push("kraken", "BTC/USD", streamedTrade(100));
    await arrived(quotes);
    expect(quotes[0]).toMatchObject({ source: "kraken", price: 100 });
    expect(vendors.connections("coinbase")).toBe(3);
  });
});

describe("a stock's trades", () => {
  it("are ignored where their price is not the current one, and withdrawn when cancelled", async () => {
    const { vendors, hub, listen, instrument, subscribed, arrived } = await setup(["alpaca"]);
    const { quotes } = listen("AAPL");
    await subscribed("alpaca", "AAPL");
    const at = Date.now();
    vendors.push("alpaca", "AAPL", { ...streamedTrade(50, at), conditions: ["W"] });
    vendors.push("alpaca", "AAPL", { ...streamedTrade(100, at), conditions: ["@", "I"], id: 7 });
    await arrived(quotes);
    expect(quotes.map(({ price }) => price)).toEqual([100]);
    const requested = requestedQuote(99.5, at - 1_000);
    expect(hub.latest(instrument("AAPL"), requested)).toMatchObject({ price: 100, previousClose: 98 });
    vendors.send("alpaca", [{ T: "x", S: "AAPL", i: 8, p: 100, a: "C" }]);
    vendors.send("alpaca", [{ T: "x", S: "AAPL", i: 7, p: 100, a: "C" }]);
    await vi.waitUntil(() => hub.latest(instrument("AAPL"), requested) === null, { timeout: 15_000 });
  });

  it("take day figures from a requested quote of the same day, widened by the price", async () => {
    const { vendors, hub, listen, instrument, subscribed, arrived } = await setup(["alpaca"]);
    const { quotes } = listen("AAPL");
    await subscribed("alpaca", "AAPL");
    const at = Date.now();
    vendors.push("alpaca", "AAPL", streamedTrade(130, at));
    await arrived(quotes);
    const latest = (requested: ReturnType<typeof requestedQuote>) =>
      hub.latest(instrument("AAPL"), requested);
    expect(latest(requestedQuote(99.5, at - 1_000))).toMatchObject({
      price: 130,
      source: "alpaca",
      venue: "IEX",
      previousClose: 98,
      open: 99,
      high: 130,
      low: 97,
      volume: 5_000,
      volumeScope: "all_venues",
    });
    // a later trade of another provider is the newer price
    expect(latest(requestedQuote(99.5, at + 1))).toBeNull();
    // another day, or a quote that is too old
    expect(latest(requestedQuote(99.5, at - 86_400_000))).toBeNull();
    expect(latest({ ...requestedQuote(99.5, at - 1_000), fetchedAt: at - 61_000 })).toBeNull();
  });
});

/** A quote that another provider returned on request. */
const requestedQuote = (price: number, tradedAt: number) => ({
  price,
  tradedAt,
  previousClose: 98,
  open: 99,
  high: 100,
  low: 97,
  volume: 5_000,
  bid: null,
  ask: null,
  volumeScope: "all_venues" as const,
  venue: "US",
  source: "other",
  fetchedAt: Date.now(),
  delayMinutes: 0,
  liveWithinMs: 120_000,
  officialClose: false,
  currency: "USD" as const,
  converted: null,
});

describe("shutdown", () => {
  it("closes every connection; later listeners get no stream", async () => {
    const { vendors, hub, listen, subscribed } = await setup(["alpaca", "coinbase"]);
    listen("AAPL");
    listen("BTC-USD");
    await subscribed("alpaca", "AAPL");
    await subscribed("coinbase", "BTC-USD");
    hub.close();
    await vi.waitUntil(
      () => ["alpaca", "coinbase"].every((name) => vendors.subscriptions(name).length === 0),
      { timeout: 15_000 },
    );
    listen("NVDA").leave();
    expect(["alpaca", "coinbase"].map(vendors.connections)).toEqual([1, 1]);
  });
});
