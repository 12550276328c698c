import { afterEach, describe, expect, it } from "vitest";
import { RULES } from "../../../src/analytics/risk/assess.ts";
import { tradeRisk } from "../../../src/analytics/risk/share-rules.ts";
import type { Rule } from "../../../src/analytics/risk/situation.ts";
import { failedCheck } from "../../../src/analytics/risk/verdict.ts";
import { checkOrder } from "../../../tools/check-order.ts";
import { climbingBars, marketOf } from "../../support/market.ts";
import { receiptPorts } from "../../support/receipts.ts";
import { callerOf } from "../../support/tool-call.ts";
import { tradeBench } from "../trading/bench.ts";

const list = RULES as Rule[];
const original = [...RULES];
afterEach(() => void list.splice(0, list.length, ...original));

/** Replaces one rule of the list until the end of the test. */
const replace = (rule: Rule, by: Rule): void => void list.splice(list.indexOf(rule), 1, by);

const MARK = "12.34";
const refused: Rule = () => ({ ...failedCheck("trade_risk", MARK, "1", "3"), level: "stop" });

const call = callerOf(checkOrder, {
  ...marketOf({ bars: { AAPL: climbingBars({ first: 100, step: 0 }) } }).ports,
  signer: receiptPorts().signer,
});
const order = {
  symbol: "AAPL",
  side: "buy",
  quantity: 1,
  stop_loss: 95,
  quote: { price: 100, at: "2026-01-15T15:00:00Z" },
  account: { equity: 50_000, buying_power: 40_000, equity_before: 50_000 },
  positions: [],
  open_orders: [],
  recent_trades: [],
};
const trade = { side: "buy", quantity: "1", stop_loss: "95" };

describe("the one list of rules", () => {
  it("passes the order of these tests before and after sending", async () => {
    const { preview, ticketOf, execute } = await tradeBench();
    const { checks, ticket_id } = await preview(trade);
    expect(checks.find(({ rule }) => rule === "trade_risk")).toMatchObject({ state: "passed" });
    expect(ticket_id).not.toBeNull();
    expect((await execute(await ticketOf(trade))).order).toMatchObject({ broker_status: "filled" });
    expect(await call(order)).toMatchObject({ verdict: "ok", rules: [] });
  });

  it("is read by preview_trade, execute_trade and check_order", async () => {
    const { preview, ticketOf, execute, sent, setLimits } = await tradeBench();
    // the owner's limit makes the advice binding for orders that are sent from here
    await setLimits({ max_trade_risk_pct: "1" });
    const ticket = await ticketOf(trade);
    replace(tradeRisk, refused);

    const { checks, ticket_id } = await preview(trade);
    expect(checks.filter(({ state }) => state === "failed")).toEqual([
      expect.objectContaining({ rule: "trade_risk", level: "stop", value: MARK, would_pass: "3" }),
    ]);
    expect(ticket_id).toBeNull();

    await expect(execute(ticket)).rejects.toMatchObject({
      code: "REFUSED",
      data: {
        checks: expect.arrayContaining([expect.objectContaining({ rule: "trade_risk", value: MARK })]),
      },
    });
    expect(await sent()).toEqual([]);

    const answer = await call(order);
    expect(answer.verdict).toBe("stop");
    expect(answer.rules).toMatchObject([
      { rule: "trade_risk", level: "stop", value: `${MARK} % of equity`, would_pass: "quantity 3" },
    ]);
  });

  it("has no rule that one of the three leaves out", async () => {
    const { preview, ticketOf, execute } = await tradeBench();
    const ticket = await ticketOf(trade);
    let calls = 0;
    const counted: Rule = () => {
      calls++;
      return null;
    };
    list.splice(0, list.length, ...original.map(() => counted));
    await preview(trade);
    const ofPreview = calls;
    await execute(ticket);
    const ofExecute = calls - ofPreview;
    await call(order);
    const ofCheck = calls - ofPreview - ofExecute;
    for (const times of [ofPreview, ofExecute, ofCheck]) {
      expect(times).toBeGreaterThan(0);
      expect(times % original.length).toBe(0);
    }
  });
});
