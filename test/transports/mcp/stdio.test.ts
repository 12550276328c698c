import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, expect, it, vi } from "vitest";
import { serveMcpStdio } from "../../../src/transports/mcp/stdio.ts";
import { countingMeters } from "../../support/context.ts";
import { toolFixture, until } from "./fixture.ts";
import { owner, piped } from "./piped.ts";

const info = { name: "test", version: "1" };
afterEach(() => vi.restoreAllMocks());

const say = { name: "say_text", arguments: { text: "hi" } };
const initialize = (protocolVersion: string) => ({
  id: 0,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: info },
});
const _meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** Calls of the SDK's request handlers. */
const sdkRequests = () => vi.spyOn(Server.prototype as unknown as { buildContext(): object }, "buildContext");

it.each(["auto", "legacy"] as const)(
  "serves the owner in %s mode, and writes protocol messages only",
  async (mode) => {
    const { transport, served, lines } = piped();
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect((await client.listTools()).tools).toHaveLength(7);
    const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
    expect(result.structuredContent).toEqual({ text: "hi", account: "owner" });
    await client.close();
    await served;
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  },
);

it("serves the 1.32 client with the selected toolsets", async () => {
  const { transport, served } = piped({ toolsets: ["all"], readonly: true });
  const client = new OldClient(info);
  await client.connect(transport as never);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toContain("hidden_text");
  expect(names).not.toContain("save_text");
  const rich = await client.callTool({ name: "rich_text", arguments: { text: "hi" } });
  expect(rich.structuredContent).toEqual({ text: "hi", account: "owner" });
  await client.close();
  await served;
});

it("sends progress and stops a cancelled call", async () => {
  const { transport, served, slow } = piped();
  const client = new Client(info, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  const [steps, stop] = [[] as unknown[], new AbortController()];
  const call = client.callTool(
    { name: "slow_text", arguments: { text: "hi" } },
    { signal: stop.signal, onprogress: (step) => void steps.push(step) },
  );
  const refused = expect(call).rejects.toThrow();
  await until(() => steps.length === 1);
  stop.abort();
  await refused;
  await until(() => slow.state.aborted === 1);
  await client.close();
  await served;
});

it("ends when its input ends, and cancels running calls", async () => {
  const { transport, served, slow, stdin } = piped();
  const client = new Client(info);
  await client.connect(transport);
  const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } }).catch(() => "gone");
  await until(() => slow.state.started === 1);
  stdin.end();
  await served;
  await until(() => slow.state.aborted === 1);
  await client.close();
  expect(await call).toBe("gone");
});

it("rejects an unknown toolset at start", async () => {
  await expect(piped({ toolsets: ["signals"] }).served).rejects.toThrow('No toolset named "signals"');
});

it("rejects malformed params with a one-sentence error", async () => {
  const { transport, ask } = piped();
  await transport.start();
  expect((await ask({ id: 1, method: "initialize" })).error).toEqual({
    code: -32602,
    message: 'initialize requires "protocolVersion"',
  });
  expect((await ask({ id: 2, method: "prompts/get", params: {} })).error).toEqual({
    code: -32602,
    message: 'prompts/get requires "name"',
  });
});

it.each([
  ["2024-11-05", 'owner says hi\n{"text":"hi","account":"owner"}'],
  ["2025-11-25", "owner says hi\nand more"],
])("returns the text format for a client that negotiates %s", async (protocolVersion, text) => {
  const { transport, ask } = piped();
  await transport.start();
  const params = { protocolVersion, capabilities: {}, clientInfo: info };
  expect((await ask({ id: 1, method: "initialize", params })).result.protocolVersion).toBe(protocolVersion);
  const call = { name: "say_text", arguments: { text: "hi" } };
  const { result } = await ask({ id: 2, method: "tools/call", params: call });
  expect(result.content).toEqual([{ type: "text", text }]);
});

it("counts every line once, and refuses requests at the burst limit", async () => {
  const { meters, debits } = countingMeters({ burst: 8 });
  const { transport, ask, stdin, served, lines } = piped({}, toolFixture({ meters }));
  await transport.start();
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info };
  await ask({ id: 1, method: "initialize", params });
  await ask({ id: 2, method: "tools/call", params: say });
  await ask({ id: 3, method: "tools/call", params: { name: "no_such_tool" } });
  await ask({ id: 4, method: "no/such" });
  await ask("{");
  await ask("[7]");
  await ask(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":${"[".repeat(101)}${"]".repeat(101)}}}`);
  await ask({ id: 8, method: "resources/read", params: { uri: "quota://me" } });
  expect(debits).toEqual({ burst: 8, day: 1 });
  expect((await ask({ id: 9, method: "tools/call", params: say })).result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("RATE_LIMITED") }],
  });
  expect((await ask({ id: 10, method: "ping" })).error).toMatchObject({
    code: -32600,
    data: { code: "RATE_LIMITED" },
  });
  const answered = lines.length;
  stdin.end(
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 9 } })}\n`,
  );
  await served;
  expect([debits.burst, lines.length]).toEqual([8, answered]);
});

it("rejects a message over one mebibyte and continues", async () => {
  const { transport, ask, served, stdin } = piped();
  await transport.start();
  const call = (bytes: number) => {
    const params = { name: "say_text", arguments: { text: "" } };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    return message.replace('"text":"', `"text":"${"x".repeat(bytes - message.length)}`);
  };
  expect(await ask(call(2 ** 20 + 1))).toEqual({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32600, message: "A message may have at most 1048576 bytes" },
  });
  expect((await ask(call(2 ** 20))).result.structuredContent.text).toMatch(/^x{1048400,}$/);
  expect(await ask({ id: 3, method: "ping" })).toEqual({ jsonrpc: "2.0", id: 3, result: {} });
  stdin.end();
  await served;
});

