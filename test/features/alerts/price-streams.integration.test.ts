import { describe, expect, it, vi } from "vitest";
import { streamedPrices } from "../../support/quote-streams.ts";
import { alertRunFixture, priceAt, START, subscribed } from "../../support/watch.ts";

/** A started watcher of a market whose prices the test streams; one subscription to a price of bitcoin. */
async function setup(condition = priceAt({ above: 600, below: 500 })) {
  const prices = streamedPrices({ "BTC-USD": 550, "ETH-USD": 10 });
  const { quotes, quoteStreams } = prices;
  const fixture = await alertRunFixture({ over: { quotes, quoteStreams } });
  await fixture.rows.add("ada", { subscription: subscribed(1, { condition }), seen: {} });
  let second = 0;
  /** Streams a price, a second after the one before. */
  const send = (price: number) => {
    fixture.clock.pass(1_000);
    prices.send("BTC-USD", price, new Date(START.getTime() + ++second * 1_000).toISOString());
  };
  prices.set("BTC-USD", 550, START.toISOString());
  const alerts = async () =>
    (await fixture.subscriptions.deliveries("ada", { limit: 100 })).map(({ alert }) => alert);
  return { ...prices, send, fixture, alerts, watcher: fixture.watcher };
}

describe("an alert on a price", () => {
  it("triggers when a streamed price crosses its level, but not more than once a minute", async () => {
    const { send, watcher, fixture, alerts, followed } = await setup();
    watcher.start();
    await vi.waitUntil(() => followed().length === 1);
    send(580);
    send(601);
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(1));
    await watcher.evaluate();
    const read = vi.spyOn(fixture.rows, "activeSubscriptions");
    for (const price of [550, 602, 550, 603]) send(price);
    await new Promise((resolve) => setImmediate(resolve));
    expect(read).not.toHaveBeenCalled();
    fixture.clock.pass(60_000);
    send(499);
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(2));
    expect((await alerts()).map(({ figures, source }) => [figures.price, figures.level, source])).toEqual([
      [499, 500, "streamer"],
      [601, 600, "streamer"],
    ]);
  });

  it("is checked like a requested price if the streamed one is not confirmed", async () => {
    const { send, labels, reads, watcher, fixture, alerts, followed } = await setup();
    watcher.start();
    await vi.waitUntil(() => followed().length === 1);
    labels.streamed = "unconfirmed_quote";
    labels.latest = "unconfirmed_quote";
    const before = reads.length;
    send(601);
    await vi.waitUntil(() => reads.length > before);
    await watcher.evaluate();
    expect(await alerts()).toEqual([]);
    const [watched] = await fixture.rows.activeSubscriptions();
    expect(watched!.seen["BTC-USD"]).toContain("No second provider confirms the price of BTC-USD (streamer)");
    fixture.clock.pass(60_000);
    labels.latest = "live_quote";
    send(602);
    await vi.waitFor(async () => expect(await alerts()).toHaveLength(1));
    expect((await alerts())[0]).toMatchObject({ figures: { price: 602, level: 600 } });
  });

  it("follows only the symbols with active price alerts, until the watcher closes", async () => {
    const { fixture, watcher, followed } = await setup();
    expect(followed()).toEqual([]);
    watcher.start();
    await vi.waitUntil(() => followed().length === 1);
    expect(followed()).toEqual(["BTC-USD"]);
    await fixture.rows.add("ada", {
      subscription: subscribed(2, { symbols: ["BTC-USD"], condition: priceAt({ above: 700 }) }),
      seen: {},
    });
    await watcher.evaluate();
    expect(followed()).toEqual(["BTC-USD"]);
    await watcher.close();
    expect(followed()).toEqual([]);
  });

  it("does not read the store for prices that cross no level", async () => {
    const { send, fixture, watcher, followed } = await setup();
    watcher.start();
    await vi.waitUntil(() => followed().length === 1);
    const read = vi.spyOn(fixture.rows, "activeSubscriptions");
    for (let price = 510; price < 590; price += 10) send(price);
    await new Promise((resolve) => setImmediate(resolve));
    expect(read).not.toHaveBeenCalled();
    send(600.5);
    await vi.waitUntil(() => read.mock.calls.length > 0);
  });
});
