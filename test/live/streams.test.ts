import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Replay, startReplay } from "../replay/server.ts";
import { createWorld } from "../replay/shared-world.ts";
import { VENDORS } from "../replay/vendors.ts";
import { eventReader } from "../support/events.ts";
import { type Installation, install } from "../support/installation.ts";
import { KEYS } from "../support/live.ts";
import { suiteDir } from "../support/temp-dir.ts";

const WAIT = { timeout: 30_000, interval: 50 };
const folder = suiteDir();
const world = createWorld({ now: Date.now });
let replay: Replay;
let installation: Installation;
let authorization: string;

beforeAll(async () => {
  replay = await startReplay({ world, vendors: VENDORS });
  const { ALPACA_KEY_ID = "", ALPACA_SECRET_KEY = "" } = KEYS;
  const env = { ...replay.env, ALPACA_KEY_ID, ALPACA_SECRET_KEY, PROVIDERS_OFF: "coinbase" };
  installation = await install(folder.dir, "live", env);
  authorization = `Bearer ${(await installation.key("member")).key}`;
});
afterAll(async () => {
  await installation.stop();
  await replay.close();
  folder.remove();
});

const follow = (symbols: string) =>
  fetch(`${installation.url}/api/v1/quotes/stream?symbols=${symbols}`, { headers: { authorization } });

describe("the live market", () => {
  it("streams prices of an enabled provider to its clients, and uses them for requests", async () => {
    const { next, leave } = eventReader(await follow("BTC-USD"));
    expect(await next()).toMatchObject({
      event: "hello",
      data: { watching: ["BTC-USD"], market: "live", label: null },
    });
    let price = (await next())?.data;
    while (price.feed !== "stream") price = (await next())?.data;
    // Coinbase is off, and a price in dollars comes before one in USDT
    expect(price).toMatchObject({ symbol: "BTC-USD", source: "kraken", venue: "KRAKEN", stale: false });
    expect(price.price / world.trade("BTC-USD")!.price).toBeCloseTo(1, 1);
    const quote = await vi.waitFor(async () => {
      const url = `${installation.url}/api/v1/quote/BTC-USD?provenance=full`;
      const body = (await (await fetch(url, { headers: { authorization } })).json()) as {
        data: { source: string; previousClose: number | null; change: number | null };
        provenance: { served_from: string; provider: string };
      };
      expect(body.provenance.served_from).toBe("stream");
      return body;
    }, WAIT);
    expect(quote).toMatchObject({ data: { source: "kraken" }, provenance: { provider: "kraken" } });
    expect(quote.data.change).not.toBeNull();
    await leave();
  });

  it("subscribes once for several clients, and streams nothing for a provider that is off", async () => {
    const readers = await Promise.all(
      [1, 2, 3].map(async () => eventReader(await follow("ETH-USD,SOL-USD"))),
    );
    for (const { next } of readers) expect((await next())?.event).toBe("hello");
    await vi.waitUntil(() => replay.streams.subscriptions("kraken").flat().includes("SOL/USD"), WAIT);
    expect(replay.streams.connections("kraken")).toBe(1);
    expect(
      replay.streams
        .subscriptions("kraken")
        .flat()
        .filter((one) => one === "ETH/USD"),
    ).toHaveLength(1);
    expect(replay.streams.connections("coinbase")).toBe(0);
    for (const { leave } of readers) await leave();
  });

  it("sends the key of a stock's stream to the provider", async () => {
    const { next, leave } = eventReader(await follow("AAPL,MSFT"));
    expect((await next())?.event).toBe("hello");
    await vi.waitUntil(() => replay.streams.subscriptions("alpaca").flat().length === 2, WAIT);
    expect(replay.streams.received("alpaca").map(({ action }) => action)).toEqual(["auth", "subscribe"]);
    await leave();
  });

  it("closes its connections at shutdown", async () => {
    const { next } = eventReader(await follow("BTC-USD"));
    await next();
    await vi.waitUntil(() => replay.streams.subscriptions("kraken").length === 1, WAIT);
    await installation.stop();
    await vi.waitUntil(
      () => ["alpaca", "kraken"].every((name) => replay.streams.subscriptions(name).length === 0),
      WAIT,
    );
  });
});
