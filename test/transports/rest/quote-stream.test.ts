import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { noQuoteStreams } from "../../../src/app/providers/not-connected.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { sampleMarket } from "../../../src/providers/sample/market.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { createRestStreamTransport, type RestStreamLimits } from "../../../src/transports/rest/stream.ts";
import { streamQuotes } from "../../../tools/stream-quotes.ts";
import { eventReader } from "../../support/events.ts";
import { asMember, httpServerDeps, served } from "../../support/http.ts";
import { directoryOf } from "../../support/market.ts";
import { streamedPrices } from "../../support/quote-streams.ts";
import { movingClock } from "../../support/store.ts";

const STREAM = "/api/v1/quotes/stream";
const symbols = directoryOf(["AAPL", "MSFT"]);

function setup(limits: Partial<RestStreamLimits> = {}) {
  const prices = streamedPrices({ AAPL: 100, MSFT: 200 });
  const { quotes, quoteStreams } = prices;
  const deps = httpServerDeps([streamQuotes], { ports: { symbols, quotes, quoteStreams } });
  const streams = createRestStreamTransport(deps, limits);
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route("/", streams.route);
  const ask = (query = "?symbols=AAPL,MSFT", headers: Record<string, string> = asMember) =>
    app.request(`${STREAM}${query}`, { headers });
  return { ...prices, app, streams, ask };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the stream of quotes", () => {
  it("sends hello with the label, each price with an id, and then each new price", async () => {
    const { ask, send, followed } = setup({ quoteIntervalMs: 0 });
    const response = await ask();
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("market-data"),
    ]).toEqual([200, "text/event-stream", "sample"]);
    const { next, leave } = eventReader(response);
    expect(await next()).toEqual({
      event: "hello",
      id: null,
      data: {
        watching: ["AAPL", "MSFT"],
        market: "sample",
        label: "SAMPLE (simulated)",
        server_time: "2026-01-15T15:00:00.000Z",
      },
    });
    expect([await next(), await next()]).toMatchObject([
      {
        event: "quote",
        id: "AAPL@2026-01-15T14:50:00.000Z",
        data: { symbol: "AAPL", price: 100, feed: "poll" },
      },
      {
        event: "quote",
        id: "MSFT@2026-01-15T14:50:00.000Z",
        data: { symbol: "MSFT", price: 200, feed: "poll" },
      },
    ]);
    expect(followed()).toEqual(["AAPL", "MSFT"]);
    send("MSFT", 201, "2026-01-15T14:59:00.000Z");
    expect(await next()).toMatchObject({
      event: "quote",
      id: "MSFT@2026-01-15T14:59:00.000Z",
      data: { symbol: "MSFT", price: 201, feed: "stream", source: "streamer" },
    });
    await leave();
    await vi.waitUntil(() => followed().length === 0);
  });

  it("polls prices without a stream every five seconds in the sample market", async () => {
    const { ask, set, reads } = setup();
    const { next, leave } = eventReader(await ask("?symbols=AAPL"));
    await next();
    await next();
    set("AAPL", 101);
    await vi.advanceTimersByTimeAsync(4_900);
    expect(reads).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(await next()).toMatchObject({ data: { price: 101, feed: "poll" } });
    await leave();
  });

  it("sends prices at most twice a second, the newest one each time", async () => {
    const { ask, send } = setup();
    const { next, leave } = eventReader(await ask("?symbols=AAPL"));
    await next();
    await next();
    const received: number[] = [];
    for (let i = 1; i <= 100; i++) {
      send("AAPL", 100 + i);
      await vi.advanceTimersByTimeAsync(20);
      if (i % 25 === 0) received.push((await next())?.data.price);
    }
    expect(received).toHaveLength(4);
    expect(received.every((price, i) => price > 100 + 25 * i && price <= 100 + 25 * (i + 1))).toBe(true);
    await leave();
  });

  it("skips prices that a slow reader misses, never the newest; the buffer stays bounded", async () => {
    const { ask, send } = setup({ bufferBytes: 1_500, quoteIntervalMs: 1 });
    const { next, leave } = eventReader(await ask("?symbols=AAPL"));
    for (let i = 1; i <= 1_000; i++) {
      send("AAPL", 100 + i);
      await vi.advanceTimersByTimeAsync(2);
    }
    const received: number[] = [];
    for (let price = 0; price !== 1_100; ) {
      const event = await next();
      if (event?.event === "quote") {
        price = event.data.price;
        received.push(price);
      }
      await vi.advanceTimersByTimeAsync(2);
    }
    expect(received.length).toBeLessThan(20);
    expect(received).toEqual(received.toSorted((a, b) => a - b));
    await leave();
  });

  it("reports an outage as an event, and goes on with prices", async () => {
    const { ask, failing } = setup({ quoteIntervalMs: 0 });
    const { next, leave } = eventReader(await ask("?symbols=AAPL"));
    await next();
    await next();
    failing.set("AAPL", new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds", { hint: "Retry." }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await next()).toEqual({
      event: "unavailable",
      id: null,
      data: { code: "UPSTREAM_UNAVAILABLE", detail: "No provider responds", hint: "Retry." },
    });
    failing.clear();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await next()).toMatchObject({ event: "quote", data: { price: 100 } });
    await leave();
  });

  it("starts with the newest prices after a reconnect; the last event id is not needed", async () => {
    const { ask } = setup();
    const { next, leave } = eventReader(
      await ask("?symbols=AAPL", { ...asMember, "last-event-id": "AAPL@2026-01-15T14:00:00.000Z" }),
    );
    expect((await next())?.event).toBe("hello");
    expect(await next()).toMatchObject({ event: "quote", data: { price: 100 } });
    await leave();
  });

  it("ends at shutdown with a hint and leaves no timer", async () => {
    const { ask, streams, followed } = setup();
    const { next } = eventReader(await ask());
    await next();
    await streams.close();
    expect([streams.count(), vi.getTimerCount()]).toEqual([0, 0]);
    const rest = [await next(), await next(), await next()];
    expect(rest.at(-1)).toMatchObject({ event: "end", data: { code: "UPSTREAM_UNAVAILABLE" } });
    expect(followed()).toEqual([]);
  });

  it.each([
    [401, "UNAUTHENTICATED", "?symbols=AAPL", {}],
    [422, "UNKNOWN_SYMBOL", "?symbols=ZZZZQ", asMember],
    [400, "INVALID_INPUT", `?symbols=${Array(21).fill("AAPL").join()}`, asMember],
  ])("returns a failure before the first event as a problem: %i %s", async (status, code, query, headers) => {
    const { ask, streams, followed } = setup();
    const response = await ask(query, headers as Record<string, string>);
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
    expect([streams.count(), followed()]).toEqual([0, []]);
  });
});

