import { describe, expect, it } from "vitest";
import { tradeBench } from "./bench.ts";

const MINUTE = 60_000;

describe("closing a position that another order already closes", () => {
  it("is refused with the order id even if short sales are allowed, and sells nothing twice", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "10" });
    const stop = { side: "sell", type: "stop", stop_price: "97", time_in_force: "gtc" };
    const { order_id } = await bench.trade({ ...stop, quantity: "10" });
    const shown = await bench.preview({ side: "sell", quantity: "10" });
    expect(shown).toMatchObject({
      ticket_id: null,
      reason: "Refused by oversell",
      account: { held: "10" },
      hint: `${order_id} already reserves these units: cancel with cancel_order, then preview again.`,
    });
    expect(shown.checks.find(({ rule }) => rule === "oversell")).toMatchObject({
      state: "failed",
      value: "10",
      limit: "0",
      would_pass: null,
      held_by: [order_id],
    });
    for (const at of [5, 10]) bench.bar(at, { open: 97, high: 98, low: 95, volume: 1e6 });
    bench.clock.pass(20 * MINUTE);
    expect(await bench.real.positions()).toEqual([]);
  });

  it("suggests the quantity that no other order closes", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "10" });
    const rests = { side: "sell", type: "limit", limit_price: "105", time_in_force: "gtc" };
    const { order_id } = await bench.trade({ ...rests, quantity: "7" });
    expect(await bench.preview({ side: "sell", quantity: "10" })).toMatchObject({
      ticket_id: null,
      hint: `Preview it again with quantity 3. cancel_order ${order_id} frees more of the position.`,
    });
    expect((await bench.trade({ side: "sell", quantity: "3" })).broker_status).toBe("filled");
  });

  it("is refused for a short that a resting purchase covers", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "sell", quantity: "10" });
    const rests = { side: "buy", type: "limit", limit_price: "95", time_in_force: "gtc" };
    const { order_id } = await bench.trade({ ...rests, quantity: "10" });
    expect(await bench.preview({ side: "buy", quantity: "10" })).toMatchObject({
      ticket_id: null,
      reason: "Refused by oversell",
      account: { held: "-10" },
      hint: expect.stringContaining(`${order_id} already reserves these units`),
    });
  });

  it("is refused for a ticket previewed before the other order", async () => {
    const bench = await tradeBench();
    await bench.trade({ side: "buy", quantity: "10" });
    const before = await bench.ticketOf({ side: "sell", quantity: "10" });
    const stop = { side: "sell", type: "stop", stop_price: "97", time_in_force: "gtc" };
    const { order_id } = await bench.trade({ ...stop, quantity: "10" });
    await expect(bench.execute(before)).rejects.toMatchObject({
      code: "REFUSED",
      data: { checks: [{ rule: "oversell", held_by: [order_id] }] },
    });
  });
});
