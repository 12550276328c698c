import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { deleteAgent } from "../../tools/delete-agent.ts";
import { agentMarket, DIP_BUYER } from "../support/agents.ts";
import { toolContract } from "../support/tool-contract.ts";
import { trader } from "../support/trades.ts";

const { ports, caller, service } = await agentMarket();
const ada = await caller("ada");
const remove = (name: string, principal = ada) =>
  invoke(deleteAgent, { name }, { ports, principal, transport: "test" });
await service.save(trader, DIP_BUYER);

describe("delete_agent", () => {
  it("deletes a stopped agent of the account and frees its slot", async () => {
    await expect(remove("dip-buyer")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await service.save(ada, DIP_BUYER);
    await service.start(ada, { agent: "dip-buyer", input: {} });
    await expect(remove("dip-buyer")).rejects.toMatchObject({ code: "CONFLICT", hint: /stop_agent/ });
    await service.stop(ada, { agent: "dip-buyer" });
    expect(await remove("dip-buyer")).toMatchObject({ name: "dip-buyer", slots: { used: 0, left: 5 } });
    expect((await service.saved(trader)).agents).toHaveLength(1);
  });
});

toolContract(deleteAgent, { ports });
