import { describe, expect, it } from "vitest";
import { ODDS_RULE } from "../../../src/analytics/risk/odds-rules.ts";
import { isBroken, RULE_TERMS } from "../../../src/analytics/risk/verdict.ts";
import {
  formatAmendments,
  formatRemedy,
  maxPassingQuantity,
} from "../../../src/features/trading/next-step.ts";
import { LONG, tradeBench } from "./bench.ts";

const WAIT = { ...LONG, signal: { ...LONG.signal, direction: "WAIT" as const, reason: "tied" } };
const broken = (rule: string, would_pass: string | null) => ({
  rule,
  state: "failed" as const,
  level: "stop" as const,
  value: "2",
  limit: "1",
  unit: null,
  set_by: null,
  would_pass,
});

describe("the next step after a preview", () => {
  it("is to send the ticket, on a live account after the owner's confirmation", async () => {
    const paper = await tradeBench();
    const shown = await paper.preview({ quantity: "1" }, LONG);
    expect(shown.hint).toBe(`Call execute_trade with ticket_id ${shown.ticket_id} to send it once.`);
    const live = await tradeBench({ live: true, connection: { account_type: "live" } });
    const record = { n: 4_000, win_rate: 0.6, mean_win_r: 2, mean_loss_r: -1 };
    const { hint, ticket_id } = await live.preview({ sizing: "kelly" }, { ...LONG, record });
    expect(hint).toBe(
      `The owner of the server confirms it in the terminal of the server; then call execute_trade with ticket_id ${ticket_id}.`,
    );
    expect((await live.preview({ quantity: "1" }, LONG)).hint).toMatch(/^A live trade follows the signal/);
    expect((await live.preview({ sizing: "kelly" }, LONG)).hint).toBe(
      "The track record gives this trade no size (no such trades are on record yet, so Kelly is 0; few real records so far have a positive Kelly fraction): leave sizing out for the owner's TRADING_RISK_PCT, or on a paper connection pass risk_pct.",
    );
  });

  it("names the fields that set the size on paper", async () => {
    const { preview } = await tradeBench();
    const hint = async (...request: Parameters<typeof preview>) => (await preview(...request)).hint;
    expect(await hint({ sizing: "kelly" }, LONG)).toBe(
      'The track record gives this trade no size (no such trades are on record yet, so Kelly is 0; few real records so far have a positive Kelly fraction): leave sizing out for the owner\'s TRADING_RISK_PCT, or pass risk_pct, such as "0.5", or `quantity`, such as "1".',
    );
    expect(await hint({}, WAIT)).toBe(
      'To trade on paper without the signal, set `side` ("buy" or "sell") and `quantity`, such as "1".',
    );
    expect(await hint({ risk_pct: "1" }, WAIT)).toBe(
      'To trade on paper without the signal, set `side` ("buy" or "sell") and stop_loss (below 100 to buy, above it to sell) together with risk_pct.',
    );
    expect(await hint({})).toMatch(/^To trade on paper without the signal, set `side`/);
    expect(await hint({ side: "sell", stop_loss: "102", sizing: "kelly" }, LONG)).toBe(
      'To trade on paper without a record, set `quantity`, such as "1", or risk_pct, such as "0.5", with stop_loss above 100.',
    );
    expect(await hint({ side: "buy", risk_pct: "1" })).toBe(
      'Set stop_loss (a price below 100), or set `quantity`, such as "1", instead.',
    );
    expect(await hint({ side: "sell" }, LONG)).toBe(
      'Set stop_loss (a price above 100), or set `quantity`, such as "1", instead.',
    );
    expect((await preview({ risk_pct: "0.5" }, LONG)).ticket_id).not.toBeNull();
    expect((await preview({ side: "sell", quantity: "1" }, LONG)).ticket_id).not.toBeNull();
    expect((await preview({ side: "buy", risk_pct: "1", stop_loss: "99" })).ticket_id).not.toBeNull();
  });

  it("names how to size a trade if the owner set no default size", async () => {
    const paper = await tradeBench({ riskPct: null });
    const shown = await paper.preview({}, LONG);
    expect(shown).toMatchObject({
      ticket_id: null,
      reason: "There is no default size: the owner set TRADING_RISK_PCT=0",
      hint: 'The owner of the server set no default size: pass risk_pct, such as "0.5", or `quantity`, such as "1", or let the owner set TRADING_RISK_PCT, such as 0.5.',
    });
    expect((await paper.preview({ risk_pct: "0.1" }, LONG)).ticket_id).not.toBeNull();
    const live = await tradeBench({ riskPct: null, live: true, connection: { account_type: "live" } });
    expect((await live.preview({}, LONG)).hint).toBe(
      "The owner of the server set no default size: on a paper connection pass risk_pct, or let the owner set TRADING_RISK_PCT, such as 0.5.",
    );
  });

  it("names how the odds of stop over target could pass", async () => {
    const { preview, setLimits } = await tradeBench();
    await setLimits({ max_stop_over_target_points: "0" });
    const { checks, reason, hint, ticket_id } = await preview({ stop_loss: "99.5" }, LONG);
    const check = checks.find(isBroken)!;
    expect({ ticket_id, reason }).toEqual({
      ticket_id: null,
      reason: "Refused by max_stop_over_target_points",
    });
    expect(formatRemedy(check)).toBe("a stop_loss farther away or a take_profit nearer would lower it");
    expect(hint).toMatch(/ max_stop_over_target_points: a stop_loss farther away .* would lower it\.$/);
    const unknown = await preview({ side: "buy", stop_loss: "98" });
    expect(unknown).toMatchObject({
      odds: null,
      odds_reason: "No signal has levels: get_signal says why",
      ticket_id: null,
    });
    expect(unknown.hint).toBe(
      "It risks at most 0.5 % of equity at its stop, the owner's TRADING_RISK_PCT. max_stop_over_target_points: there are no odds, odds_reason of preview_trade says why.",
    );
  });

  it("suggests a quantity and a price that pass every rule", async () => {
    const { preview } = await tradeBench();
    const far = { side: "buy", type: "limit", stop_loss: "99" };
    const { hint } = await preview({ ...far, quantity: "5000", limit_price: "150" });
    expect(hint).toBe("Preview it again with quantity 66.6666 and limit_price 110.");
    expect((await preview({ ...far, quantity: "66.6666", limit_price: "110" })).ticket_id).not.toBeNull();
  });

  it("is the hint of a refusal, whose data has the passing value of each rule", async () => {
    const { ticketOf, execute, setLimits } = await tradeBench();
    const ticket = await ticketOf({ side: "buy", quantity: "20" });
    const limits = { max_quantity: "15", max_notional_usd: "1000", max_orders_a_minute: 1 };
    await execute(await ticketOf());
    await setLimits(limits);
    await expect(execute(ticket)).rejects.toMatchObject({
      code: "REFUSED",
      message: /^Refused by max_orders_a_minute: 2, limit 1; max_quantity: 20, limit 15; /,
      hint: "Wait until 2026-01-15T15:01:00Z for max_orders_a_minute, then preview it again with quantity 9.95.",
      data: {
        checks: [
          { rule: "max_orders_a_minute", passes_at: "2026-01-15T15:01:00.000Z" },
          { rule: "max_quantity", would_pass: "15" },
          { rule: "max_notional_usd", would_pass: "10" },
        ],
      },
    });
  });

  it("suggests a slightly smaller quantity for market orders and shows the exact passing number", async () => {
    const { preview, setLimits } = await tradeBench();
    await setLimits({ max_notional_usd: "1000" });
    const shown = await preview({ side: "buy", quantity: "20" });
    expect(shown.checks.find(({ rule }) => rule === "max_notional_usd")).toMatchObject({
      state: "failed",
      value: "2000",
      limit: "1000",
      unit: "USD",
      would_pass: "10",
      set_by: "max_notional_usd",
    });
    // 10 less half a percent; limit orders and limits in units are not reduced
    expect(shown.hint).toBe("Preview it again with quantity 9.95.");
    expect((await preview({ side: "buy", quantity: "9.95" })).ticket_id).not.toBeNull();
    const limit = await preview({ side: "buy", quantity: "20", type: "limit", limit_price: "100" });
    expect(limit.hint).toBe("Preview it again with quantity 10.");
    await setLimits({ max_quantity: "9.96" });
    expect((await preview({ side: "buy", quantity: "20" })).hint).toMatch(/with quantity 9\.95\.$/);
    await setLimits({ max_quantity: "9.9" });
    expect((await preview({ side: "buy", quantity: "20" })).hint).toMatch(/with quantity 9\.9\.$/);
  });

  it("names the orders that already close the position", async () => {
    const { preview, execute, ticket } = await tradeBench();
    const buy = await preview({ side: "buy", quantity: "2", stop_loss: "98" }, null, "BTC-USD");
    await execute(await ticket(buy.ticket_id));
    const rests = { side: "sell", type: "limit", limit_price: "105", time_in_force: "gtc" };
    const resting = async (quantity: string) => {
      const { ticket_id } = await preview({ ...rests, quantity }, null, "BTC-USD");
      return (await execute(await ticket(ticket_id))).order.order_id;
    };
    const first = await resting("0.5");
    const over = await preview({ side: "sell", quantity: "2" }, null, "BTC-USD");
    expect(over.hint).toBe(
      `Preview it again with quantity 1.5. cancel_order ${first} frees more of the position.`,
    );
    const second = await resting("1.5");
    const shown = await preview({ side: "sell", quantity: "2" }, null, "BTC-USD");
    expect(shown.checks.find(({ rule }) => rule === "oversell")).toMatchObject({
      state: "failed",
      would_pass: null,
      held_by: [second, first],
    });
    expect(shown.hint).toBe(
      `${second}, ${first} already reserve these units: cancel with cancel_order, then preview again.`,
    );
  });

  it("reduces a computed quantity to the owner's limits, with a sizing step", async () => {
    const { preview, setLimits } = await tradeBench();
    await setLimits({ max_notional_usd: "1234" });
    const shown = await preview({ risk_pct: "0.1" }, LONG);
    // .1 % of 100,000 is 100 dollars at 2 a unit: 50 units, and 1,234 dollars buy 12.34
    expect(shown).toMatchObject({
      intent: { quantity: "12.34" },
      sizing: { quantity: "12.34", at_risk: "24.68", bound_by: "max_notional_usd" },
      maximum_loss: { at_stop: "24.68", worst: "1234" },
    });
    expect(shown.ticket_id).not.toBeNull();
    expect(shown.sizing.steps.at(-1)).toEqual({
      step: "within_limits",
      value: "12.34",
      formula: "the largest quantity that max_notional_usd allows",
    });
    expect(await preview({ quantity: "50" }, LONG)).toMatchObject({
      ticket_id: null,
      hint: "Preview it again with quantity 12.2783.",
      sizing: { quantity: "50" },
    });
  });

  it("separates rules that only time or nothing satisfies from those a number satisfies", async () => {
    const { preview, setLimits } = await tradeBench();
    await setLimits({ symbols: ["MSFT"] });
    expect((await preview({ quantity: "1" }, LONG)).hint).toBe(
      "The owner of the server allows new positions only in MSFT: preview one of these.",
    );
    expect(formatRemedy(broken("max_quantity", "5"))).toBe("quantity 5 would pass");
    expect(formatRemedy(broken("stop_price_off_pct", "90"))).toBe("stop_price 90 would pass");
    expect(formatRemedy(broken("max_daily_loss_pct", "3"))).toBe("passes only later");
    expect(formatRemedy(broken("symbols", null))).toBe("no value would pass now");
    const unknown = { ...broken("max_daily_loss_pct", null), state: "unknown", value: null } as const;
    expect(formatRemedy(unknown)).toBe("its data is missing");
    expect(maxPassingQuantity([broken("max_quantity", "5"), broken("buying_power", "4.5")])).toBe("4.5");
    expect(maxPassingQuantity([broken("max_quantity", "5"), broken("market_hours", null)])).toBeNull();
    expect(maxPassingQuantity([])).toBeNull();
  });

  it("is one sentence for every rule that can be broken, also if others are broken too", async () => {
    const market = { type: "market", step: "1" } as const;
    const size = broken("max_notional_usd", "10");
    for (const rule of Object.keys(RULE_TERMS)) {
      if (rule === ODDS_RULE) continue;
      const alone = formatAmendments([broken(rule, null)], market);
      expect(alone, rule).toMatch(
        /^[A-Z][^.]*( \d+\.\d+[^.]*)?\.( Crypto trades at all hours\.| Positions can be closed now\.)?$/,
      );
      expect(alone, rule).not.toMatch(/No change|undefined|null/);
      expect(formatAmendments([size, broken(rule, null)], market), rule).toBe(alone);
    }
  });

  it("corrects a price that is off its step and off the limit at once", async () => {
    const { preview, setLimits } = await tradeBench();
    const far = { side: "buy", type: "limit", stop_loss: "99" };
    // a quantity above the limit and a price between two cents
    await setLimits({ max_quantity: "5" });
    expect(await preview({ ...far, quantity: "6", limit_price: "101.005" })).toMatchObject({
      ticket_id: null,
      hint: "Preview it again with quantity 5 and limit_price 101.00 or 101.01.",
    });
    // between two cents and farther than 10 % from 100: the price that fits both
    expect(await preview({ ...far, quantity: "1", limit_price: "150.005" })).toMatchObject({
      ticket_id: null,
      hint: "Preview it again with limit_price 110.",
    });
  });
});
