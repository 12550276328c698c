import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOrders } from "../../../src/providers/paper/order.ts";
import { describeBroker, intent } from "../broker-contract.ts";
import { MINUTE, paperBench, TEN } from "./bench.ts";

describeBroker("paper", async () => {
  const { broker, clock } = await paperBench();
  return { broker, symbol: "AAPL", price: 100, pass: async () => clock.pass(10 * MINUTE) };
});

const EPOCH = "2000-01-01T00:00:00.000Z";
const bracket = intent("AAPL", { quantity: "10", take_profit: "110", stop_loss: "95" });

describe("the paper exchange", () => {
  it("opens with 100,000 dollars and a unique account number, separate from all other accounts", async () => {
    const { broker, open, send } = await paperBench();
    await send("a");
    const [one, two, three] = await Promise.all(
      [broker, open("cn_2"), open("cn_1", "bob")].map((each) => each.account()),
    );
    expect(one!.number).toMatch(/^PA[0-9A-F]{10}$/);
    expect(new Set([one, two, three].map((account) => account!.number)).size).toBe(3);
    expect(two).toMatchObject({ cash: "100000", equity: "100000", buyingPower: "100000" });
    expect(await open("cn_2").positions()).toEqual([]);
    expect(await open("cn_1", "bob").find("a")).toBeNull();
  });

  it("reports the average price of a tiny position, also after a part is sold", async () => {
    const { broker, price, send } = await paperBench();
    price.now = 140_545.2183;
    await send("a", { symbol: "BTC-USD", quantity: "0.0001" });
    const paid = (await broker.find("a"))!.averagePrice!;
    expect(paid).toMatch(/^140\d{3}\.\d{3,}$/);
    const half = intent("BTC-USD", { side: "sell", quantity: "0.00005" });
    expect(await broker.positions()).toEqual([{ symbol: "BTC-USD", quantity: "0.0001", averagePrice: paid }]);
    await send("b", half);
    expect(await broker.positions()).toEqual([
      { symbol: "BTC-USD", quantity: "0.00005", averagePrice: paid },
    ]);
  });

  it("accepts 500 working orders, legs included, and more after a cancellation", async () => {
    const { broker, repository, owner, send } = await paperBench();
    const resting = intent("BTC-USD", {
      type: "limit",
      quantity: "0.01",
      limit_price: "90",
      time_in_force: "gtc",
    } as const);
    await broker.account();
    const state = (await repository.read(owner))!;
    const orders = Array.from({ length: 499 }, (_, i) =>
      createOrders({ connection: "cn_1", clientOrderId: `o${i}`, intent: resting, at: TEN, expiresAt: null }),
    ).flat();
    await repository.write(owner, state.version, { ...state, orders, fills: [], rows: [] });
    const bracketed = { ...resting, stop_loss: "80", take_profit: "120" };
    expect(await send("bracket", bracketed)).toMatchObject({ outcome: "rejected" });
    expect(await send("last", resting)).toMatchObject({ outcome: "accepted" });
    expect((await repository.read(owner))?.working).toHaveLength(500);
    expect(await send("more", resting)).toMatchObject({
      outcome: "rejected",
      reason: expect.stringContaining("A paper account has at most 500 working orders"),
    });
    expect(await broker.find("more")).toBeNull();
    expect(await send("at once", { symbol: "BTC-USD", quantity: "0.01" })).toMatchObject({
      outcome: "accepted",
    });
    await broker.cancel((await broker.find("o0"))!.id);
    expect(await send("more", resting)).toMatchObject({ outcome: "accepted" });
  });

  it("fills at the quote with half a spread and impact, and books both sides", async () => {
    const { broker, repository, owner, send } = await paperBench();
    await send("a", { quantity: "128.205" });
    // A million a day is 12,820.5 in five minutes: 1 % is 5 basis points, in addition to half a spread of 5.
    expect(await broker.find("a")).toMatchObject({ status: "filled", averagePrice: "100.1", fees: "0" });
    const rows = await repository.ledger(owner);
    expect(rows.map(({ booking, ledger, amount }) => [booking, ledger, amount])).toEqual([
      [0, "cash", "100000"],
      [0, "opening", "-100000"],
      [1, "cash", "-12833.33"],
      [1, "position", "12833.33"],
    ]);
  });

  it("fills up to a tenth of the volume: of five minutes at first, then of each bar that begins after the order", async () => {
    const { broker, bar, repository, clock, owner, price, send } = await paperBench();
    price.now = 10;
    bar(-5, { open: 9 });
    for (const minutes of [5, 10]) bar(minutes, { open: 10, volume: 10_000 });
    await send("a", { quantity: "3000" });
    clock.pass(60 * MINUTE);
    const done = await broker.find("a");
    expect(done).toMatchObject({ status: "filled", filledQuantity: "3000" });
    const fills = await repository.fills(owner);
    expect(fills.map(({ quantity, at }) => [quantity, at])).toEqual([
      ["1282", "2026-01-15T15:00:00.000Z"],
      ["1000", "2026-01-15T15:05:00.000Z"],
      ["718", "2026-01-15T15:10:00.000Z"],
    ]);
  });

  it("holds a market order until the open, and expires a day order at the close", async () => {
    const night = await paperBench(TEN - 4 * 60 * MINUTE); // 06:00
    night.bar(0, { open: 90 });
    night.bar(210, { open: 101, high: 102, low: 100 }); // 09:30
    await night.send("a");
    const low = { type: "limit", limit_price: "50", time_in_force: "day" } as const;
    await night.send("b", low);
    night.clock.pass(60 * MINUTE);
    expect(await night.broker.find("a")).toMatchObject({ status: "working" });
    night.clock.pass(3 * 60 * MINUTE);
    const filled = await night.broker.find("a");
    expect(filled).toMatchObject({ status: "filled", updatedAt: "2026-01-15T14:30:00.000Z" });
    expect(await night.broker.find("b")).toMatchObject({ status: "working" });
    night.clock.pass(12 * 60 * MINUTE);
    expect(await night.broker.find("b")).toMatchObject({
      status: "expired",
      updatedAt: "2026-01-15T21:00:00.000Z",
    });
  });

  it("trades crypto at any hour, and rejects short sales of it", async () => {
    const { send } = await paperBench(Date.UTC(2026, 0, 17, 3)); // a Saturday
    const sent = await send("a", { symbol: "BTC-USD", quantity: "0.5" });
    expect(sent).toMatchObject({ outcome: "accepted", order: { status: "filled", fees: "0.13" } });
    const more = intent("BTC-USD", { side: "sell", quantity: "0.6" });
    expect(await send("b", more)).toEqual({
      outcome: "rejected",
      reason: "Paper accounts cannot sell crypto short",
    });
  });

  it("closes a bracket by one of its legs and cancels the other; the stop wins if a bar reaches both", async () => {
    const { broker, bar, clock, send } = await paperBench();
    bar(0, { open: 100, high: 120, low: 90 }); // began with the order: its fill was in it already
    bar(10, { open: 100, high: 112, low: 94 });
    await send("a", bracket);
    clock.pass(20 * MINUTE);
    expect(await broker.find("a-sl")).toMatchObject({ status: "filled", filledQuantity: "10" });
    expect(await broker.find("a-tp")).toMatchObject({ status: "cancelled", filledQuantity: "0" });
    expect(await broker.positions()).toEqual([]);
  });

  it.each(["a-sl", "a-tp"])(
    "cancels all working orders of a bracket with its leg %s, and leaves the position open",
    async (id) => {
      const { broker, send } = await paperBench();
      await send("a", bracket);
      await broker.cancel((await broker.find(id))!.id);
      const other = id === "a-sl" ? "a-tp" : "a-sl";
      expect(await broker.find(id)).toMatchObject({ status: "cancelled", reason: null });
      expect(await broker.find(other)).toMatchObject({
        status: "cancelled",
        reason: "A leg of its bracket was cancelled",
      });
      expect(await broker.find("a")).toMatchObject({ status: "filled" });
      expect(await broker.positions()).toMatchObject([{ symbol: "AAPL", quantity: "10" }]);
      const resting = { ...bracket, type: "limit", limit_price: "98" } as const;
      await send("b", resting);
      await broker.cancel((await broker.find("b-sl"))!.id);
      const all = await Promise.all(["b", "b-sl", "b-tp"].map((one) => broker.find(one)));
      expect(all.map((one) => one?.status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    },
  );

  it("cancels the legs of a cancelled entry, and a leg that has nothing left to close", async () => {
    const { broker, bar, clock, send } = await paperBench();
    bar(5, { open: 112 });
    await send("a", { ...bracket, type: "limit", limit_price: "97" });
    await broker.cancel((await broker.find("a"))!.id);
    const orders = await broker.orders({ since: EPOCH });
    expect(orders.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    await send("b", bracket);
    await send("c", { side: "sell", quantity: "10" });
    clock.pass(20 * MINUTE);
    expect(await broker.find("b-tp")).toMatchObject({ status: "cancelled" });
    expect(await broker.positions()).toEqual([]);
  });

  it("sells whole shares short at 150 % cash, and accepts only closing orders below 130 %", async () => {
    const { broker, price, send } = await paperBench();
    const short = (quantity: string) => intent("AAPL", { side: "sell", quantity });
    expect(await send("a", short("0.5"))).toMatchObject({
      outcome: "rejected",
      reason: "Short sales require whole shares: use a quantity without a fraction",
    });
    expect(await send("b", short("2001"))).toMatchObject({ outcome: "rejected" });
    await send("c", short("1200"));
    const { cash, buyingPower } = await broker.account();
    expect(new Big(buyingPower).eq(new Big(cash).minus(180_000))).toBe(true); // 150 % of 120,000
    price.now = 140; // 130 % of 168,000 is 218,400
    await broker.account();
    expect(await broker.positions()).toMatchObject([{ quantity: "-1200" }]);
    expect(await send("d", short("1"))).toMatchObject({
      reason: expect.stringContaining("0.00 USD is available: no quantity would pass"),
    });
    price.now = 145; // 226,200, more than there is
    const called = "Cash is less than 130 % of the short positions: only closing orders are accepted";
    const { buyingPower: none, notes } = await broker.account();
    expect([none, notes![0]]).toEqual(["0", called]);
    expect(await broker.positions()).toMatchObject([{ quantity: "-1200" }]);
    expect(await send("e", { quantity: "1201" })).toEqual({
      outcome: "rejected",
      reason: called,
    });
    await send("f", { quantity: "1200" });
    expect(await broker.positions()).toEqual([]);
    // Without a short position, only the note on what is not simulated remains.
    const [note, ...others] = (await broker.account()).notes!;
    expect(note).toContain("Not simulated: dividends");
    expect(others).toEqual([]);
  });

  it("rejects another order with a used id", async () => {
    const { send } = await paperBench();
    await send("a");
    expect(await send("a", { quantity: "2" })).toEqual({
      outcome: "rejected",
      reason: "Another order already has this id",
    });
  });

  it("rejects an order without a price and stores nothing", async () => {
    const { broker, price, send } = await paperBench();
    price.now = 0;
    expect(await send("a")).toEqual({
      outcome: "rejected",
      reason: "There is no price of AAPL",
    });
    price.now = 100;
    expect(await broker.find("a")).toBeNull();
  });

  it("fills the same whether read once or every minute, never before an order, and the ledger balances", async () => {
    const rows = fc.record({
      open: fc.integer({ min: 9_000, max: 11_000 }),
      up: fc.integer({ min: 0, max: 500 }),
      down: fc.integer({ min: 0, max: 500 }),
      volume: fc.integer({ min: 0, max: 5_000 }),
    });
    const requested = fc.record({
      side: fc.constantFrom("buy" as const, "sell" as const),
      quantity: fc.integer({ min: 1, max: 900 }),
      limit: fc.option(fc.integer({ min: 9_000, max: 11_000 })),
    });
    const run = async (
      bars: (typeof rows extends fc.Arbitrary<infer R> ? R : never)[],
      requests: { side: "buy" | "sell"; quantity: number; limit: number | null }[],
      often: boolean,
    ) => {
      const bench = await paperBench();
      for (const [i, { open, up, down, volume }] of bars.entries())
        bench.bar(5 * i, { open: open / 100, high: (open + up) / 100, low: (open - down) / 100, volume });
      for (const [i, { side, quantity, limit }] of requests.entries()) {
        const priced = limit === null ? {} : { type: "limit" as const, limit_price: String(limit / 100) };
        const wanted = intent("AAPL", { side, quantity: String(quantity), ...priced });
        await bench.send(`o${i}`, wanted);
        bench.clock.pass(MINUTE);
      }
      for (let minute = 0; minute < 60; minute++) {
        bench.clock.pass(MINUTE);
        if (often) await bench.broker.orders({ since: EPOCH });
      }
      const orders = await bench.broker.orders({ since: EPOCH });
      return {
        orders,
        fills: await bench.repository.fills(bench.owner),
        rows: await bench.repository.ledger(bench.owner),
      };
    };
    const total = (values: readonly string[]) => values.reduce((sum, one) => sum.plus(one), new Big(0));
    await fc.assert(
      fc.asyncProperty(
        fc.array(rows, { minLength: 6, maxLength: 8 }),
        fc.array(requested, { minLength: 1, maxLength: 4 }),
        async (bars, requests) => {
          const once = await run(bars, requests, false);
          expect(await run(bars, requests, true)).toEqual(once);
          expect(total(once.rows.map(({ amount }) => amount)).toFixed()).toBe("0");
          for (const [i, { quantity }] of requests.entries()) {
            const mine = once.fills.filter(({ clientOrderId }) => clientOrderId === `o${i}`);
            expect(total(mine.map((fill) => fill.quantity)).lte(quantity)).toBe(true);
            for (const { at } of mine) expect(Date.parse(at)).toBeGreaterThanOrEqual(TEN + i * MINUTE);
          }
        },
      ),
      { numRuns: 12 },
    );
  }, 60_000);
});
