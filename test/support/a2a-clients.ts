import { randomUUID } from "node:crypto";
import { type Part, Role, SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";

/** Protocol versions and bindings over which another agent can call this server. */
export const A2A_BINDINGS = ["A2A 1.0 JSON-RPC", "A2A 1.0 HTTP+JSON", "A2A 0.3 JSON-RPC"] as const;
export type A2aBinding = (typeof A2A_BINDINGS)[number];

/** The official client, created from the server's URL and a key alone. */
export async function a2aClient(url: string, key: string, way: A2aBinding): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${key}`);
    return fetch(input, { ...init, headers });
  };
  const legacyCompat = { enabled: way === "A2A 0.3 JSON-RPC" };
  const cardResolver = new DefaultAgentCardResolver({ fetchImpl, legacyCompat });
  const factory = new ClientFactory({
    transports: [
      way === "A2A 1.0 HTTP+JSON"
        ? new RestTransportFactory({ fetchImpl })
        : new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
    ],
    cardResolver,
  });
  if (!legacyCompat.enabled) return factory.createFromUrl(url);
  // a client of 2025 knows only the interface of the card itself
  const { supportedInterfaces: _, ...card } = (await (
    await fetch(`${url}/a2a/v0.3/.well-known/agent-card.json`)
  ).json()) as Record<string, unknown>;
  return factory.createFromAgentCard(cardResolver.normalizeAgentCard(card));
}

/** A message with one part to be sent, the part as JSON of protocol 1.0. */
export const messageOf = (...parts: readonly object[]): SendMessageRequest =>
  SendMessageRequest.fromJSON({ message: { messageId: randomUUID(), role: "ROLE_USER", parts } });

/** Sends one data part and waits for the resulting task. */
export async function callSkill(client: Client, skill: string, input: object): Promise<Task> {
  const result = await client.sendMessage(messageOf({ data: { skill, input } }));
  if (!("status" in result)) throw new Error("The answer is no task");
  return result;
}

/** The value of the only data part. */
export function dataIn(parts: readonly Part[] | undefined): Record<string, unknown> {
  const values = (parts ?? []).flatMap(({ content }) => (content?.$case === "data" ? [content.value] : []));
  if (values.length !== 1) throw new Error(`${values.length} data parts`);
  return values[0] as Record<string, unknown>;
}

/** The text of the first text part. */
export const textIn = (parts: readonly Part[] | undefined): string =>
  (parts ?? []).flatMap(({ content }) => (content?.$case === "text" ? [content.value] : []))[0] ?? "";

export { Role, TaskState };
