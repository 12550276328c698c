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

describe("get_agent_runs from and to", () => {
  it("returns the runs due in a range and each once over all pages", async () => {
    const dueOf = (answer: Awaited<ReturnType<typeof runs>>) => answer.runs.map(({ due_at }) => due_at);
    const first = await runs({ limit: 1 });
    const second = await runs({ limit: 1, cursor: first.next_cursor });
    expect([...dueOf(first), ...dueOf(second)]).toEqual(dueOf(await runs({ limit: 2 })));
    expect(dueOf(await runs({ from: "2026-01-15T15:30:00Z", to: "2026-01-15T16:00:00Z" }))).toEqual([
      "2026-01-15T16:00:00.000Z",
    ]);
    expect(dueOf(await runs({ to: "2026-01-15T15:30:00Z", limit: 10 }))).toEqual([
      "2026-01-15T15:00:00.000Z",
    ]);
    expect(dueOf(await runs({ to: "2026-01-14" }))).toEqual([]);
  });
});

toolContract(getAgentRuns, { ports });
