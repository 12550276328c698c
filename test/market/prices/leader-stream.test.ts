import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Instrument, Quote } from "../../../src/domain/market/market.ts";
import type { CachedQuote } from "../../../src/domain/market/market-cache-port.ts";
import type { Peers } from "../../../src/domain/peers-port.ts";
import { createLeaderStream } from "../../../src/market/prices/leader-stream.ts";
import { createQuoteHub, type QuoteHubOptions } from "../../../src/market/prices/quote-hub.ts";
import { krakenStream } from "../../../src/providers/kraken/stream.ts";
import { collectingLog } from "../../support/context.ts";
import { fakeSockets } from "../../support/fake-socket.ts";
import { connectedPeers } from "../../support/peers.ts";
import { INSTRUMENTS } from "../../support/providers.ts";

const { token } = INSTRUMENTS;
const SILENCE_MS = 5_000;
const POLL_MS = 2_000;
const LEASE_MS = 10_000;

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-01-15T15:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Peers of which some messages do not arrive. */
function lossy(peers: Peers) {
  const line = { isCut: false };
  const whole = <T>(handler: (payload: never) => T) => {
    return (payload: never) => (line.isCut ? null : handler(payload));
  };
  const cut: Peers = {
    request: async (topic, payload) => (line.isCut ? [] : peers.request(topic, payload)),
    onRequest: (topic, handler) => peers.onRequest(topic, whole(handler)),
  };
  return { line, peers: cut };
}

/** Processes of which each has its own hub, and a provider that counts the sockets of each. */
function processes(count: number, options: Pick<QuoteHubOptions, "idleMs"> = {}) {
  return connectedPeers(count).map((connected) => {
    const { WebSocket, sockets, newest } = fakeSockets();
    const { log, lines } = collectingLog();
    const { line, peers } = lossy(connected);
    const hub = createQuoteHub({
      providers: [krakenStream({})],
      WebSocket,
      clock: { now: () => new Date() },
      log,
      witness: { isWitnessed: () => true },
      peers,
      find: (symbol): Instrument | null => (symbol === token.symbol ? token : null),
      ...options,
    });
    const prices: number[] = [];
    const receive = ({ price }: Quote) => void prices.push(price);
    return {
      hub,
      line,
      lines,
      prices,
      /** Sockets that are open now. */
      open: () => sockets.filter(({ isClosed }) => !isClosed),
      subscribe: () => hub.subscribe(token, receive),
      latest: () => hub.latest(token, undefined)?.price ?? null,
      /** State of the stream of the leader. */
      leader: () => hub.status!().find(({ provider }) => provider === "leader")!.state,
      /** Opens the newest socket, as the provider does. */
      async connect() {
        await vi.advanceTimersByTimeAsync(100);
        newest().open();
        await vi.advanceTimersByTimeAsync(500);
      },
      trade(price: number) {
        const data = [{ symbol: "BTC/USD", last: price, timestamp: new Date().toISOString() }];
        newest().receive({ channel: "ticker", type: "update", data });
      },
    };
  });
}

/** A leader and a process that follows a symbol, with its stream open. */
async function followed(options: Pick<QuoteHubOptions, "idleMs"> = {}) {
  const [one, two] = processes(2, options);
  const end = one!.hub.lead();
  const leave = two!.subscribe();
  await one!.connect();
  return { one: one!, two: two!, end, leave };
}

it("only the leader connects to a provider, and every process receives its prices", async () => {
  const [one, two, three] = processes(3);
  one!.hub.lead();
  for (const { subscribe } of [one!, two!, three!]) subscribe();
  await one!.connect();
  one!.trade(100);
  await vi.advanceTimersByTimeAsync(0);
  expect([one!, two!, three!].map(({ open }) => open().length)).toEqual([1, 0, 0]);
  expect([one!, two!, three!].map(({ prices }) => prices)).toEqual([[100], [100], [100]]);
  expect([one!, two!, three!].map(({ latest }) => latest())).toEqual([100, 100, 100]);
  expect([one!, two!].map(({ leader }) => leader())).toEqual(["idle", "open"]);
});

it("a process that subscribes later receives the last price", async () => {
  const [one, two] = processes(2);
  one!.hub.lead();
  one!.subscribe();
  await one!.connect();
  one!.trade(100);
  await vi.advanceTimersByTimeAsync(3_000);
  two!.subscribe();
  await vi.advanceTimersByTimeAsync(100);
  expect(two!.prices).toEqual([100]);
});

