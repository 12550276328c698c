import { describe, expect, it } from "vitest";
import { runCustomAgent } from "../../agents/run-custom-agent.ts";
import { invoke } from "../../src/kernel/invoke.ts";
import { runBacktest } from "../../tools/run-backtest.ts";
import { saveAgent } from "../../tools/save-agent.ts";
import { startAgent } from "../../tools/start-agent.ts";
import { agentMarket, DIP_BUYER } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, caller } = await agentMarket();
const ada = await caller("ada");
const save = (input: object, principal = ada) =>
  invoke(saveAgent, input, { ports, principal, transport: "test" });

describe("save_agent", () => {
  it("saves an agent, replaces it by name, and returns the backtest of the same rules", async () => {
    const { created, slots, backtest } = await save({ ...DIP_BUYER, stop: "2 atr" });
    expect([created, slots]).toEqual([true, { limit: 5, used: 1, left: 4 }]);
    expect(backtest).toEqual({
      symbols: ["AAPL"],
      strategy: "rules",
      timeframe: "1d",
      sizing: "units",
      size: 2,
      rules: { entry: { all: ["close > 50"] }, exit: { any: ["close < 50"] }, stop: "2 atr" },
    });
    const run = await invoke(
      runBacktest,
      { ...backtest, picture: false },
      { ports, principal: ada, transport: "test" },
    );
    expect(run).toMatchObject({ strategy: "rules", rules: backtest.rules });
    expect(await save({ ...DIP_BUYER, every: "90m" })).toMatchObject({
      created: false,
      slots: { used: 1 },
      agent: { definition: { every: "90m" } },
    });
  });

  it("points to an invalid field, and names the plan with more slots", async () => {
    const { name: _, ...nameless } = DIP_BUYER;
    await expect(save(nameless)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    await expect(save({ ...DIP_BUYER, every: "5s" })).rejects.toMatchObject({
      data: { errors: [{ pointer: "/every", detail: "must be at least 1m, one minute" }] },
    });
    await expect(save({ ...DIP_BUYER, exit: { any: ["close <"] } })).rejects.toMatchObject({
      data: { errors: [{ pointer: "/exit/any/0", detail: expect.stringContaining("At character 8") }] },
    });
    const cid = await caller("cid", "individual");
    for (const name of ["a", "b", "c"])
      expect((await save({ ...DIP_BUYER, name }, cid)).hint).toContain("start_agent runs it on a schedule");
    expect([runCustomAgent.plan, startAgent.plan]).toEqual(["individual", "individual"]);
    await expect(save({ ...DIP_BUYER, name: "d" }, cid)).rejects.toMatchObject({
      code: "PLAN_REQUIRED",
      data: { required_plan: "pro", slots: 3 },
    });
  });
});

toolContract(saveAgent, { ports });
