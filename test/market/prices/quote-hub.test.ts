import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Instrument } from "../../../src/domain/market/market.ts";
import { createQuoteHub, type QuoteHubOptions } from "../../../src/market/prices/quote-hub.ts";
import { alpacaStream } from "../../../src/providers/alpaca/stream.ts";
import { coinbaseStream } from "../../../src/providers/coinbase/stream.ts";
import { krakenStream } from "../../../src/providers/kraken/stream.ts";
import { collectingLog } from "../../support/context.ts";
import { fakeSockets } from "../../support/fake-socket.ts";
import { INSTRUMENTS } from "../../support/providers.ts";

const MINUTE = 60_000;
const { us, token } = INSTRUMENTS;
const named = (symbol: string): Instrument => ({ ...us, symbol });

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-15T15:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

const ALPACA = alpacaStream({ key: "key", secret: "secret" });
const KRAKEN = krakenStream({});

function setup(options: Partial<QuoteHubOptions> = {}) {
  const { WebSocket, sockets, newest } = fakeSockets();
  const { log, lines } = collectingLog();
  const clock = { now: () => new Date() };
  const hub = createQuoteHub({
    providers: [ALPACA, KRAKEN],
    WebSocket,
    clock,
    log,
    witness: { isWitnessed: () => true },
    ...options,
  });
  /** Opens the newest connection, as the provider would. */
  const open = async () => {
    await vi.advanceTimersByTimeAsync(0);
    newest().open();
    newest().receive([{ T: "success", msg: "authenticated" }]);
    await vi.advanceTimersByTimeAsync(500);
  };
  return { hub, sockets, newest, lines, open };
}

const trade = (price: number, at = Date.now()) => ({
  channel: "ticker",
  type: "update",
  data: [{ symbol: "BTC/USD", last: price, timestamp: new Date(at).toISOString() }],
});

describe("a price sent to listeners", () => {
  it("is called live only if a confirmed price of its day is near", async () => {
    const witnessed = new Set([100]);
    const witness = {
      isWitnessed: (_: unknown, { price }: { readonly price: number }) => witnessed.has(price),
    };
    const { hub, newest } = setup({ providers: [KRAKEN], witness });
    const heard: [number, string][] = [];
    hub.subscribe(token, ({ price, price_source }) => heard.push([price, price_source]));
    await vi.advanceTimersByTimeAsync(0);
    newest().open();
    await vi.advanceTimersByTimeAsync(500);
    newest().receive(trade(100));
    newest().receive(trade(110));
    expect(heard).toEqual([
      [100, "live_quote"],
      [110, "unconfirmed_quote"],
    ]);
  });
});

describe("a connection", () => {
  it("sends the key first, then one subscription for all symbols", async () => {
    const { hub, sockets, newest } = setup();
    for (const symbol of ["AAPL", "MSFT", "NVDA"]) hub.subscribe(named(symbol), () => {});
    await vi.advanceTimersByTimeAsync(0);
    newest().open();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(newest().sent).toEqual([{ action: "auth", key: "key", secret: "secret" }]);
    newest().receive([{ T: "success", msg: "authenticated" }]);
    await vi.advanceTimersByTimeAsync(1_000);
    const symbols = ["AAPL", "MSFT", "NVDA"];
    expect(newest().sent.slice(1)).toEqual([{ action: "subscribe", trades: symbols, dailyBars: symbols }]);
    expect(sockets.map(({ url }) => url)).toEqual(["wss://stream.data.alpaca.markets/v2/iex"]);
  });

  it("is tried again after pauses that grow, with jitter, up to a minute", async () => {
    const { hub, sockets, newest, lines } = setup({ providers: [KRAKEN] });
    hub.subscribe(token, () => {});
    await vi.advanceTimersByTimeAsync(0);
    const pauses: number[] = [];
    for (let i = 0; i < 12; i++) {
      const lostAt = Date.now();
      newest().end();
      const before = sockets.length;
      await vi.advanceTimersByTimeAsync(0);
      while (sockets.length === before) await vi.advanceTimersToNextTimerAsync();
      pauses.push(Date.now() - lostAt);
    }
    expect(Math.max(...pauses)).toBeLessThanOrEqual(MINUTE);
    expect(pauses[0]).toBeLessThan(5_000);
    expect(Math.max(...pauses.slice(6))).toBeGreaterThan(10_000);
    expect(new Set(pauses).size).toBeGreaterThan(6);
    expect(lines.filter(({ event }) => event === "stream_lost")).toHaveLength(12);
  });

  it("is tried again a quarter of an hour after the key was rejected", async () => {
    const { hub, sockets, newest } = setup();
    hub.subscribe(us, () => {});
    await vi.advanceTimersByTimeAsync(0);
    newest().open();
    newest().receive([{ T: "error", code: 402, msg: "auth failed" }]);
    await vi.advanceTimersByTimeAsync(15 * MINUTE - 1);
    expect(sockets).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sockets).toHaveLength(2);
  });

  it("is probed once when it falls silent, and replaced if the provider does not answer", async () => {
    const { hub, sockets, newest, open } = setup({ providers: [KRAKEN] });
    hub.subscribe(token, () => {});
    await open();
    await vi.advanceTimersByTimeAsync(9_500);
    newest().receive({ channel: "heartbeat" });
    const [first] = sockets;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first!.sent.filter(({ method }) => method === "ping")).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(first!.sent.filter(({ method }) => method === "ping")).toHaveLength(1);
    newest().receive({ method: "pong" });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(first!.isClosed).toBe(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(first!.isClosed).toBe(true);
    expect(sockets.length).toBeGreaterThan(1);
  });

  it("changes its subscription at most twice a second", async () => {
    const { hub, newest, open } = setup();
    hub.subscribe(us, () => {});
    await open();
    for (let i = 0; i < 20; i++) {
      hub.subscribe(named(`A${String.fromCharCode(65 + i)}`), () => {});
      await vi.advanceTimersByTimeAsync(50);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    const requests = newest().sent.filter(({ action }) => action === "subscribe");
    expect(requests.length).toBeLessThanOrEqual(4);
    expect(requests.flatMap(({ trades }) => trades)).toHaveLength(21);
  });
});

