import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { stopAgent } from "../../tools/stop-agent.ts";
import { agentMarket } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";
import { trader } from "../support/trades.ts";

const { ports, caller, service } = await agentMarket();
const ada = await caller("ada");
const request = { agent: "momentum", every: "1h", input: { symbols: ["AAPL"] } };
const stop = (input: Parameters<typeof invoke>[1], principal = ada) =>
  invoke(stopAgent, input, { ports, principal, transport: "test" });
await service.start(trader, request);

describe("stop_agent", () => {
  it("stops an agent by name or id, even after the plan has lapsed", async () => {
    const { agent_id } = await service.start(ada, request);
    const lapsed = { ...ada, plan: "member" } as const;
    expect((await stop({ agent: "momentum" }, lapsed)).agent).toMatchObject({ agent_id, state: "stopped" });
    const again = await service.start(ada, request);
    expect((await stop({ agent_id: again.agent_id })).agent).toMatchObject({ state: "stopped" });
  });

  it("requires either name or id of a running agent of the account", async () => {
    const code = (input: object) =>
      stop(input).then(
        () => null,
        (error) => error.code,
      );
    expect(await code({})).toBe("INVALID_INPUT");
    expect(await code({ agent: "momentum", agent_id: `ag_${"0".repeat(20)}` })).toBe("INVALID_INPUT");
    expect(await code({ agent: "momentum" })).toBe("CONFLICT");
    expect(await code({ agent: "edge_detection" })).toBe("NOT_FOUND");
    const [others] = await service.instances(trader);
    expect(await code({ agent_id: others!.agent_id })).toBe("NOT_FOUND");
  });
});

toolContract(stopAgent, { ports });
