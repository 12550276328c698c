import { expect, it } from "vitest";
import type { BrokerOrder } from "../../../src/domain/trading/trading-port.ts";
import { effectiveOrders, workingLegs } from "../../../src/features/trading/effective-orders.ts";
import { brokerOrder } from "./bench.ts";

const order = (over: Partial<BrokerOrder>): BrokerOrder =>
  brokerOrder({ clientOrderId: "e", quantity: "10", status: "filled", filledQuantity: "10", ...over });
const leg = (kind: "stop_loss" | "take_profit", over: Partial<BrokerOrder> = {}): BrokerOrder =>
  order({
    clientOrderId: `e-${kind}`,
    side: "sell",
    leg: kind,
    entry: "e",
    status: "working",
    filledQuantity: "0",
    stopPrice: kind === "stop_loss" ? "95" : null,
    ...over,
  });
const guarded = (entry: Partial<BrokerOrder>, over: Partial<BrokerOrder> = {}) =>
  effectiveOrders([order(entry), leg("stop_loss", over)])
    .filter((one) => one.leg !== null)
    .map(({ quantity }) => quantity);

it("omits legs of unfilled entries and finished legs", () => {
  expect(guarded({})).toEqual(["10"]);
  expect(guarded({ status: "working", filledQuantity: "0" })).toEqual([]);
  expect(guarded({ status: "cancelled", filledQuantity: "0.0" })).toEqual([]);
  expect(guarded({}, { status: "cancelled" })).toEqual([]);
});

it("limits legs to the filled quantity of their entry", () => {
  expect(guarded({ status: "partially_filled", filledQuantity: "4" })).toEqual(["4"]);
  expect(guarded({ status: "cancelled", filledQuantity: "4" })).toEqual(["4"]);
  // a four-to-one split after a complete fill
  expect(guarded({}, { quantity: "40" })).toEqual(["40"]);
});

it("returns a leg whose entry is missing or no longer listed unchanged", () => {
  expect(effectiveOrders([leg("stop_loss", { entry: null })])).toHaveLength(1);
  expect(effectiveOrders([leg("stop_loss")])).toHaveLength(1);
});

it("counts units closed by stop and target of an entry once, and returns the entries", () => {
  const legs = [
    ...[leg("stop_loss"), leg("take_profit", { filledQuantity: "3" })],
    ...[leg("take_profit", { entry: "f", quantity: "2" }), leg("stop_loss", { entry: null, quantity: "1" })],
    ...[leg("stop_loss", { symbol: "KO" }), leg("stop_loss", { side: "buy" }), order({ side: "sell" })],
  ];
  const { units, entries } = workingLegs("AAPL", "sell", legs);
  expect([units.toFixed(), entries]).toEqual(["13", ["e", "f"]]);
  expect(workingLegs("AAPL", "sell", []).units.toFixed()).toBe("0");
});
