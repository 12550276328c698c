import { z } from "zod";
import { MarketMode, Success } from "../src/domain/answers.ts";
import { CheckAnswer, CheckInput, withOrderType } from "../src/domain/check/check.ts";
import { formatCheck } from "../src/features/check/check.text.ts";
import { checkOrder as check } from "../src/features/check/check-order.ts";
import { concise } from "../src/features/check/concise.ts";
import { checkOrderSigned } from "../src/features/check/receipt.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Checks an order that the caller plans to place at any broker. Places nothing, and stores nothing but its levels and odds. */
export const checkOrder = defineTool({
  name: "check_order",
  title: "Check order",
  description:
    "Pre-trade check: reviews or judges an order before you send it to any broker, such as Robinhood, Schwab or IBKR: ok, warn or stop, broken rules (a duplicate, too big) with the value that passes, loss at its exit and in a bad night, odds, what it adds to the account. Use it for an order that you or an agent should or will place. Does not place it. preview_trade sizes one at a connected broker.",
  topics: [
    "check my order",
    "order at my broker",
    "before i place",
    "before you place",
    "order check",
    "option order",
    "pre-trade check",
  ],
  toolset: "trading",
  plan: "pro",
  effect: "read",
  listed: "default",
  route: "POST /api/v1/check-order",
  cli: { command: "check", positionals: ["symbol", "side", "quantity"], verdict: "verdict" },
  needs: [
    "symbols",
    "bars",
    "quotes",
    "clock",
    "market",
    "tradeRules",
    "earnings",
    "marketDays",
    "compute",
    "checkedOrders",
    "signer",
  ],
  secrets: { input: ["quote", "account", "positions", "open_orders", "recent_trades"] },
  input: z.strictObject(CheckInput),
  output: z.object({ ok: Success, ...CheckAnswer, market: MarketMode }),
  examples: [
    {
      ask: "Check my order to buy 20 Apple with a stop at 250 and a target of 320 before I place it",
      input: { symbol: "AAPL", side: "buy", quantity: 20, stop_loss: 250, take_profit: 320 },
    },
  ],
  view: { name: "check" },
  terminal: (answer, paint) =>
    [formatCheck(answer, paint), ...(answer.receipt ? [JSON.stringify(answer.receipt)] : [])].join("\n"),

  async handler({ detail = "full", ...request }, ctx) {
    const caller = { account: ctx.principal.account, signal: ctx.signal };
    const order = withOrderType(request);
    const { receipt, ...answer } = await (order.receipt ? checkOrderSigned : check)(order, caller, ctx);
    return {
      ...(detail === "concise" ? concise(answer) : answer),
      // whole in a concise answer too, or its signature would not verify
      ...(receipt !== undefined && { receipt }),
      market: ctx.market.mode,
    };
  },
});
