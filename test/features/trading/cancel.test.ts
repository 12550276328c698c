import { describe, expect, it } from "vitest";
import type { Broker } from "../../../src/domain/trading/trading-port.ts";
import { cancelOrderAndLegs } from "../../../src/features/trading/cancel.ts";
import { ada, tradeBench } from "./bench.ts";

const BRACKET = { side: "buy", quantity: "10", stop_loss: "98", take_profit: "104" };

/** Opens a position whose exits reserve its units: the broker accepts no other sale until they are cancelled. */
async function heldBench(fault: (broker: Broker) => Broker = (broker) => broker) {
  const bench = await tradeBench({ fault: (broker) => fault({ ...broker, legsHold: true }) });
  const order = await bench.trade(BRACKET);
  const legs = async () =>
    (await bench.sent()).flatMap(({ leg, status }) => (leg === null ? [] : [`${leg} ${status}`])).sort();
  return { ...bench, order, legs };
}

describe("cancelling an order that was filled", () => {
  it("cancels its legs; a closing order is refused before and accepted afterwards", async () => {
    const { preview, order, ports, legs, execute, acts } = await heldBench();
    expect(order).toMatchObject({ broker_status: "filled" });
    const close = { side: "sell", quantity: "10" };
    const shown = await preview(close);
    expect(shown).toMatchObject({
      ticket_id: null,
      reason: "Refused by exits_hold",
      hint: `${order.order_id} already reserves these units: cancel with cancel_order, then preview again.`,
    });
    expect(shown.checks.find(({ rule }) => rule === "exits_hold")).toMatchObject({
      value: "10",
      limit: "0",
      would_pass: null,
      held_by: [order.order_id],
    });
    const cancelled = await cancelOrderAndLegs(order.order_id, ada, ports);
    expect(cancelled.order).toEqual(order);
    expect(cancelled.legs.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    expect(await legs()).toEqual(["stop_loss cancelled", "take_profit cancelled"]);
    expect(acts.at(-1)).toMatchObject({
      event: "order_cancelled",
      about: { order_id: order.order_id, legs: cancelled.legs.map(({ clientOrderId }) => clientOrderId) },
    });
    const again = await preview(close);
    const closed = await execute((await ports.tradeRepository.ticket("ada", again.ticket_id!))!);
    expect(closed.order).toMatchObject({ broker_status: "filled" });
    expect(await cancelOrderAndLegs(order.order_id, ada, ports)).toEqual({ order, legs: [] });
  });

  it("allows a closing order for units that no exit reserves", async () => {
    const bench = await tradeBench();
    await bench.trade(BRACKET);
    expect(await bench.preview({ side: "sell", quantity: "10" })).toMatchObject({ reason: null });
    const held = await heldBench();
    await held.trade({ side: "buy", quantity: "3" });
    expect(await held.preview({ side: "sell", quantity: "3" })).toMatchObject({ reason: null });
    const { reason, checks } = await held.preview({ side: "sell", quantity: "4" });
    expect([reason, checks.find(({ rule }) => rule === "exits_hold")?.would_pass]).toEqual([
      "Refused by exits_hold",
      "3",
    ]);
  });

  it("fails when the broker does not respond and the legs keep working", async () => {
    const { order, ports, legs, acts } = await heldBench((broker) => ({
      ...broker,
      cancel: async () => {
        throw new Error("socket hang up");
      },
    }));
    await expect(cancelOrderAndLegs(order.order_id, ada, ports)).rejects.toMatchObject({ code: "INTERNAL" });
    expect(await legs()).toEqual(["stop_loss working", "take_profit working"]);
    expect(acts.at(-1)).toMatchObject({ event: "order_cancelled", about: { failure: expect.any(String) } });
  });

  it("cancels nothing when its connection was removed", async () => {
    const { order, ports, legs } = await heldBench();
    const connections = { ...ports.connections, list: async () => [] };
    expect(await cancelOrderAndLegs(order.order_id, ada, { ...ports, connections })).toEqual({
      order,
      legs: [],
    });
    expect(await legs()).toEqual(["stop_loss working", "take_profit working"]);
  });
});
