import { describe, expect, it } from "vitest";
import { idempotencyKeyOf, placedBy } from "../../../src/domain/agents/agent-pass.ts";
import type { Order } from "../../../src/domain/trading/trading.ts";
import type { TicketRecord } from "../../../src/domain/trading/trading-port.ts";
import { findPlacedOrders } from "../../../src/features/agents/placed-orders.ts";
import { idDigits } from "../../../src/lib/id-digits.ts";
import { idempotencyUuid } from "../../../src/lib/idempotency-key.ts";

const run = { account: "ada", agent: "momentum", run_id: "ru_1" };
const AT = "2026-01-15T15:00:00.000Z";

/** An order of the run for two units, with the given fields. */
const order = (symbol: string, side: "buy" | "sell", over: Partial<Order> = {}) =>
  ({
    order_id: `or_${idDigits(idempotencyUuid(idempotencyKeyOf(run, symbol, side)!))}`,
    ticket_id: `tk_${symbol}`,
    intent: { symbol, side, quantity: "2" },
    state: "accepted",
    broker_status: "filled",
    filled_quantity: "2",
    average_price: "100",
    fees: "0.5",
    ...over,
  }) as Order;
const result = (orders: readonly Order[], price: unknown = "90") =>
  findPlacedOrders(run, AT, {
    orders: async (account, { since }) => (account === "ada" && since === AT ? orders : []),
    ticket: async () => ({ shown: { quote: { price } } }) as unknown as TicketRecord,
  });

describe("orders of a run", () => {
  it("cost the filled amount with fees, plus the rest at the previewed price", async () => {
    const waits = order("MSFT", "buy", {
      broker_status: "working",
      filled_quantity: "0",
      average_price: null,
      fees: "0",
    });
    const partly = order("NVDA", "buy", { broker_status: "working", filled_quantity: "1" });
    const others = { ...order("TSLA", "buy"), order_id: `or_${"1".repeat(20)}` };
    const all = [order("AAPL", "buy"), waits, partly, others, order("SPY", "sell")];
    const { orders, spent } = await result(all);
    expect(orders.map(({ intent }) => intent.symbol)).toEqual(["AAPL", "MSFT", "NVDA", "SPY"]);
    // 200.5, 2 at 90, and 100.5 with 1 at 90
    expect(spent).toBe("571");
    expect((await result([partly], "none")).spent).toBe("200.5");
  });

  it("cost nothing when cancelled or rejected unfilled", async () => {
    const none = { filled_quantity: "0", average_price: null, fees: "0" };
    const over = [
      order("AAPL", "buy", { ...none, broker_status: "cancelled" }),
      order("MSFT", "buy", { ...none, state: "rejected", broker_status: null }),
    ];
    expect((await result(over)).spent).toBe("0");
  });

  it("are none for a run without an id", () => {
    expect(placedBy({ agent: "momentum" }, [order("AAPL", "buy")])).toEqual([]);
  });
});
