import { describe, expect, it } from "vitest";
import type { PassDecision, PassResult } from "../../../src/domain/agents/agent-pass.ts";
import type { OrderShown } from "../../../src/domain/trading/trading.ts";
import { formatPass, formatPassSummary, passNotes } from "../../../src/features/agents/pass.text.ts";

const still = { figures: null, held: "0", trade: null, order: null, repeated: false, refused: null };
const bought: PassDecision = {
  ...still,
  symbol: "AAPL",
  action: "buy",
  why: "Grade A is a buy.",
  order: {
    order_id: "or_1",
    status: "filled",
    filled_quantity: "2",
    average_price: "138.1",
    intent: { symbol: "AAPL", side: "buy", quantity: "2", stop_loss: "130", take_profit: null },
  } as OrderShown,
};
const shown: PassDecision = {
  ...still,
  symbol: "MSFT",
  action: "buy",
  why: "Grade A+ is a buy.",
  trade: {
    side: "buy",
    quantity: "3",
    price: "100",
    price_as_of: "2026-01-15T15:00:00.000Z",
    price_source: "live_quote",
    cost: "300",
    ticket_id: null,
    expires_at: null,
  },
  refused: { code: "REFUSED", message: "Refused by market_hours", hint: "Wait for the open." },
};
const held: PassDecision = { ...still, symbol: "TSLA", action: "hold", why: "Grade C is neither." };

describe("the text of a pass", () => {
  it("counts decisions and newly placed orders", () => {
    expect(formatPassSummary([bought, shown, held], { dry_run: false })).toBe(
      "3 symbols: 2 to buy, 0 to sell, 1 to hold; 1 order was placed.",
    );
    expect(formatPassSummary([{ ...bought, repeated: true }], { dry_run: false })).toBe(
      "1 symbol: 1 to buy, 0 to sell, 0 to hold; no orders were placed.",
    );
    expect(formatPassSummary([held], { dry_run: true })).toBe(
      "1 symbol: 0 to buy, 0 to sell, 1 to hold; a dry run, nothing was placed.",
    );
  });

  it("shows each decision with its reason, outcome and hint", () => {
    const result: PassResult = {
      dry_run: false,
      connection: { connection_id: "cn_1", broker: "paper", account_type: "paper" },
      decisions: [bought, shown, held],
      summary: "Three.",
      notes: ["Know this."],
      budget: { limit: "1000", spent: "276.2", left: "723.8" },
    };
    expect(formatPass(result, (_, text) => text).split("\n")).toEqual([
      "Three.",
      "cn_1 (paper)",
      "AAPL      buy   Grade A is a buy.",
      "  or_1 buy 2: filled, 2 filled at 138.1 USD",
      "MSFT      buy   Grade A+ is a buy.",
      "  buy 3 at about 100 USD, 300 USD",
      "  not placed: Refused by market_hours",
      "  Wait for the open.",
      "TSLA      hold  Grade C is neither.",
      "budget 1000 USD, 276.2 spent, 723.8 left",
      "Know this.",
    ]);
  });

  it("notes that backtests have no stops only when an order has one", () => {
    const on = { connection: { account_type: "paper" } } as never;
    const calls = { dry_run: false, timeframe: "1d" } as const;
    const budget = { limit: null, spent: "276.2" };
    expect(passNotes({ decisions: [bought], budget }, calls, on)).toEqual([
      "Stops and targets are those of the 1d signal; a backtest of the agent has none.",
    ]);
    expect(passNotes({ decisions: [held], budget }, calls, on)).toEqual([]);
  });

  it("names what was bought without stop and target", () => {
    const on = { connection: { account_type: "paper" } } as never;
    const intent = { ...bought.order!.intent, symbol: "CAT", stop_loss: null };
    const decisions = [bought, { ...bought, symbol: "CAT", order: { ...bought.order!, intent } }];
    const budget = { limit: null, spent: "276.2" };
    expect(passNotes({ decisions, budget }, { dry_run: false, timeframe: "1d" }, on)).toEqual([
      "Bought without stop and target: CAT.",
      "Stops and targets are those of the 1d signal; a backtest of the agent has none.",
    ]);
  });

  it("notes purchases above the budget", () => {
    const on = { connection: { account_type: "paper" } } as never;
    const noted = (spent: string) =>
      passNotes({ decisions: [], budget: { limit: "200", spent } }, { dry_run: false, timeframe: "1d" }, on);
    expect(noted("200")).toEqual([]);
    expect(noted("200.5")).toEqual([
      "The purchases cost 200.5 USD of 200: spread and fees can make a market order cost more than its preview.",
    ]);
  });
});
