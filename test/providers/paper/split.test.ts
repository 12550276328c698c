import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detectSplitRatio } from "../../../src/providers/paper/split.ts";
import { intent } from "../broker-contract.ts";
import { MINUTE, paperBench } from "./bench.ts";

const EPOCH = "2000-01-01T00:00:00.000Z";
const DAY = 24 * 60 * MINUTE;
const FRIDAY = Date.UTC(2026, 0, 16, 5);

describe("a split detected between two prices of a close", () => {
  it.each([
    [400.12, 100.03, "4:1"],
    [150, 100, "3:2"],
    [100, 80, "5:4"],
    [0.5, 10, "1:20"],
    [100, 100, null],
    [100, 99.4, null], // a dividend or a correction
    [100, 93, null],
    [0, 100, null],
    [100, Number.NaN, null],
  ])("of %d, later %d, is %s", (before, now, expected) => {
    const ratio = detectSplitRatio(before, now);
    expect(ratio === null ? null : `${ratio.over}:${ratio.under}`).toBe(expected);
  });

  it("is found for every n:1 and 1:n ratio up to 100, with prices rounded to the cent", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 100 }),
        fc.double({ min: 100, max: 5_000, noNaN: true }),
        (n, price) => {
          expect(detectSplitRatio(price, Math.round((price / n) * 100) / 100)).toEqual({ over: n, under: 1 });
          expect(detectSplitRatio(price, Math.round(price * n * 100) / 100)).toEqual({ over: 1, under: n });
        },
      ),
    );
  });
});

/** Ten shares with a bracket and two working orders, one day later, after a split on Friday. */
async function held(ratio: number) {
  const bench = await paperBench();
  const { broker, clock, send } = bench;
  await send("a", { quantity: "10", take_profit: "120", stop_loss: "90" });
  const low = intent("AAPL", { quantity: "5", type: "limit", limit_price: "80" });
  await send("low", low);
  await send("coin", { ...low, symbol: "BTC-USD", limit_price: "50" });
  const before = { account: await broker.account(), positions: await broker.positions() };
  bench.split(FRIDAY, ratio);
  clock.pass(DAY);
  bench.price.now = 100 / ratio;
  return { ...bench, before };
}

describe("a split", () => {
  it("increases units and lowers the average price without changing cash or equity", async () => {
    const { broker, repository, owner, before } = await held(4);
    expect(before.positions).toEqual([{ symbol: "AAPL", quantity: "10", averagePrice: "100.064" }]);
    expect(await broker.positions()).toEqual([{ symbol: "AAPL", quantity: "40", averagePrice: "25.016" }]);
    const after = await broker.account();
    expect(after).toMatchObject({ cash: before.account.cash, equity: before.account.equity });
    expect(await repository.splits(owner)).toMatchObject([{ number: 2, symbol: "AAPL", ratio: "4" }]);
    expect((await repository.ledger(owner)).at(-1)).toEqual({
      booking: 2,
      ledger: "position",
      symbol: "AAPL",
      amount: "0",
      quantity: "30",
    });
    await broker.account();
    expect(await repository.splits(owner)).toHaveLength(1);
  });

  it("adjusts the legs of a bracket, which then close the whole position at the new price", async () => {
    const { broker, bar, clock, price } = await held(4);
    const legs = async () =>
      (await broker.orders({ since: EPOCH }))
        .filter(({ leg }) => leg !== null)
        .map(({ leg, quantity, stopPrice, status }) => [leg, quantity, stopPrice, status]);
    expect(await legs()).toEqual([
      ["stop_loss", "40", "22.5", "working"],
      ["take_profit", "40", null, "working"],
    ]);
    price.now = 22;
    bar(24 * 60 + 5, { symbol: "AAPL", open: 22 });
    clock.pass(20 * MINUTE);
    expect(await legs()).toMatchObject([
      ["stop_loss", "40", "22.5", "filled"],
      ["take_profit", "40", null, "cancelled"],
    ]);
    expect(await broker.positions()).toEqual([]);
  });

  it("cancels working orders with the reason, and does not affect other symbols", async () => {
    const { broker } = await held(4);
    expect(await broker.find("low")).toMatchObject({
      status: "cancelled",
      quantity: "5",
      reason: "AAPL was split 4:1; place a new order at post-split prices",
    });
    expect(await broker.find("coin")).toMatchObject({ status: "working" });
  });

  it("in reverse reduces units and preserves the fraction", async () => {
    const { broker, before } = await held(1 / 3);
    expect(await broker.positions()).toEqual([
      { symbol: "AAPL", quantity: "3.333333333", averagePrice: "300.192" },
    ]);
    expect((await broker.account()).cash).toBe(before.account.cash);
    expect(await broker.find("a-sl")).toMatchObject({ quantity: "3.333333333", stopPrice: "270" });
  });

  it("applies to short positions and to the equity at the previous close", async () => {
    const bench = await paperBench();
    const { broker, clock, price, send } = bench;
    await send("a", { side: "sell", quantity: "8" });
    bench.day(Date.UTC(2026, 0, 15), { open: 104 });
    bench.split(FRIDAY, 2);
    clock.pass(DAY);
    price.now = 50;
    expect(await broker.positions()).toMatchObject([{ quantity: "-16" }]);
    const { cash, equityBefore } = await broker.account();
    expect(equityBefore).toBe(new Big(cash).minus(16 * 52).toFixed());
  });

  it("is not detected in a corrected close", async () => {
    const { broker, repository, owner } = await held(1.06);
    expect(await broker.positions()).toMatchObject([{ quantity: "10" }]);
    expect(await repository.splits(owner)).toEqual([]);
  });
});
