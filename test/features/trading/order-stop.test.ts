import { expect, it } from "vitest";
import type { Order } from "../../../src/domain/trading/trading.ts";
import { orderStop, type StopQuery } from "../../../src/features/trading/order-stop.ts";

const at = (minute: number) => `2026-01-15T15:${String(minute).padStart(2, "0")}:00.000Z`;
const order = (minute: number, stop: string | null, over: Partial<Order> = {}, side = "buy"): Order =>
  ({
    state: "accepted",
    broker_status: "filled",
    filled_quantity: "1",
    created_at: at(minute),
    updated_at: at(minute),
    intent: { symbol: "AAPL", side, stop_loss: stop },
    ...over,
  }) as Order;
const stop = (orders: readonly Order[], over: Partial<StopQuery> = {}) =>
  orderStop(orders, { symbol: "AAPL", quantity: "1", createdAfter: null, notHeldAt: null, ...over })?.stop ??
  null;

it("is that of the newest order on the side held", () => {
  const orders = [order(3, "130", {}, "sell"), order(2, null), order(1, "95"), order(0, "90")];
  expect(stop(orders)).toBe(95);
  expect(stop(orders, { quantity: "-1" })).toBe(130);
  expect(stop(orders, { symbol: "MSFT" })).toBeNull();
});

it("is not that of an unfilled order", () => {
  for (const over of [
    { state: "rejected", broker_status: null, filled_quantity: "0" },
    { broker_status: "cancelled", filled_quantity: "0" },
    { broker_status: "expired", filled_quantity: "0.000" },
    { broker_status: "working", filled_quantity: "0" },
    { state: "unknown", broker_status: null, filled_quantity: "0" },
  ] as const)
    expect(stop([order(1, "95", over)])).toBeNull();
  expect(stop([order(1, "95", { broker_status: "cancelled", filled_quantity: "0.5" })])).toBe(95);
  expect(stop([order(1, "95", { broker_status: "partially_filled", filled_quantity: "0.5" })])).toBe(95);
});

it("is not that of an order whose position was closed before", () => {
  expect(stop([order(1, "95")], { notHeldAt: at(2) })).toBeNull();
  expect(stop([order(1, "95", { updated_at: at(3) })], { notHeldAt: at(2) })).toBe(95);
  expect(stop([order(1, "95", { broker_status: "working" })], { notHeldAt: at(2) })).toBe(95);
  expect(stop([order(3, "95")], { notHeldAt: at(2) })).toBe(95);
});

it("is only that of later orders for a known position", () => {
  expect(stop([order(1, "95")], { createdAfter: at(1) })).toBeNull();
  expect(stop([order(2, "96"), order(1, "95")], { createdAfter: at(1) })).toBe(96);
});
