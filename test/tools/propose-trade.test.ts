import { describe, expect, it } from "vitest";
import { formatPlanOdds } from "../../src/domain/odds/odds.text.ts";
import type { Ports } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { executeTrade } from "../../tools/execute-trade.ts";
import { proposeTrade } from "../../tools/propose-trade.ts";
import { climbingBars, fixedBars } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports } = await tradeMarket();
const steps: unknown[] = [];
const on = (account = trader.account, over: Partial<Ports> = {}) => ({
  ports: { ...ports, ...over },
  principal: { ...trader, account },
  transport: "test",
  progress: (step: unknown) => void steps.push(step),
});
const propose = (input: object, account?: string, over?: Partial<Ports>) =>
  invoke(proposeTrade, input, on(account, over));
const rejecting = (code: "UPSTREAM_UNAVAILABLE" | "NO_PRICE") => async () => {
  throw new ToolError(code, "No provider responded", { hint: "Try again." });
};

describe("propose_trade", () => {
  it("proposes a long with reasons and a ticket sized by the requested risk, and sends nothing", async () => {
    const { proposals, connection, summary, tickets, market } = await propose({
      symbols: ["aapl"],
      risk_pct: "0.1",
    });
    expect({ connection, tickets, market }).toEqual({
      connection: { connection_id: CONNECTION, broker: "paper", account_type: "paper" },
      tickets: 1,
      market: "sample",
    });
    // 0.1% of 100,000 USD, divided by 2.13 USD: from the price of 138 to the stop of 135.87, rounded down to 135.87
    expect(proposals).toMatchObject([
      {
        symbol: "AAPL",
        direction: "LONG",
        grade: "A+",
        levels_basis: "signal",
        entry_zone: { low: 137.13, high: 137.63 },
        stop_loss: 135.87,
        target: 141.63,
        source: "fixture",
        as_of: "2026-01-14T21:00:00.000Z",
        reason: null,
        odds: { from: 137.375 }, // the last close
        ticket: {
          odds: { from: 138, bars: 20 },
          odds_reason: null,
          price: "138",
          priced_at: "2026-01-15T15:00:00.000Z",
          at_risk: "99.999879",
          expires_at: "2026-01-15T15:05:00.000Z",
          intent: { symbol: "AAPL", side: "buy", quantity: "46.9483", stop_loss: "135.87" },
        },
      },
    ]);
    expect(proposals[0]!.why[0]).toMatch(/^\+ strength against the benchmark is 9\.0% above/);
    expect(summary).toBe(
      "1 of 1 symbol has a ticket: buy 46.9483 AAPL, at market, for the day. No order was sent.",
    );
    expect(await ports.tradeRepository.orders(trader.account, { limit: 10 })).toEqual([]);
  });

  it("returns a ticket that execute_trade sends", async () => {
    const { proposals } = await propose({ symbols: ["BTC-USD"], risk_pct: "0.1" });
    const { ticket_id } = proposals[0]!.ticket!;
    const { order } = await invoke(executeTrade, { ticket_id }, on());
    expect(order).toMatchObject({ ticket_id, intent: { symbol: "BTC-USD", side: "buy" } });
    expect(await ports.tradeRepository.orders(trader.account, { limit: 10 })).toHaveLength(1);
  });

  it("returns no ticket for WAIT, with what to do next", async () => {
    const { bars } = fixedBars({ bars: { AAPL: climbingBars({ step: 0 }), SPY: climbingBars() } });
    const { proposals, tickets, summary } = await propose({ symbols: ["AAPL"] }, undefined, { bars });
    expect(tickets).toBe(0);
    expect(proposals).toMatchObject([
      {
        direction: "WAIT",
        levels_basis: "watch",
        ticket: null,
        reason: expect.stringMatching(/^The signal is WAIT: /),
        next: expect.stringContaining("get_signal"),
      },
    ]);
    expect(summary).toBe("0 of 1 symbol has a ticket. WAIT: AAPL. No order was sent.");
  });

  it("returns tickets of the built-in paper account if there is no other", async () => {
    const { proposals, connection } = await propose({ symbols: ["AAPL"], risk_pct: "0.1" }, "two");
    expect(connection).toMatchObject({ broker: "paper", account_type: "paper" });
    expect(proposals).toMatchObject([{ direction: "LONG", ticket: { ticket_id: expect.any(String) } }]);
  });

  it("sizes by the owner's share by default, and states why there is no ticket", async () => {
    const brokers = { ...ports.brokers, riskPct: "0.1" };
    const [sized] = (await propose({ symbols: ["AAPL"] }, undefined, { brokers })).proposals;
    const [requested] = (await propose({ symbols: ["AAPL"], risk_pct: "0.1" })).proposals;
    expect(sized!.ticket!.intent).toEqual(requested!.ticket!.intent);
    expect(sized!.next).toMatch(
      /zone of .*\. It risks at most 0\.1 % of equity at its stop, the owner's TRADING_RISK_PCT\. Kelly from the odds is /,
    );
    const off = { brokers: { ...ports.brokers, riskPct: null } };
    const [unsized] = (await propose({ symbols: ["AAPL"] }, undefined, off)).proposals;
    expect(unsized).toMatchObject({
      ticket: null,
      reason: "There is no default size: the owner set TRADING_RISK_PCT=0",
      odds_reason: null,
    });
    expect(unsized!.odds).toEqual(sized!.odds);
    const quotes = { latest: rejecting("NO_PRICE") };
    const { proposals } = await propose({ symbols: ["AAPL"], risk_pct: "1" }, undefined, { quotes });
    expect(proposals).toMatchObject([
      { direction: "LONG", ticket: null, reason: "No provider responded", next: "Try again." },
    ]);
  });

  it("lists failed symbols with the others, each instrument once, and reports progress", async () => {
    steps.length = 0;
    const answer = await propose({ symbols: ["AAPL", "ZZZZQ", "LINK", "aapl"] });
    expect(answer.proposals.map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    expect(answer.errors.map(({ symbol, code }) => [symbol, code])).toEqual([
      ["ZZZZQ", "UNKNOWN_SYMBOL"],
      ["LINK", "INVALID_INPUT"],
    ]);
    expect(answer.summary).toContain("No proposal: ZZZZQ, LINK.");
    expect(steps).toHaveLength(3);
    expect(steps.at(-1)).toMatchObject({ done: 3, total: 3 });
    const { proposals } = await propose({ symbols: ["LINK", "AAPL"], asset_class: "crypto" });
    expect(proposals.map(({ symbol }) => symbol)).toEqual(["LINK-USD", "AAPL"]);
    // an ambiguous name does not replace the stock or pair that is named beside it
    const both = await propose({ symbols: ["LINK", "LINK-USD"] });
    expect(both.proposals.map(({ symbol }) => symbol)).toEqual(["LINK-USD"]);
    expect(both.errors).toMatchObject([
      { symbol: "LINK", code: "INVALID_INPUT", message: '"LINK" names several instruments' },
    ]);
  });

  it("fails when no provider responds", async () => {
    const bars = { history: rejecting("UPSTREAM_UNAVAILABLE") };
    await expect(propose({ symbols: ["AAPL", "MSFT"] }, undefined, { bars })).rejects.toMatchObject({
      code: "UPSTREAM_UNAVAILABLE",
    });
  });

  it("rejects another account's connection and more than twenty symbols", async () => {
    await expect(propose({ symbols: ["AAPL"], connection_id: CONNECTION }, "two")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(propose({ symbols: Array(21).fill("AAPL") })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });

  it("prints the side, the levels, and why there is no ticket", async () => {
    const answer = await propose({ symbols: ["AAPL", "MSFT", "ZZZZQ"], risk_pct: "0.1" });
    const lines = proposeTrade.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toMatch(/No order was sent\.$/);
    expect(lines[1]).toBe("AAPL  LONG  grade A+  score 86.4");
    expect(lines[2]).toBe("  entry 137.13 - 137.63, stop 135.87, target 141.63");
    expect(lines[3]).toBe(`  odds: ${formatPlanOdds(answer.proposals[0]!.odds!)}`);
    expect(lines).toContain("MSFT  SHORT  long-side grade F  score 13.1");
    expect(lines).toContain("  no ticket: No price of MSFT");
    expect(lines).toContain('ZZZZQ  UNKNOWN_SYMBOL  No instrument is known as "ZZZZQ"');
  });
});

toolContract(proposeTrade, { ports });
