import { randomUUID } from "node:crypto";
import { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from "@a2a-js/sdk/client";
import type { MessageSendParams, Part, Task } from "@a2a-js/sdk-v03";
import {
  type Client as Client03,
  ClientFactory as ClientFactory03,
  DefaultAgentCardResolver as DefaultAgentCardResolver03,
  JsonRpcTransportFactory as JsonRpcTransportFactory03,
} from "@a2a-js/sdk-v03/client";
import { beforeAll, describe, expect, it } from "vitest";
import { callSkill, dataIn, TaskState } from "../../support/a2a-clients.ts";
import { useInstallation } from "../../support/installation.ts";
import { A2A_TOOLS, type Speaker, speaker } from "./fixture.ts";

const installation = useInstallation("sample", {}, { tools: A2A_TOOLS });
let caller: Speaker;
beforeAll(async () => {
  caller = await speaker(installation);
});

const fetchAs =
  (key: string): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };

describe("the official client of 2025, which knows protocol 0.3 alone", () => {
  let client: Client03;
  beforeAll(async () => {
    const fetchImpl = fetchAs(caller.key);
    client = await new ClientFactory03({
      transports: [new JsonRpcTransportFactory03({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver03({ fetchImpl }),
    }).createFromUrl(`${installation.url}/a2a/v0.3/`);
  });

  const params = (part: Part, over: object = {}): MessageSendParams => ({
    message: { kind: "message", messageId: randomUUID(), role: "user", parts: [part], ...over },
  });
  const skill = (name: string, input: object): Part => ({ kind: "data", data: { skill: name, input } });

  it("connects by the URL of protocol 0.3 alone, reads the card and calls a skill", async () => {
    const task = (await client.sendMessage(params(skill("get_quote", { symbol: "AAPL" })))) as Task;
    expect(task.status.state).toBe("completed");
    expect(task.artifacts?.[0]?.parts[1]).toMatchObject({ kind: "data", data: { ok: true, symbol: "AAPL" } });
  });

  it("gets the extended card, because the card declares it", async () => {
    const card = await client.getAgentCard();
    expect(card.protocolVersion).toMatch(/^0\.3/);
    expect(card.skills.find(({ id }) => id === "get_quote")?.description).toBe(
      installation.app.registry.tools.find(({ name }) => name === "get_quote")?.description,
    );
    expect(card.securitySchemes).toMatchObject({ bearer: { type: "http", scheme: "Bearer" } });
  });

  it("streams, and ends at the question of a task", async () => {
    const states: string[] = [];
    for await (const event of client.sendMessageStream(params(skill("get_quote", { symbol: "APPL" }))))
      if (event.kind === "status-update") states.push(`${event.status.state} ${event.final}`);
    expect(states).toEqual(["input-required true"]);
  });

  it("replies to a question, and gets an error for an unknown task", async () => {
    const asked = (await client.sendMessage(params(skill("get_quote", { symbol: "APPL" })))) as Task;
    expect(asked.status.state).toBe("input-required");
    const done = (await client.sendMessage(
      params({ kind: "text", text: "AAPL" }, { taskId: asked.id, contextId: asked.contextId }),
    )) as Task;
    expect([done.id, done.status.state]).toEqual([asked.id, "completed"]);
    await expect(client.getTask({ id: randomUUID() })).rejects.toThrow(/Task not found/);
    await expect(client.cancelTask({ id: randomUUID() })).rejects.toThrow(/Task not found/);
  });
});

describe("the official client of 2026, with the card of protocol 0.3", () => {
  const combined = async () =>
    (await (await fetch(`${installation.url}/a2a/v0.3/.well-known/agent-card.json`)).json()) as Record<
      string,
      unknown
    >;

  it.each([false, true])("calls a skill, with the support of 0.3 switched %j", async (enabled) => {
    const fetchImpl = fetchAs(caller.key);
    const legacyCompat = { enabled };
    const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
    const transports = [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })];
    const client = await new ClientFactory({ transports, cardResolver }).createFromAgentCard(
      cardResolver.normalizeAgentCard(await combined()),
    );
    const task = await callSkill(client, "get_quote", { symbol: "AAPL" });
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(dataIn(task.artifacts[0]?.parts)).toMatchObject({ symbol: "AAPL" });
  });

  it("parses the same fields of 1.0 as from the card of 1.0", async () => {
    const current = await fetch(`${installation.url}/.well-known/agent-card.json`, {
      headers: { "a2a-version": "1.0" },
    });
    const { signatures: own, ...parsed } = AgentCard.fromJSON(await current.json());
    const { signatures, ...both } = AgentCard.fromJSON(await combined());
    expect(both).toEqual(parsed);
    expect(signatures[0]).toEqual(own[0]);
  });
});