it("ticks in the sample market, labelled as simulated", async () => {
  const clock = movingClock(new Date("2026-01-15T15:00:00Z"));
  const { quotes } = sampleMarket({ clock });
  const ports = { symbols, quotes, quoteStreams: noQuoteStreams, clock };
  const deps = httpServerDeps([streamQuotes], { ports });
  const streams = createRestStreamTransport(deps);
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route("/", streams.route);
  const { next, leave } = eventReader(await app.request(`${STREAM}?symbols=AAPL`, { headers: asMember }));
  expect(await next()).toMatchObject({ data: { market: "sample", label: "SAMPLE (simulated)" } });
  const times = [(await next())?.data.timestamp];
  for (let tick = 0; tick < 3; tick++) {
    clock.pass(5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    const event = await next();
    expect(event?.data).toMatchObject({ source: "sample", venue: "SIM", feed: "poll" });
    times.push(event?.data.timestamp);
  }
  expect(times).toEqual(
    [0, 5, 10, 15].map((seconds) => `2026-01-15T15:00:${String(seconds).padStart(2, "0")}.000Z`),
  );
  await leave();
});

it("works over a real connection, whose end releases everything", async () => {
  vi.useRealTimers();
  const { app, streams, send, followed } = setup({ quoteIntervalMs: 0 });
  await served(app, async (origin) => {
    const gone = new AbortController();
    const response = await fetch(`${origin}${STREAM}?symbols=AAPL`, {
      headers: asMember,
      signal: gone.signal,
    });
    const { next } = eventReader(response);
    expect((await next())?.event).toBe("hello");
    expect((await next())?.data.price).toBe(100);
    send("AAPL", 105);
    expect((await next())?.data.price).toBe(105);
    gone.abort();
    await expect(next()).rejects.toThrow();
    await vi.waitUntil(() => streams.count() === 0);
  });
  await vi.waitUntil(() => followed().length === 0);
});
