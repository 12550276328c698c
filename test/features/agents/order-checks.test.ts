import { describe, expect, it } from "vitest";
import type { PositionRow } from "../../../src/domain/trading/positions.ts";
import type { Intent } from "../../../src/domain/trading/trading.ts";
import {
  type CheckPlanned,
  closingOrders,
  orderCheckNotes,
  plannedOrder,
} from "../../../src/features/agents/order-checks.ts";
import { ToolError } from "../../../src/kernel/errors.ts";

const buy = (symbol: string) => ({ symbol, side: "buy" as const, quantity: "2" });
const equity = { what: "share of equity", send: "account.equity", required: true as const };

describe("the notes on planned orders", () => {
  it("name what no check knows once, then verdict, remedies, loss and the rest of each order", async () => {
    const check: CheckPlanned = async ({ symbol }) => {
      if (symbol === "ZZZZ") throw new ToolError("UNKNOWN_SYMBOL", "ZZZZ is not known here");
      const order = `buy 2 ${symbol}, at the market; opens`;
      if (symbol === "BTC-USD")
        return { verdict: "warn", order, rules: [], unknown: [equity, { what: "gaps" }] };
      const rule = { rule: "fraction", level: "warn" as const, limit: "whole units" };
      return {
        verdict: "stop",
        order,
        rules: [
          { ...rule, value: "2.5 units", would_pass: "quantity 2" },
          { ...rule, rule: "symbols", value: "AAPL" },
        ],
        unknown: [equity],
        loss: { at_stop: 20, gap_worst: 35.5 },
      };
    };
    expect(await orderCheckNotes(["AAPL", "BTC-USD", "ZZZZ"].map(buy), check)).toEqual([
      "Checked as orders at another broker. Its account is not known here; check_order takes what is missing. Not checked: share of equity.",
      "stop: buy 2 AAPL, at the market; opens. fraction: 2.5 units, to pass: quantity 2. symbols: AAPL. Loss at the stop 20.00 USD, in the worst night 35.50 USD.",
      "warn: buy 2 BTC-USD, at the market; opens. Not checked: gaps.",
      "not checked: buy 2 ZZZZ. ZZZZ is not known here",
    ]);
  });

  it("say only why if no order can be checked", async () => {
    const outage = new ToolError("UPSTREAM_UNAVAILABLE", "No provider responds");
    expect(await orderCheckNotes([buy("AAPL")], () => Promise.reject(outage))).toEqual([
      "not checked: buy 2 AAPL. No provider responds",
    ]);
  });

  it("are empty without orders", async () => {
    expect(await orderCheckNotes([], () => Promise.reject(new Error("called")))).toEqual([]);
  });

  it("end the call with an error that concerns all of it", async () => {
    const cancelled = new ToolError("CANCELLED", "The caller left");
    await expect(orderCheckNotes([buy("AAPL")], () => Promise.reject(cancelled))).rejects.toBe(cancelled);
  });
});

describe("a planned order", () => {
  it("has the prices of the intent, and opens a short position if it sells", () => {
    const intent: Intent = {
      symbol: "AAPL",
      side: "sell",
      type: "limit",
      quantity: "3",
      limit_price: "200",
      stop_price: null,
      time_in_force: "day",
      take_profit: null,
      stop_loss: "210",
    };
    expect(plannedOrder(intent)).toEqual({
      symbol: "AAPL",
      side: "sell_short",
      type: "limit",
      quantity: "3",
      limit_price: "200",
      stop_loss: "210",
    });
  });

  it("closes each position to exit at an outside account", () => {
    const row = (symbol: string, quantity: string, action: string, account_label: string | null) =>
      ({
        symbol,
        quantity,
        account_label,
        side: quantity.startsWith("-") ? "SHORT" : "LONG",
        edge: { action },
      }) as PositionRow;
    const rows = [
      row("AAPL", "10", "EXIT", "IRA"),
      row("MSFT", "-5", "EXIT", "IRA"),
      row("NVDA", "2", "REDUCE", "IRA"),
      row("TSLA", "1", "EXIT", null),
    ];
    const positions = [
      { symbol: "AAPL", quantity: "10" },
      { symbol: "MSFT", quantity: "-5" },
      { symbol: "NVDA", quantity: "2" },
    ];
    expect(closingOrders(rows, rows)).toEqual([
      { symbol: "AAPL", side: "sell", quantity: "10", positions },
      { symbol: "MSFT", side: "buy_to_cover", quantity: "5", positions },
    ]);
  });
});
