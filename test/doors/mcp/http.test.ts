import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { countingMeters, pro, stoppedClock } from "../../support/context.ts";
import { bearer, type Stand, stand, until } from "./stand.ts";

type AnyClient = Pick<Client, "close" | "callTool" | "listTools"> | OldClient;
const open: AnyClient[] = [];
const servers: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await Promise.all(open.splice(0).map((client) => client.close()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

const info = { name: "test", version: "1" };

async function connect(
  made: Stand,
  { mode = "auto" as "auto" | "legacy", key = "pro", path = "/api/mcp" } = {},
) {
  const server = await made.listen();
  servers.push(server);
  const client = new Client(info, { versionNegotiation: { mode } });
  open.push(client);
  await client.connect(new StreamableHTTPClientTransport(server.url(path), { requestInit: bearer(key) }));
  return { client, server };
}

async function connectOld(made: Stand, { key = "pro", path = "/api/mcp" } = {}) {
  const server = await made.listen();
  servers.push(server);
  const client = new OldClient(info);
  open.push(client);
  await client.connect(new OldTransport(server.url(path), { requestInit: bearer(key) }) as never);
  return { client, server };
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": info,
};

const rpc = (method: string, params: object = {}, id = 1) => ({
  method: "POST",
  headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
});

describe.each(["auto", "legacy"] as const)("the 2.4 client in %s mode", (mode) => {
  it("negotiates, lists the default shelf and calls", async () => {
    const { client } = await connect(stand(), { mode });
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === "auto" ? "2026-07-28" : "2025-11-25");
    expect(client.getServerVersion()).toMatchObject({
      name: "market-signal",
      title: "Market Signal",
      version: "9.9.9",
    });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "say_text",
      "priced_text",
      "fail_text",
      "save_text",
      "slow_text",
    ]);
    const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
    expect(result.structuredContent).toEqual({ text: "hi", account: "pro" });
    expect(result.content).toEqual([{ type: "text", text: 'pro says hi\n{"text":"hi","account":"pro"}' }]);
  });

  it("labels answers over a made-up market, and no others", async () => {
    const { client } = await connect(stand(), { mode });
    const priced = await client.callTool({ name: "priced_text", arguments: { text: "hi" } });
    expect(priced.content).toEqual([{ type: "text", text: 'SAMPLE (simulated) | hi\n{"text":"hi"}' }]);
    expect(client.getInstructions()).toContain("made-up prices");
  });

  it("turns our failures into results and shows nothing of others", async () => {
    const { client } = await connect(stand(), { mode });
    const known = await client.callTool({ name: "fail_text", arguments: { text: "APPL" } });
    expect(known).toMatchObject({ isError: true });
    expect(known.structuredContent).toBeUndefined();
    expect(known.content).toEqual([
      {
        type: "text",
        text: [
          'UNKNOWN_SYMBOL: No instrument "APPL"',
          "Did you mean AAPL?",
          '{"symbol":"APPL","candidates":["AAPL"]}',
          "Next: Use one of the candidates, or ask the user which instrument is meant.",
        ].join("\n"),
      },
    ]);
    const unknown = await client.callTool({ name: "fail_text", arguments: { text: "crash" } });
    expect(JSON.stringify(unknown)).toContain("INTERNAL: The tool failed unexpectedly");
    expect(JSON.stringify(unknown)).not.toContain("postgres");
  });

  it("lets invoke judge the arguments", async () => {
    const { client } = await connect(stand(), { mode });
    const wrong = await client.callTool({ name: "say_text", arguments: { text: 1, more: true } });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("INVALID_INPUT") }],
    });
    expect(JSON.stringify(wrong)).toContain("/text");
  });

  it("names an unknown tool as a protocol error", async () => {
    const { client } = await connect(stand(), { mode });
    await expect(client.callTool({ name: "no_such" })).rejects.toMatchObject({ code: -32602 });
  });

  it("tells progress when asked to", async () => {
    const made = stand();
    const { client } = await connect(made, { mode });
    const steps: unknown[] = [];
    const call = client.callTool(
      { name: "slow_text", arguments: { text: "hi" } },
      { onprogress: (step) => void steps.push(step) },
    );
    await until(() => steps.length === 1);
    made.slow.release();
    expect((await call).structuredContent).toEqual({ text: "hi", account: "pro" });
    expect(steps).toEqual([
      { progress: 1, total: 2, message: "halfway" },
      { progress: 2, total: 2, message: "done" },
    ]);
  });

  it.each(["slow", "wait"] as const)("cancels a %s call of a client that goes away", async (which) => {
    const made = stand();
    const { client } = await connect(made, { mode, path: "/api/mcp?toolsets=all" });
    const call = client.callTool({ name: `${which}_text`, arguments: { text: "hi" } });
    const gone = expect(call).rejects.toThrow();
    await until(() => made[which].state.started === 1);
    await client.close();
    await gone;
    await until(() => made[which].state.aborted === 1);
  });

  it("gives fifty parallel calls fifty answers", async () => {
    const { client } = await connect(stand(), { mode });
    const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`);
    const results = await Promise.all(
      texts.map((text) => client.callTool({ name: "say_text", arguments: { text } })),
    );
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      texts.map((text) => ({ text, account: "pro" })),
    );
  });

  it("reads resources, fills prompts and completes their arguments", async () => {
    const aapl = {
      symbol: "AAPL",
      name: "Apple",
      asset_class: "equity",
      sector: null,
      currency: "USD",
    } as const;
    const symbols = {
      resolve: () => ({ instrument: aapl, alternatives: [] }),
      search: () => [aapl],
      members: () => [],
    };
    const { client } = await connect(stand({}, { symbols }), { mode });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["market-signal://tools", "quota://me"]);
    const { contents } = await client.readResource({ uri: "quota://me" });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({
      plan: "pro",
      windows: [
        { name: "burst", remaining: 60 },
        { name: "daily", remaining: 1000 },
      ],
    });
    await expect(client.readResource({ uri: "quota://you" })).rejects.toMatchObject({ code: -32602 });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["market-signal://tools/{name}"]);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["analyse_symbol", "compare_symbols", "plan_trade"]);
    const { messages } = await client.getPrompt({ name: "analyse_symbol", arguments: { symbol: "AAPL" } });
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining("Analyse AAPL on 1d bars") });
    await expect(client.getPrompt({ name: "analyse_symbol" })).rejects.toMatchObject({ code: -32602 });
    const ref = { type: "ref/prompt", name: "analyse_symbol" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "symbol", value: "app" } });
    expect(completion).toEqual({ values: ["AAPL"], total: 1, hasMore: false });
  });
});

it("serves the 1.32 client, ping and log level included", async () => {
  const { client } = await connectOld(stand(), { path: "/api/mcp/" });
  expect((await client.listTools()).tools).toHaveLength(5);
  const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
  expect(result.structuredContent).toEqual({ text: "hi", account: "pro" });
  expect(await client.ping()).toEqual({});
  expect(await client.setLoggingLevel("warning")).toEqual({});
});

it("lists privately cacheable, each tool with its hints", async () => {
  const { client } = await connect(stand());
  const list = await client.listTools();
  expect(list).toMatchObject({ ttlMs: 60_000, cacheScope: "private" });
  const hints = Object.fromEntries(list.tools.map(({ name, annotations }) => [name, annotations]));
  expect(hints.say_text).toEqual({
    title: "Say a text",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  });
  expect(hints.save_text).toMatchObject({ readOnlyHint: false, destructiveHint: false });
});

describe("shelves", () => {
  const names = async (path: string) => {
    const { client } = await connect(stand(), { path });
    return { client, names: (await client.listTools()).tools.map(({ name }) => name) };
  };

  it("shows the toolsets asked for", async () => {
    expect((await names("/api/mcp?toolsets=signal,flow")).names).toEqual(["fail_text", "rich_text"]);
    expect((await names("/api/mcp?toolsets=all")).names).toHaveLength(8);
  });

  it("refuses to call what is on another shelf", async () => {
    const { client } = await names("/api/mcp?toolsets=signal");
    await expect(client.callTool({ name: "say_text", arguments: { text: "hi" } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("lets read-only beat everything", async () => {
    const { client, names: shown } = await names("/api/mcp?toolsets=all&readonly=1");
    expect(shown).not.toContain("save_text");
    await expect(client.callTool({ name: "save_text", arguments: { text: "hi" } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("says which toolsets exist when an unknown one is asked for", async () => {
    const response = await stand().ask("/api/mcp?toolsets=signals", rpc("tools/list"));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "INVALID_INPUT",
      title: 'No toolset named "signals"',
    });
  });

  it("answers the call of a tool that is not connected", async () => {
    const { client } = await connect(stand());
    const result = await client.callTool({ name: "engine_text", arguments: { text: "hi" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("NOT_CONNECTED") }],
    });
  });

  it("answers the call of a tool above the plan", async () => {
    const { client } = await connect(stand(), { path: "/api/mcp?toolsets=flow" });
    const result = await client.callTool({ name: "rich_text", arguments: { text: "hi" } });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^PLAN_REQUIRED: .*"enterprise"/) }],
    });
  });
});

describe("who may come in", () => {
  it.each(["POST", "GET", "DELETE"])(
    "asks a %s without a key for one before anything else",
    async (method) => {
      for (const path of ["/api/mcp", "/api/mcp/", "/api/mcp/sse", "/api/mcp/sse/messages"]) {
        const response = await stand().ask(path, { method, key: "" });
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toBe("Bearer");
      }
    },
  );

  it("names the plan a lower one lacks", async () => {
    const response = await stand().ask("/api/mcp", { ...rpc("tools/list"), key: "member" });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "PLAN_REQUIRED", required_plan: "pro" });
  });

  it.each(["GET", "DELETE", "PUT"])("tells a known %s that only POST is answered", async (method) => {
    const response = await stand().ask("/api/mcp", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });

  it("bills each call to the account of its own key", async () => {
    const made = stand();
    const [first, second] = [await connect(made), await connect(made, { key: "other" })];
    const who = async ({ client }: typeof first) =>
      (await client.callTool({ name: "say_text", arguments: { text: "hi" } })).structuredContent;
    expect(await Promise.all([who(first), who(second), who(first)])).toEqual([
      { text: "hi", account: "pro" },
      { text: "hi", account: "other" },
      { text: "hi", account: "pro" },
    ]);
  });
});

describe("bodies", () => {
  it("refuses more than a mebibyte", async () => {
    const big = { name: "say_text", arguments: { text: "x".repeat(1 << 20) } };
    const response = await stand().ask("/api/mcp", rpc("tools/call", big));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "BODY_TOO_LARGE" });
  });

  it("answers broken JSON in the protocol's own words", async () => {
    const response = await stand().ask("/api/mcp", { ...rpc("tools/list"), body: "{" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
  });

  it("takes JSON only", async () => {
    const response = await stand().ask("/api/mcp", { method: "POST", body: "hello" });
    expect(response.status).toBe(415);
  });

  it("answers a slow tool as a stream that no proxy buffers", async () => {
    const made = stand();
    const answer = made.ask("/api/mcp", {
      ...rpc("tools/call", {
        name: "slow_text",
        arguments: { text: "hi" },
        _meta: envelope,
      }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "slow_text",
      },
    });
    const response = await answer;
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    await until(() => made.slow.state.started === 1);
    made.slow.release();
    expect(await response.text()).toContain('"structuredContent":{"text":"hi","account":"pro"}');
  });
});

it("passes the request id on to the log line of the call", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = { info: (_: string, fields = {}) => void lines.push(fields), warn() {}, error() {} };
  const made = stand({}, { log, clock: stoppedClock() });
  const call = { name: "say_text", arguments: { text: "hi" } };
  await (await made.ask("/api/mcp", rpc("tools/call", call))).text();
  expect(lines).toEqual([
    expect.objectContaining({
      tool: "say_text",
      door: "mcp",
      account: pro.account,
      request_id: "00000000-0000-4000-8000-000000000001",
    }),
  ]);
});

it.each([
  ["2025-11-25", {}, {}],
  [
    "2026-07-28",
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "say_text" },
    envelope,
  ],
])("forgets every one of three hundred %s calls", async (_, headers, _meta) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const connected = vi.spyOn(Server.prototype, "connect");
  const { meters } = countingMeters({ burst: 300 });
  const made = stand({}, { meters });
  const call = rpc("tools/call", { name: "say_text", arguments: { text: "hi" }, _meta });
  for (let i = 0; i < 300; i++) {
    const response = await made.ask("/api/mcp", { ...call, headers: { ...call.headers, ...headers } });
    expect(await response.text()).toContain('"account":"pro"');
  }
  const servers = connected.mock.contexts as Server[];
  expect(servers).toHaveLength(300);
  expect(servers.filter(({ transport }) => transport !== undefined)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("closes: running calls are cancelled, new ones are turned away", async () => {
  const made = stand();
  const { client } = await connect(made, { mode: "legacy" });
  const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } });
  await until(() => made.slow.state.started === 1);
  await made.mcp.close();
  expect(await call).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("CANCELLED") }],
  });
  expect((await made.ask("/api/mcp", rpc("tools/list"))).status).toBe(503);
});