it("at most four prices of a symbol are sent in a second, the last of each quarter", async () => {
  const { one, two } = await followed();
  await vi.advanceTimersByTimeAsync(1_000);
  for (let i = 0; i < 10; i++) {
    one.trade(100 + i);
    await vi.advanceTimersByTimeAsync(60);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  // made at 0, 60, ... 540 ms; sent at 0, 250 (made at 240), 500 (480) and 750 ms (540)
  expect(two.prices).toEqual([100, 104, 108, 109]);
});

it("a price that the provider withdraws, or whose connection is lost, is not current in any process", async () => {
  const { one, two } = await followed();
  one.trade(100);
  await vi.advanceTimersByTimeAsync(0);
  expect(two.latest()).toBe(100);
  one.open()[0]!.end();
  await vi.advanceTimersByTimeAsync(250);
  expect(two.latest()).toBeNull();
});

it("the next leader takes the subscriptions over, after the former one has closed its connections", async () => {
  const [one, two, three] = processes(3);
  const end = one!.hub.lead();
  for (const { subscribe } of [one!, two!, three!]) subscribe();
  await one!.connect();
  one!.trade(100);
  await vi.advanceTimersByTimeAsync(0);
  end();
  expect(one!.open()).toEqual([]);
  expect(one!.latest()).toBeNull();
  two!.hub.lead();
  expect(two!.latest()).toBeNull();
  await two!.connect();
  expect(three!.latest()).toBeNull();
  two!.trade(101);
  await vi.advanceTimersByTimeAsync(0);
  expect([one!, two!, three!].map(({ open }) => open().length)).toEqual([0, 1, 0]);
  expect([one!, two!, three!].map(({ prices }) => prices)).toEqual([
    [100, 101],
    [100, 101],
    [100, 101],
  ]);
});

it("without messages of a leader, no price is current, until the leader is back", async () => {
  const { one, two } = await followed();
  one.trade(100);
  await vi.advanceTimersByTimeAsync(0);
  two.line.isCut = true;
  one.trade(101);
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect(two.latest()).toBeNull();
  expect(two.leader()).toBe("down");
  expect(two.lines.filter(({ event }) => event === "stream_lost")).toMatchObject([
    { fields: { provider: "leader", failure: "silent" } },
  ]);
  two.line.isCut = false;
  await vi.advanceTimersByTimeAsync(POLL_MS + 300);
  expect(two.latest()).toBe(101);
  expect(two.leader()).toBe("open");
});

it("without any leader, there is no price and no connection", async () => {
  const [one, two] = processes(2);
  one!.subscribe();
  two!.subscribe();
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect([one!, two!].map(({ open }) => open().length)).toEqual([0, 0]);
  expect([one!, two!].map(({ leader }) => leader())).toEqual(["down", "down"]);
  expect(one!.latest()).toBeNull();
});

it("a lost message is noticed with the next one", async () => {
  const { one, two } = await followed();
  one.trade(100);
  await vi.advanceTimersByTimeAsync(300);
  two.line.isCut = true;
  one.open()[0]!.end(); // withdraws the price
  await vi.advanceTimersByTimeAsync(300);
  two.line.isCut = false;
  expect(two.latest()).toBe(100);
  await vi.advanceTimersByTimeAsync(POLL_MS + 300);
  expect(two.latest()).toBeNull();
});

it("the leader ends a subscription that no process needs, also of one that has ended", async () => {
  const { one, two, leave } = await followed({ idleMs: 10 });
  leave();
  await vi.advanceTimersByTimeAsync(POLL_MS + 100);
  expect(one.open()).toEqual([]);
  two.subscribe();
  await one.connect();
  expect(one.open()).toHaveLength(1);
  two.line.isCut = true;
  await vi.advanceTimersByTimeAsync(LEASE_MS + 2 * POLL_MS);
  expect(one.open()).toEqual([]);
});

/** Two processes without a hub, and the messages that the first one sends as the leader. */
function streams() {
  const received: unknown[] = [];
  const [one, two] = connectedPeers(2).map((peers) =>
    createLeaderStream({
      peers,
      now: Date.now,
      log: collectingLog().log,
      onQuote: (symbol, { price }) => received.push([symbol, price]),
      onWithdrawn: (symbol) => received.push([symbol, null]),
    }),
  );
  return { one: one!, two: two!, received };
}
const quoteOf = (price: number) => ({ price, tradedAt: Date.now(), fetchedAt: Date.now() }) as CachedQuote;
const followAll = (current: CachedQuote | null = null) => ({
  follow: () => () => {},
  current: () => current,
});

it("a price that is withdrawn stays so when another one follows within the same quarter of a second", async () => {
  const { one, two, received } = streams();
  one.lead(followAll());
  two.add("AAPL");
  await vi.advanceTimersByTimeAsync(300);
  received.length = 0;
  one.publish("AAPL", quoteOf(100));
  one.publish("AAPL", null);
  one.publish("AAPL", quoteOf(90));
  await vi.advanceTimersByTimeAsync(300);
  expect(received).toEqual([
    ["AAPL", 100],
    ["AAPL", null],
    ["AAPL", 90],
  ]);
});

it("a price that another process requested is not passed on again", async () => {
  const { one, two, received } = streams();
  one.lead(followAll(quoteOf(100)));
  two.add("AAPL");
  await vi.advanceTimersByTimeAsync(300);
  two.add("MSFT");
  await vi.advanceTimersByTimeAsync(POLL_MS);
  expect(received).toEqual([
    ["AAPL", 100],
    ["MSFT", 100],
  ]);
});

it("a late message of a former leader delays the prices of the present one, and does not end them", async () => {
  const [peers, other] = connectedPeers(2);
  const received: unknown[] = [];
  const stream = createLeaderStream({
    peers: peers!,
    now: Date.now,
    log: collectingLog().log,
    onQuote: (_, { price }) => received.push(price),
    onWithdrawn: () => received.push(null),
  });
  stream.add("AAPL");
  const send = (leader: string, number: number, price: number) =>
    other!.request("stream_prices", { leader, number, quotes: [["AAPL", quoteOf(price)]] });
  await send("present", 1, 100);
  await send("former", 7, 50);
  await send("present", 2, 101);
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  await send("present", 3, 102);
  expect(received).toEqual([100, null, 50, null, 102]);
  stream.close();
});
