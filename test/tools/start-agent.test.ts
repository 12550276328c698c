import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { startAgent } from "../../tools/start-agent.ts";
import { agentMarket, DIP_BUYER } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, caller, service } = await agentMarket();
const ada = await caller("ada");
const start = (input: Parameters<typeof invoke>[1], principal = ada) =>
  invoke(startAgent, input, { ports, principal, transport: "test" });

describe("start_agent", () => {
  it("starts an agent on its schedule, by default as a dry run", async () => {
    const { agent, hint, market } = await start({
      agent: "momentum",
      symbols: ["AAPL"],
      every: "1d",
      budget_usd: "1000",
      risk_pct: "1",
    });
    expect(agent).toMatchObject({
      state: "running",
      every: "1d",
      runs_at: "utc_midnight",
      dry_run: true,
      budget: { left: "1000" },
      next_run: "2026-01-16T00:10:00.000Z",
      input: { symbols: ["AAPL"], budget_usd: "1000", risk_pct: "1" },
    });
    expect([hint, market]).toEqual([expect.stringContaining("get_agent_runs"), "sample"]);
  });

  it("rejects an interval below one minute before it checks anything else", async () => {
    await expect(start({ agent: "nobody", every: "59s" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
      data: { errors: [{ pointer: "/every", detail: "must be at least 1m, one minute" }] },
    });
  });

  it("starts a saved agent as it was saved", async () => {
    await service.save(ada, DIP_BUYER);
    expect((await start({ agent: "dip-buyer" })).agent).toMatchObject({
      agent: "dip-buyer",
      tool: "run_custom_agent",
      every: "1d",
      dry_run: true,
    });
  });
});

const contract = { account: "contract", plan: "enterprise", scopes: ["read", "write"] } as const;
await service.save(contract, DIP_BUYER);
toolContract(startAgent, { ports });
