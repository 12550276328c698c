import { describe, expect, it } from "vitest";
import { invoke } from "../../src/kernel/invoke.ts";
import { connectBroker } from "../../tools/connect-broker.ts";
import { listConnections } from "../../tools/list-connections.ts";
import { brokerMarket } from "../support/brokers.ts";
import { pro } from "../support/context.ts";
import { toolContract } from "../support/tool-contract.ts";

const { ports, clock } = await brokerMarket();
const call = (account: string) => ({ ports, principal: { ...pro, account }, transport: "test" });

describe("list_connections", () => {
  it("lists the built-in paper account without any other, and states how to connect one", async () => {
    expect(await invoke(listConnections, {}, call("ada"))).toEqual({
      ok: true,
      success: true,
      connections: [expect.objectContaining({ broker: "paper", connected_at: null })],
      count: 1,
      hint: expect.stringContaining("connect_broker"),
      market: "sample",
      label: "SAMPLE (simulated)",
    });
  });

  it("lists only the account's connections, newest first, without credentials", async () => {
    const connected = [];
    for (const api_key of ["canary-1", "canary-2"]) {
      const asked = { broker: "paper", credentials: { api_key, api_secret: "canary-secret" } };
      connected.unshift((await invoke(connectBroker, asked, call("ada"))).connection);
      clock.pass(1_000);
    }
    const told = await invoke(listConnections, {}, call("ada"));
    expect(told).toMatchObject({ connections: connected, count: 2, hint: null });
    expect(JSON.stringify(told)).not.toContain("canary");
    expect((await invoke(listConnections, {}, call("bob"))).connections).toMatchObject([
      { connected_at: null },
    ]);
  });
});

toolContract(listConnections, { ports });
