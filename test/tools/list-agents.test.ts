import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { listAgents } from "../../tools/list-agents.ts";
import { agentMarket, DIP_BUYER } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, caller, service } = await agentMarket();
const ada = await caller("ada");
const list = (input: object = {}, principal = ada) =>
  invoke(listAgents, input, { ports, principal, transport: "test" });
const request = { agent: "momentum", every: "1h", input: { symbols: ["AAPL"] } };

describe("list_agents", () => {
  it("lists templates and slots, and only the account's own saved and started agents", async () => {
    expect(await list()).toMatchObject({
      saved: [],
      agents: [],
      slots: { limit: 5, used: 0, left: 5 },
      hint: /start_agent/,
      market: "sample",
      templates: [
        { name: "edge_detection", tool: "run_edge_agent" },
        { name: "momentum", tool: "run_momentum_agent" },
        { name: "prediction_news", tool: "run_prediction_news_agent" },
      ],
    });
    await service.save(ada, DIP_BUYER);
    await service.start(ada, request);
    await service.stop(ada, { agent: "momentum" });
    await service.start(ada, request);
    const { saved, agents, slots, hint } = await list();
    expect(saved).toMatchObject([{ name: "dip-buyer", in_slot: true, definition: DIP_BUYER }]);
    expect(agents.map(({ state }) => state)).toEqual(["running", "stopped"]);
    expect([slots, hint]).toEqual([{ limit: 5, used: 1, left: 4 }, null]);
    expect((await list({ state: "running" })).agents).toHaveLength(1);
    expect(await list({}, await caller("bob"))).toMatchObject({ saved: [], agents: [] });
  });
});

toolContract(listAgents, { ports });