it("ends if its input breaks or closes", async () => {
  const { stdin, served } = piped();
  stdin.destroy(new Error("EIO"));
  await served;
  const gone = new PassThrough();
  gone.destroy();
  await serveMcpStdio({
    ...toolFixture(),
    version: "9.9.9",
    principal: owner,
    stdin: gone,
    stdout: new PassThrough(),
  });
});

it("returns an error for each invalid message, and continues", async () => {
  const { stdin, lines, transport, served } = piped();
  await transport.start();
  for (const line of [
    "{bad",
    "{}",
    "[]",
    '{"jsonrpc":"2.0","id":7}',
    "",
    '{"jsonrpc":"2.0","id":8,"method":"ping"}',
  ])
    stdin.write(`${line}\n`);
  await until(() => lines.length === 5);
  const answers = lines.map((line) => JSON.parse(line));
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32600],
    [null, -32600],
    [7, -32600],
    [8, undefined],
  ]);
  stdin.end();
  await served;
});

it("answers plain requests of an initialized connection like the SDK, without it", async () => {
  const handled = sdkRequests();
  const { transport, ask } = piped();
  await transport.start();
  await ask(initialize("2025-06-18"));
  for (const [method, params] of [
    ["tools/call", say],
    ["tools/call", { ...say, arguments: {} }],
    ["tools/list", {}],
  ] as const) {
    handled.mockClear();
    const direct = await ask({ id: 1, method, params });
    expect(handled).not.toHaveBeenCalled();
    expect(await ask({ id: 1, method, params: { ...params, _meta: { progressToken: 1 } } })).toEqual(direct);
    expect(handled).toHaveBeenCalledOnce();
  }
});

it("answers plain requests of revision 2026-07-28 like the SDK, without it after the first", async () => {
  const handled = sdkRequests();
  const { transport, ask } = piped();
  await transport.start();
  const call = { id: 1, method: "tools/call", params: { ...say, _meta } };
  await ask({ id: 0, method: "server/discover", params: { _meta } });
  const first = await ask(call);
  expect(handled).toHaveBeenCalledTimes(2);
  expect(first.result.resultType).toBe("complete");
  expect(await ask(call)).toEqual(first);
  expect(handled).toHaveBeenCalledTimes(2);
  expect((await ask({ ...call, params: say })).error.code).toBe(-32602);
});

it("does not use the envelope of revision 2026-07-28 on an initialized connection", async () => {
  const { transport, ask } = piped();
  await transport.start();
  await ask(initialize("2025-11-25"));
  const { result } = await ask({ id: 1, method: "tools/call", params: { ...say, _meta } });
  expect(result).toMatchObject({ structuredContent: { text: "hi" } });
  expect(result.resultType).toBeUndefined();
});

it("does not respond to a cancelled plain call", async () => {
  const { transport, ask, lines, stdin, slow } = piped();
  await transport.start();
  await ask(initialize("2025-11-25"));
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({ id: "slow", method: "tools/call", params: { name: "slow_text", arguments: { text: "hi" } } });
  await until(() => slow.state.started === 1);
  send({ method: "notifications/cancelled", params: { requestId: "slow" } });
  await until(() => slow.state.aborted === 1);
  await ask({ id: 2, method: "tools/call", params: say });
  expect(lines.map((line) => JSON.parse(line).id)).toEqual([0, 2]);
});

it("does not respond to a plain call that runs when the input ends", async () => {
  const { transport, ask, lines, stdin, slow, served } = piped();
  await transport.start();
  await ask(initialize("2025-11-25"));
  const params = { name: "slow_text", arguments: { text: "hi" } };
  stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
  await served;
  await until(() => slow.state.aborted === 1);
  expect(lines).toHaveLength(1);
});

it("answers again in the revision of a second initialize", async () => {
  const { transport, ask } = piped();
  await transport.start();
  const texts: string[] = [];
  for (const revision of ["2024-11-05", "2025-11-25"]) {
    await ask(initialize(revision));
    texts.push((await ask({ id: 1, method: "tools/call", params: say })).result.content[0].text);
  }
  expect(texts).toEqual(['owner says hi\n{"text":"hi","account":"owner"}', "owner says hi\nand more"]);
});

it.each([null, 2 ** 53, 1.5, true, {}])("refuses a request with the id %j", async (id) => {
  const { ask, served, stdin, transport } = piped();
  await transport.start();
  await ask(initialize("2025-11-25"));
  expect(await ask({ id, method: "tools/list" })).toMatchObject({ id: null, error: { code: -32600 } });
  stdin.end();
  await served;
});

it("refuses a name that occurs twice, also in calls that the SDK serves", async () => {
  const handled = sdkRequests();
  const { transport, ask } = piped();
  await transport.start();
  await ask(initialize("2025-11-25"));
  handled.mockClear();
  const call = (params: string) => ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}}}`);
  for (const meta of ["", '"_meta":{"progressToken":1},'])
    for (const params of [
      `${meta}"name":"say_text","arguments":{"text":"a","text":"b"}`,
      `${meta}"name":"rich_text","name":"say_text","arguments":{"text":"a"}`,
    ]) {
      const { result } = await call(params);
      expect([result.isError, result.content[0].text]).toEqual([
        true,
        expect.stringMatching(/is given twice/),
      ]);
    }
  expect(handled).toHaveBeenCalledTimes(2);
});
