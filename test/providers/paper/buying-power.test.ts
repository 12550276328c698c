import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Big } from "../../../src/providers/paper/amount.ts";
import { buyingPowerRefusal } from "../../../src/providers/paper/buying-power.ts";
import { intent } from "../broker-contract.ts";
import { MINUTE, paperBench, TEN } from "./bench.ts";

const CLOSED = TEN - 4 * 60 * MINUTE; // 06:00 in New York
const market = (quantity: string) => intent("AAPL", { quantity });
const limit = (quantity: string, limit_price: string) =>
  intent("AAPL", { quantity, type: "limit", limit_price });
const short = (quantity: string) => intent("AAPL", { side: "sell", quantity });

describe("buying power", () => {
  it("is reserved by working orders: limits at their price, market orders 3 % above, short sales half of that", async () => {
    const { broker, send } = await paperBench(CLOSED);
    const left = async () => (await broker.account()).buyingPower;
    await send("a", limit("100", "90"));
    expect(await left()).toBe("91000");
    await send("b", market("100"));
    expect(await left()).toBe("80700");
    await send("c", { ...short("100"), symbol: "AAPL" });
    expect(await left()).toBe("75550");
    await broker.cancel((await broker.find("b"))!.id);
    expect(await left()).toBe("85850");
  });

  it("rejects the second of two working orders that together exceed it, with the quantity that is possible", async () => {
    const { send } = await paperBench(CLOSED);
    expect(await send("a", market("600"))).toMatchObject({ outcome: "accepted" });
    // 3 % beyond the ask of 100.05
    expect(await send("b", market("600"))).toEqual({
      outcome: "rejected",
      reason:
        "The order needs 61830.90 USD of buying power and 38169.10 USD is available: quantity 370 would pass",
    });
    expect(await send("c", market("371"))).toMatchObject({ outcome: "rejected" });
    expect(await send("d", market("370"))).toMatchObject({ outcome: "accepted" });
  });

  it("is not reserved by closing orders, and no unit is closed twice", async () => {
    const { broker, send } = await paperBench();
    await send("a", market("100"));
    const { buyingPower } = await broker.account();
    await send("b", { ...limit("100", "200"), side: "sell" });
    expect((await broker.account()).buyingPower).toBe(buyingPower);
    // "b" already sells the position, so this would open a short position, which requires whole shares.
    expect(await send("c", short("0.5"))).toMatchObject({
      reason: "Short sales require whole shares: use a quantity without a fraction",
    });
  });

  it("suggests a quantity that is accepted, and one step more is not", () => {
    const cents = fc.integer({ min: 1, max: 50_000_000 }).map((n) => new Big(n).div(100));
    fc.assert(
      fc.property(
        fc.record({
          side: fc.constantFrom("buy" as const, "sell" as const),
          quantity: fc.integer({ min: 1, max: 10_000_000 }),
          thousandths: fc.boolean(),
          closable: fc.integer({ min: 0, max: 100 }),
          price: cents,
          free: cents,
          crypto: fc.boolean(),
        }),
        ({ side, quantity, thousandths, closable, price, free, crypto }) => {
          const fine = thousandths && side === "buy";
          const order = {
            side,
            price,
            free,
            crypto: crypto && side === "buy",
            closable: new Big(closable),
            quantity: fine ? new Big(quantity).div(1_000) : new Big(quantity),
          };
          const refusal = buyingPowerRefusal(order);
          if (refusal === null) return;
          const named = / (\d+(?:\.\d+)?) would pass/.exec(refusal)?.[1] ?? "0";
          if (named !== "0") expect(buyingPowerRefusal({ ...order, quantity: new Big(named) })).toBeNull();
          const whole = order.quantity.round(0).eq(order.quantity);
          // Fractions of coins are suggested to within two cents of the fees, which are rounded up.
          const more = new Big(named).plus(whole ? 1 : new Big("0.05").div(price).plus("0.00000001"));
          if (whole && order.crypto && price.lt(1)) return;
          expect(buyingPowerRefusal({ ...order, quantity: more })).not.toBeNull();
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("the legs of a bracket", () => {
  const bracket = (quantity: string) => intent("AAPL", { quantity, take_profit: "120", stop_loss: "90" });
  const legs = async ({ broker }: Awaited<ReturnType<typeof paperBench>>) =>
    (await broker.orders({ since: "2000-01-01T00:00:00.000Z" }))
      .filter(({ leg }) => leg !== null)
      .map(({ clientOrderId, quantity, status, reason }) => ({ clientOrderId, quantity, status, reason }));

  it("are cancelled immediately when the position they protect is closed", async () => {
    const bench = await paperBench();
    await bench.send("a", bracket("10"));
    await bench.send("b", short("10"));
    for (const leg of await legs(bench))
      expect(leg).toMatchObject({ status: "cancelled", reason: "The position it protects is closed" });
    // A later crash triggers no stop.
    bench.bar(5, { open: 80 });
    bench.clock.pass(20 * MINUTE);
    expect(await bench.broker.positions()).toEqual([]);
  });

  it("shrink to the remaining position, those of the oldest entry first", async () => {
    const bench = await paperBench();
    await bench.send("a", bracket("10"));
    bench.clock.pass(MINUTE);
    await bench.send("b", bracket("10"));
    await bench.send("c", short("4"));
    expect(await legs(bench)).toMatchObject([
      { clientOrderId: "a-sl", quantity: "6", status: "working" },
      { clientOrderId: "a-tp", quantity: "6", status: "working" },
      { clientOrderId: "b-sl", quantity: "10", status: "working" },
      { clientOrderId: "b-tp", quantity: "10", status: "working" },
    ]);
    bench.bar(5, { open: 80 });
    bench.clock.pass(20 * MINUTE);
    expect(await bench.broker.positions()).toEqual([]);
    expect(await bench.broker.find("a-sl")).toMatchObject({ status: "filled", filledQuantity: "6" });
  });

  it("shrink to the filled units of a cancelled entry, and never open an opposite position", async () => {
    const bench = await paperBench();
    const { broker, bar, clock, send } = bench;
    bar(5, { open: 97, volume: 40 });
    const entry = { ...bracket("10"), type: "limit" as const, limit_price: "98" };
    await send("a", entry);
    clock.pass(12 * MINUTE);
    expect(await broker.find("a")).toMatchObject({ status: "partially_filled", filledQuantity: "4" });
    await broker.cancel((await broker.find("a"))!.id);
    expect((await legs(bench)).map(({ quantity, status }) => [quantity, status])).toEqual([
      ["4", "working"],
      ["4", "working"],
    ]);
    await send("b", short("7")); // 4 held: 3 short
    expect((await legs(bench)).map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    bar(15, { open: 85 });
    clock.pass(20 * MINUTE);
    expect(await broker.positions()).toMatchObject([{ quantity: "-3" }]);
  });
});