describe("a streamed price", () => {
  it("is used while its connection is open and for a minute, then requested again", async () => {
    const { hub, newest, open } = setup({ providers: [KRAKEN] });
    hub.subscribe(token, () => {});
    await open();
    newest().receive(trade(100));
    const latest = () => hub.latest(token, undefined)?.price ?? null;
    expect(latest()).toBe(100);
    for (let i = 0; i < 6; i++) {
      newest().receive({ channel: "heartbeat" });
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(latest()).toBe(100);
    newest().receive({ channel: "heartbeat" });
    await vi.advanceTimersByTimeAsync(1);
    expect(latest()).toBeNull();
    newest().receive(trade(101));
    expect(latest()).toBe(101);
    newest().end();
    expect(latest()).toBeNull();
  });

  it("is not live if the trade is old, although it has just arrived", async () => {
    const { hub, newest, open } = setup({ providers: [KRAKEN] });
    hub.subscribe(token, () => {});
    await open();
    newest().receive(trade(100, Date.now() - 121_000));
    expect(hub.latest(token, undefined)).toBeNull();
  });

  it("reaches every listener, even if one of them fails", async () => {
    const { hub, newest, open, lines } = setup({ providers: [KRAKEN] });
    const prices: number[] = [];
    hub.subscribe(token, () => {
      throw new Error("listener");
    });
    hub.subscribe(token, ({ price }) => void prices.push(price));
    await open();
    newest().receive(trade(100));
    expect(prices).toEqual([100]);
    expect(lines.filter(({ level }) => level === "error").map(({ event }) => event)).toEqual([
      "stream_listener",
    ]);
  });
});

describe("timers", () => {
  it.each(["waiting", "connecting", "open", "lost"])("are cleared at shutdown while %s", async (state) => {
    const { hub, sockets, newest, open } = setup({ providers: [coinbaseStream({}), KRAKEN, ALPACA] });
    for (const instrument of [us, token]) hub.subscribe(instrument, () => {});
    hub.subscribe(named("MSFT"), () => {})();
    hub.subscribe({ ...token, symbol: "???-USD" }, () => {});
    if (state !== "waiting") await vi.advanceTimersByTimeAsync(0);
    if (state === "open") await open();
    if (state === "lost") newest().end();
    hub.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(sockets.filter(({ isClosed }) => !isClosed)).toEqual([]);
    hub.subscribe(us, () => {})();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("end with the last listener, a minute after it has left", async () => {
    const { hub, newest, sockets, open } = setup({ providers: [KRAKEN] });
    const leave = hub.subscribe(token, () => {});
    hub.subscribe({ ...token, symbol: "???-USD" }, () => {})();
    await open();
    leave();
    for (let i = 0; i < 6; i++) {
      newest().receive({ channel: "heartbeat" });
      expect(newest().isClosed).toBe(false);
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(sockets.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
