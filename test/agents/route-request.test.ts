import { describe, expect, it } from "vitest";
import { routeRequest } from "../../agents/route-request.ts";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Principal } from "../../src/domain/accounts/access.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { tasksOf } from "../../src/kernel/tasks.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { pro } from "../support/context.ts";
import { toolSearchOf } from "../support/requests.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, tradeMarket, trader } from "../support/trades.ts";

const { ports: market } = await tradeMarket();
const kinds: unknown[] = [];
const basePorts: typeof market = {
  ...market,
  meters: { ...market.meters, countDaily: async (_, kind) => void kinds.push(kind ?? "call") },
};
const ports = {
  ...basePorts,
  toolSearch: toolSearchOf(),
  tasks: tasksOf(
    () => Object.values<Tool>(catalogue),
    () => basePorts,
  ),
};
const steps: { readonly done: number; readonly total?: number; readonly message?: string }[] = [];
const call = (principal: Principal = trader) => ({
  ports,
  principal,
  transport: "test",
  progress: (step: (typeof steps)[number]) => void steps.push(step),
});
const ask = (input: object, principal?: Principal) => invoke(routeRequest, input, call(principal));

describe("route_request", () => {
  it("answers a task with signals, analysis and recommendations with tickets, and sends nothing", async () => {
    const answer = await ask({
      task: "signal_analysis",
      symbols: ["AAPL", "ZZZZQ"],
      context: { risk_pct: "0.1" },
    });
    expect(answer).toMatchObject({
      ok: true,
      task: "signal_analysis",
      symbols: ["AAPL", "ZZZZQ"],
      market: "sample",
      hint: null,
      signals: [{ symbol: "AAPL", bias: "LONG", grade: "A+", stop: 135.87 }],
      analysis: [
        { symbol: "AAPL", skill: "get_signal", error: null },
        { symbol: "ZZZZQ", skill: "get_signal", data: null, error: { code: "UNKNOWN_SYMBOL" } },
      ],
      recommendations: [
        { symbol: "AAPL", direction: "LONG", ticket: { intent: { side: "buy", quantity: "46.9483" } } },
      ],
      errors: [
        { part: "signals", symbol: "ZZZZQ", code: "UNKNOWN_SYMBOL" },
        { part: "recommendations", symbol: "ZZZZQ", code: "UNKNOWN_SYMBOL" },
      ],
    });
    expect(answer.summary).toBe(
      "1 of 2 symbols have a ticket: buy 46.9483 AAPL, at market, for the day. No proposal: ZZZZQ. No order was sent.",
    );
    expect(await market.tradeRepository.orders(trader.account, { limit: 10 })).toEqual([]);
    expect(
      (await market.tradeRepository.ticket(trader.account, answer.recommendations[0]!.ticket!.ticket_id))
        ?.connection,
    ).toBe(CONNECTION);
  });

  it("checks a ticket on paper as an order at another broker", async () => {
    const { notes } = await ask({ task: "trade_proposal", symbols: ["AAPL"], context: { risk_pct: "0.1" } });
    expect(notes).toEqual([
      "Checked as orders at another broker. Its account is not known here; check_order takes what is missing. Not checked: share of equity, open risk, drawdown; open risk, concentration, correlation; spread; duplicates; buying power; earnings date.",
      "warn: buy 46.9483 AAPL, at the market, stop_loss 135.87, take_profit 141.63; opens. fraction: 46.9483 units, to pass: quantity 46. liquidity: 4.69 % of volume, to pass: quantity 10. Loss at the stop 100.00 USD, in the worst night 0.00 USD.",
    ]);
  });

  it("passes the order of a sentence to check_order", async () => {
    const { analysis } = await ask({ text: "Check my order to buy 20 AAPL with a stop at 130" });
    expect(analysis.map(({ skill, data }) => [skill, data?.order, data?.verdict])).toEqual([
      ["get_signal", undefined, undefined],
      ["check_order", "buy 20 AAPL, at the market, stop_loss 130; opens", "warn"],
    ]);
  });

  it("answers plain text by the symbols it names", async () => {
    const answer = await ask({ text: "What is the signal on Apple?" });
    expect(answer).toMatchObject({
      task: null,
      symbols: ["AAPL"],
      signals: [{ symbol: "AAPL" }],
      analysis: [{ symbol: "AAPL", skill: "get_signal", error: null }],
      recommendations: [{ symbol: "AAPL", direction: "LONG" }],
    });
    expect(answer.summary).toMatch(/^AAPL is LONG: grade A.* No order was sent\.$/s);
  });

  it("has no signals and no recommendations without symbols", async () => {
    const review = await ask({ task: "portfolio_review" });
    expect(review).toMatchObject({
      symbols: [],
      signals: [],
      recommendations: [],
      errors: [],
      analysis: [{ symbol: null, skill: "review_portfolio" }],
      notes: [expect.stringContaining("names no symbols")],
    });
    const words = await ask({ text: "What is a stop loss?" });
    expect(words).toMatchObject({ symbols: [], signals: [], recommendations: [] });
    expect(words.summary).toMatch(/stop/i);
  });

  it("proposes once when the task is a proposal", async () => {
    const answer = await ask({ task: "trade_proposal", symbols: ["AAPL"], context: { risk_pct: "0.1" } });
    expect(answer.analysis).toEqual([]);
    expect(answer.recommendations).toHaveLength(1);
  });

  it("reports increasing progress", async () => {
    steps.length = 0;
    await ask({ task: "signal_analysis", symbols: ["AAPL", "BTC-USD"] });
    expect(steps).toHaveLength(6);
    expect(steps.map(({ done }) => done)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(steps.every(({ total }) => total === 6)).toBe(true);
  });

  it.each([
    [{}, "The request has neither task nor text"],
    [{ symbols: ["AAPL"] }, "The request has neither task nor text"],
    [{ task: "scan", text: "AAPL" }, "The request has both task and text"],
    [{ text: "What of it?", symbols: ["AAPL"] }, "symbols cannot be combined with text"],
    [{ task: "guess", symbols: ["AAPL"] }, "No tool serves a task with this name"],
    [{ task: "scan", symbols: [] }, 'The task "scan" needs symbols'],
  ])("rejects %j", async (input, message) => {
    await expect(ask(input)).rejects.toMatchObject({ code: "INVALID_INPUT", message });
  });

  it("requires the enterprise plan and the write scope", async () => {
    const input = { task: "scan", symbols: ["AAPL"] };
    await expect(ask(input, pro)).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
      data: { required_plan: "enterprise" },
    });
    await expect(ask(input, { ...trader, scopes: ["read"] })).rejects.toMatchObject({
      code: "SCOPE_REQUIRED",
    });
    expect(routeRequest).toMatchObject({ toolset: "agents", plan: "enterprise", effect: "write" });
  });

  it("is charged to the assistant quota only for text", async () => {
    kinds.length = 0;
    await ask({ task: "scan", symbols: ["AAPL"] });
    await ask({ text: "What is the signal on Apple?" });
    expect(kinds).toEqual(["call", "assistant"]);
  });

  it("prints signals, analysis and recommendations under headings", async () => {
    const answer = await ask({ task: "signal_analysis", symbols: ["AAPL", "ZZZZQ"] });
    const lines = routeRequest.terminal!(answer, (_, text) => text).split("\n");
    expect(lines[0]).toBe("signals");
    expect(lines.indexOf("analysis")).toBeGreaterThan(1);
    expect(lines.indexOf("recommendations")).toBeGreaterThan(lines.indexOf("analysis"));
    expect(lines).toContain('ZZZZQ has no signals: No instrument is known as "ZZZZQ"');
  });
});

toolContract(routeRequest, { ports });
