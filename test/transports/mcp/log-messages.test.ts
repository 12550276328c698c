import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterEach, describe, expect, it } from "vitest";
import { dialler, info, oldSseClient } from "./clients.ts";
import { bearer, type Setup, setup, until } from "./fixture.ts";
import { piped } from "./piped.ts";

const { connect, connectOld, end } = dialler();
const ends: (() => Promise<unknown>)[] = [end];
afterEach(async () => {
  for (const each of ends.splice(1).reverse()) await each();
  await end();
});

const ALL = "/api/mcp?toolsets=all";
const say = { name: "say_text", arguments: { text: "hi" } };
const fail = { name: "fail_text", arguments: { text: "crash" } };
const wrong = { name: "fail_text", arguments: { text: "XYZ" } };

async function oldOverSse(made: Setup): Promise<OldClient> {
  const server = await made.listen();
  ends.push(server.stop);
  const client = await oldSseClient(server.url("/api/mcp/sse?toolsets=all"));
  ends.push(() => client.close());
  return client;
}

const OLD_CLIENTS: readonly [string, (made: Setup) => Promise<OldClient>][] = [
  ["streamable HTTP", (made) => connectOld(made, ALL)],
  ["HTTP+SSE", oldOverSse],
];

describe.each(OLD_CLIENTS)("a client of 2025-11-25 over %s", (_, dial) => {
  const listening = async () => {
    const client = await dial(setup());
    const messages: string[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params: { level, logger, data } }) => {
      messages.push(`${level} ${logger}: ${data}`);
    });
    return { client, messages };
  };

  it("gets no messages until it sets a level", async () => {
    const { client, messages } = await listening();
    expect(client.getServerCapabilities()?.logging).toEqual({});
    await client.callTool(say);
    expect(messages).toEqual([]);
  });

  it("gets one message per call, without details of unexpected errors", async () => {
    const { client, messages } = await listening();
    await client.setLoggingLevel("info");
    await client.callTool(say);
    await client.callTool(wrong);
    await client.callTool(fail);
    await client.readResource({ uri: "market-signal://tools" });
    expect(messages).toEqual([
      "info market-signal: say_text succeeded in 0 ms",
      'warning market-signal: fail_text failed: UNKNOWN_SYMBOL: No instrument "XYZ"',
      "error market-signal: fail_text failed: INTERNAL: The tool failed unexpectedly",
    ]);
  });

  it("gets only messages of the level it sets last", async () => {
    const { client, messages } = await listening();
    for (const level of ["debug", "error"] as const) await client.setLoggingLevel(level);
    await client.callTool(say);
    await client.callTool(wrong);
    await client.callTool(fail);
    expect(messages).toEqual([
      "error market-signal: fail_text failed: INTERNAL: The tool failed unexpectedly",
    ]);
  });
});

it("sends the steps of a call at the level debug", async () => {
  const made = setup();
  const client = await oldOverSse(made);
  const messages: unknown[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    messages.push(params.data);
  });
  await client.setLoggingLevel("debug");
  const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } });
  await until(() => messages.length === 2);
  made.slow.release();
  await call;
  expect(messages).toEqual(["slow_text started", "halfway", "done", "slow_text succeeded in 0 ms"]);
});

it.each(["legacy", "auto"] as const)("sends messages over stdio in %s mode", async (mode) => {
  const { transport, served } = piped();
  const client = new Client(info, { versionNegotiation: { mode } });
  const messages: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params.data));
  await client.connect(transport);
  await client.callTool(say);
  expect(messages).toEqual([]);
  if (mode === "legacy") {
    await client.setLoggingLevel("info");
    await client.callTool(say);
  } else await client.callTool({ ...say, _meta: { "io.modelcontextprotocol/logLevel": "info" } });
  expect(messages).toEqual(["say_text succeeded in 0 ms"]);
  await client.close();
  await served;
});

it("sends messages to a client of 2026-07-28 for each request that has a level", async () => {
  const client = await connect(setup(), { path: ALL });
  const messages: unknown[] = [];
  client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params));
  await client.callTool({ ...say, _meta: { "io.modelcontextprotocol/logLevel": "info" } });
  await client.callTool({ ...say, _meta: { "io.modelcontextprotocol/logLevel": "warning" } });
  await client.callTool(say);
  expect(messages).toEqual([{ level: "info", logger: "market-signal", data: "say_text succeeded in 0 ms" }]);
});

it("refuses a level of a client without a session id, and stores one per session", async () => {
  const made = setup();
  const server = await made.listen();
  ends.push(server.stop);
  const dial = async () => {
    const client = new Client(info, { versionNegotiation: { mode: "legacy" } });
    const messages: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void messages.push(params.data));
    await client.connect(new StreamableHTTPClientTransport(server.url(ALL), { requestInit: bearer("pro") }));
    ends.push(() => client.close());
    return { client, messages };
  };
  const [first, second] = [await dial(), await dial()];
  await first.client.setLoggingLevel("info");
  for (const { client } of [first, second]) await client.callTool(say);
  expect([first.messages, second.messages]).toEqual([["say_text succeeded in 0 ms"], []]);

  const response = await made.ask("/api/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "info" } }),
  });
  expect(await response.text()).toContain(
    '"code":-32600,"message":"logging/setLevel needs the Mcp-Session-Id',
  );
});
