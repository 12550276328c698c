import { describe, expect, it } from "vitest";
import { runCustomAgent } from "../../agents/run-custom-agent.ts";
import type { CustomAgent } from "../../src/domain/agents/automation.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { agentMarket, DIP_BUYER } from "../support/agents.ts";
import { staleHistory } from "../support/market.ts";
import { toolContract } from "../support/tool-contract.ts";
import { CONNECTION, trader } from "../support/trades.ts";

const { ports, service } = await agentMarket();
const run = (input: object) =>
  invoke(runCustomAgent, { agent: "dip-buyer", ...input }, { ports, principal: trader, transport: "test" });
const save = (over: Partial<CustomAgent> = {}) =>
  service.save(trader, { ...DIP_BUYER, ...over } as CustomAgent);
await save();

describe("a saved agent", () => {
  it("decides by its rules on the last closed bar, returns every term, and places nothing in a dry run", async () => {
    const { decisions, dry_run, backtest } = await run({});
    expect(decisions).toMatchObject([
      {
        symbol: "AAPL",
        action: "buy",
        order: null,
        refused: null,
        trade: { quantity: "2" },
        why: "The entry holds: close 137.375; at the close of 2026-01-14T21:00:00.000Z, on bars from fixture.",
        figures: {
          close: 137.375,
          timeframe: "1d",
          source: "fixture",
          as_of: "2026-01-14T21:00:00.000Z",
          terms: [{ term: "close", value: 137.375, word: null }],
          conditions: [
            { part: "entry", text: "close > 50", held: true },
            { part: "exit", text: "close < 50", held: false },
          ],
        },
      },
    ]);
    expect(dry_run).toBe(true);
    expect(backtest).toMatchObject({ strategy: "rules", rules: { entry: DIP_BUYER.entry } });
  });

  it("reads the signal for rules that use it, at the last two closes", async () => {
    await save({ entry: { all: ["score >= 0", "direction != SHORT"] } });
    const [decision] = (await run({})).decisions;
    const { terms } = decision!.figures!;
    expect(terms.map(({ term }) => term)).toEqual(["score", "direction", "close"]);
    expect(terms[0]!.value).toEqual(expect.any(Number));
    expect(["LONG", "WAIT"]).toContain(terms[1]!.word);
    await save({ entry: { all: ["score crosses_above 100"] } });
    const [crossing] = (await run({})).decisions;
    expect(crossing).toMatchObject({ action: "hold", why: /^Neither the entry nor the exit holds: score / });
    await save();
  });

  it("does not trade on bars of an unavailable provider", async () => {
    const call = {
      ports: { ...ports, bars: staleHistory(ports.bars) },
      principal: trader,
      transport: "test",
    };
    const input = { agent: "dip-buyer", dry_run: false, connection_id: CONNECTION };
    const { decisions } = await invoke(runCustomAgent, input, call);
    expect(decisions).toMatchObject([{ action: "hold", order: null }]);
    expect(decisions[0]!.why).toContain("; no action, because no provider of its bars responds");
  });

  it("buys once, holds, and sells all when the exit holds", async () => {
    const sizing = { quantity: "1" };
    await save({ sizing });
    const real = { dry_run: false, connection_id: CONNECTION };
    const first = await run({ ...real, run_id: "r1" });
    expect(first.decisions).toMatchObject([
      { action: "buy", order: { intent: { quantity: "1" } }, repeated: false },
    ]);
    expect(Number(first.budget.spent)).toBeGreaterThan(130);
    const again = await run({ ...real, run_id: "r1" });
    expect(again.decisions).toMatchObject([
      { repeated: true, order: { order_id: first.decisions[0]!.order!.order_id } },
    ]);
    expect((await run({ ...real, run_id: "r2" })).decisions).toMatchObject([{ action: "hold", order: null }]);
    await save({ sizing, exit: { any: ["close > 100"] } });
    const sold = await run({ ...real, run_id: "r3" });
    expect(sold.decisions).toMatchObject([
      { action: "sell", held: "1", order: { intent: { side: "sell", quantity: "1" } } },
    ]);
    await save();
  });

  it("buys at a limit below the close, for one day, as its backtest does", async () => {
    await save({ sizing: { quantity: "1" }, limit: "5 %" });
    const real = { dry_run: false, connection_id: CONNECTION };
    const { decisions, backtest } = await run({ ...real, run_id: "limited" });
    // 5 % below 137.375 are 130.50625, at a step of 0.01
    expect(decisions).toMatchObject([
      {
        action: "buy",
        order: {
          status: "working",
          filled_quantity: "0",
          intent: { type: "limit", limit_price: "130.5", time_in_force: "day" },
        },
      },
    ]);
    expect(backtest.rules.limit).toBe("5 %");
    const [next] = (await run({ ...real, run_id: "later" })).decisions;
    expect(next).toMatchObject({ action: "hold", order: null });
    expect(next!.why).toContain("is already working");
    await expect(save({ limit: "5 %", timeframe: "4h" })).rejects.toMatchObject({
      data: { errors: [{ pointer: "/limit" }] },
    });
    await expect(save({ limit: "-1" })).rejects.toMatchObject({ data: { errors: [{ pointer: "/limit" }] } });
    await save();
  });

  it("rejects an unknown agent, and one without a slot", async () => {
    await expect(run({ agent: "nobody" })).rejects.toMatchObject({ code: "NOT_FOUND", hint: /dip-buyer/ });
    const lapsed = { ...trader, plan: "pro" } as const;
    for (let n = 0; n < 5; n++)
      await service.save(trader, { ...DIP_BUYER, name: `n${n}`, symbols: ["AAPL"] });
    const call = { ports, principal: lapsed, transport: "test" };
    await expect(invoke(runCustomAgent, { agent: "n4" }, call)).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
      message: '"n4" exceeds the 5 agent slots of the plan',
    });
    expect(await invoke(runCustomAgent, { agent: "n3" }, call)).toMatchObject({ agent: "n3" });
  });
});

toolContract(runCustomAgent, { ports });
