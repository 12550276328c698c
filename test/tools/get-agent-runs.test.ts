import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { getAgentRuns } from "../../tools/get-agent-runs.ts";
import { agentMarket } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";
import { trader } from "../support/trades.ts";

const { ports, caller, service, scheduler, clock } = await agentMarket();
const runs = (input: object = {}, principal = trader) =>
  invoke(getAgentRuns, input, { ports, principal, transport: "test" });
const { agent_id } = await service.start(trader, {
  agent: "momentum",
  every: "1h",
  input: { symbols: ["AAPL"] },
});

describe("get_agent_runs", () => {
  it("returns the account's runs with their decisions, newest first", async () => {
    expect(await runs()).toMatchObject({ runs: [], hint: /start_agent/, market: "sample" });
    await scheduler.runDue();
    clock.pass(3_600_000);
    await scheduler.runDue();
    const { runs: all, hint } = await runs();
    expect(all.map(({ due_at }) => due_at)).toEqual(["2026-01-15T16:00:00.000Z", "2026-01-15T15:00:00.000Z"]);
    expect(all[0]).toMatchObject({
      agent_id,
      agent: "momentum",
      outcome: "done",
      reason: null,
      decisions: [
        { symbol: "AAPL", action: "buy", why: /^Grade A\+ is a buy; /, figures: { source: "fixture" } },
      ],
    });
    expect(hint).toBeNull();
    expect((await runs({ agent_id, limit: 1 })).runs).toHaveLength(1);
    expect((await runs({ agent: "edge_detection" })).runs).toEqual([]);
    const bob = await caller("bob");
    expect((await runs({}, bob)).runs).toEqual([]);
    await expect(runs({ agent_id }, bob)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("omits figures in a concise answer", async () => {
    const [run] = (await runs({ detail: "concise", limit: 1 })).runs;
    expect(run!.decisions).toEqual([
      {
        symbol: "AAPL",
        action: "buy",
        why: expect.any(String),
        order: null,
        refused: { code: "REFUSED", message: "Refused by max_quote_age_seconds" },
      },
    ]);
  });
});

toolContract(getAgentRuns, { ports });
