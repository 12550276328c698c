import { once } from "node:events";
import { connect as dial } from "node:net";
import { Server } from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { afterEach, describe, expect, it, vi } from "vitest";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { createMcpHttpTransport } from "../../../src/transports/mcp/http.ts";
import { collectingLog, countingMeters, pro, stoppedClock } from "../../support/context.ts";
import { asPro, httpServerDeps, KEYS, served } from "../../support/http.ts";
import { dialler, info } from "./clients.ts";
import { sayText, setup, until } from "./fixture.ts";

const { connect, end } = dialler();
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await end();
});

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

describe("authorization", () => {
  it.each(["POST", "GET", "DELETE"])("returns 401 for a %s without a key", async (method) => {
    for (const path of ["/api/mcp", "/api/mcp/", "/api/mcp/sse", "/api/mcp/sse/messages"]) {
      const response = await setup().ask(path, { method, key: "" });
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });

  it("names the required plan", async () => {
    const response = await setup().ask("/api/mcp", { ...rpc("tools/list"), key: "member" });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "PLAN_REQUIRED", required_plan: "pro" });
  });

  it.each(["GET", "DELETE", "PUT"])("returns 405 for a %s with a key", async (method) => {
    const response = await setup().ask("/api/mcp", { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
  });

  it("returns the allowed methods for OPTIONS, and 401 without a key", async () => {
    const paths = { "/api/mcp": "POST", "/api/mcp/sse": "GET, HEAD", "/api/mcp/sse/messages/": "POST" };
    for (const [path, verbs] of Object.entries(paths)) {
      const response = await setup().ask(path, { method: "OPTIONS" });
      expect(response.status).toBe(204);
      expect(response.headers.get("allow")).toBe(`${verbs}, OPTIONS`);
      expect((await setup().ask(path, { method: "OPTIONS", key: "" })).status).toBe(401);
    }
  });

  it("charges each call to the account of its key", async () => {
    const made = setup();
    const [first, second] = [await connect(made), await connect(made, { key: "other" })];
    const who = async (client: typeof first) =>
      (await client.callTool({ name: "say_text", arguments: { text: "hi" } })).structuredContent;
    expect(await Promise.all([who(first), who(second), who(first)])).toEqual([
      { text: "hi", account: "pro" },
      { text: "hi", account: "other" },
      { text: "hi", account: "pro" },
    ]);
  });
});

it("counts every message towards the burst limit, and refuses a batch of more than ten", async () => {
  const { meters, debits } = countingMeters();
  const made = setup({}, { meters });
  const batch = (count: number) => ({
    ...rpc("ping"),
    body: JSON.stringify(
      Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping", params: {} })),
    ),
  });
  const refused = await made.ask("/api/mcp", batch(11));
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: "Invalid request: a batch may have at most 10 messages" },
    },
  ]);
  expect(debits.burst).toBe(0);
  await made.ask("/api/mcp", batch(10));
  expect(debits.burst).toBe(10);
  await made.ask("/api/mcp", rpc("tools/list"));
  expect(debits.burst).toBe(11);
});

it("rejects an unknown toolset", async () => {
  const response = await setup().ask("/api/mcp?toolsets=signals", rpc("tools/list"));
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    code: "INVALID_INPUT",
    detail: 'No toolset named "signals"',
  });
});

describe("bodies", () => {
  it("rejects more than one mebibyte", async () => {
    const big = { name: "say_text", arguments: { text: "x".repeat(1 << 20) } };
    const response = await setup().ask("/api/mcp", rpc("tools/call", big));
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "BODY_TOO_LARGE" });
  });

  it("returns a parse error for broken JSON", async () => {
    const response = await setup().ask("/api/mcp", { ...rpc("tools/list"), body: "{" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
  });

  it("rejects broken UTF-8", async () => {
    const body = Buffer.from(rpc("ping", { name: "\u00ff" }).body, "latin1");
    const response = await setup().ask("/api/mcp", { ...rpc("ping"), body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
  });

  it.each(["/api/mcp", "/api/mcp/sse/messages"])("times out after half a minute at %s", async (path) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) });
    const answer = setup().ask(path, { ...rpc("ping"), body, duplex: "half" } as RequestInit);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await (await answer).json()).toMatchObject({ code: "DEADLINE" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["/api/mcp", "/api/mcp/sse/messages"])(
    "logs no error for a client that disconnects at %s",
    async (path) => {
      const { log, lines } = collectingLog();
      const statuses: number[] = [];
      const app = applyMiddleware(new Hono<HttpEnv>(), httpServerDeps([], { ports: { log } }));
      app.use("*", async (c, next) => {
        await next();
        statuses.push(c.res.status);
      });
      app.route("/", createMcpHttpTransport(httpServerDeps([], { ports: { log } })).route);
      await served(app, async (_, port) => {
        const head = [`POST ${path} HTTP/1.1`, "host: 127.0.0.1", `authorization: Bearer ${KEYS.pro}`];
        const socket = dial(port, "127.0.0.1");
        await once(socket, "connect");
        const rest = ["content-type: application/json", "content-length: 100", "", "{"];
        socket.end([...head, ...rest].join("\r\n"));
        await until(() => statuses.length === 1);
      });
      expect(statuses).toEqual([499]);
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  it("accepts only JSON", async () => {
    expect((await setup().ask("/api/mcp", { method: "POST", body: "hello" })).status).toBe(415);
  });

  it("responds to a slow tool as an unbuffered stream", async () => {
    const made = setup();
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

it("passes the request id to the log line of the call", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = { info: (_: string, fields = {}) => void lines.push(fields), warn() {}, error() {} };
  const made = setup({}, { log, clock: stoppedClock() });
  const call = { name: "say_text", arguments: { text: "hi" } };
  await (await made.ask("/api/mcp", rpc("tools/call", call))).text();
  expect(lines).toEqual([
    expect.objectContaining({
      tool: "say_text",
      transport: "mcp",
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
])("leaves no transport or timer after three hundred %s calls", async (_, headers, _meta) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const connected = vi.spyOn(Server.prototype, "connect");
  const { meters } = countingMeters({ burst: 300 });
  const made = setup({}, { meters });
  // the SDK serves calls with a progress token
  const call = rpc("tools/call", {
    name: "say_text",
    arguments: { text: "hi" },
    _meta: { ..._meta, progressToken: 1 },
  });
  for (let i = 0; i < 300; i++) {
    const response = await made.ask("/api/mcp", { ...call, headers: { ...call.headers, ...headers } });
    expect(await response.text()).toContain('"account":"pro"');
  }
  const servers = connected.mock.contexts as Server[];
  expect(servers).toHaveLength(300);
  expect(servers.filter(({ transport }) => transport !== undefined)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it("cancels running calls and rejects new ones at close", async () => {
  const made = setup();
  const client = await connect(made, { mode: "legacy" });
  const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } });
  await until(() => made.slow.state.started === 1);
  await made.mcp.close();
  expect(await call).toMatchObject({ isError: true, content: [{ text: /CANCELLED/ }] });
  expect((await made.ask("/api/mcp", rpc("tools/list"))).status).toBe(503);
});

it.each([
  ["2025-03-26", true],
  ["2025-06-18", false],
  ["2025-11-25", false],
])(
  "repeats the data in the text for a client of %s only if the client does not read the data",
  async (revision, repeats) => {
    const request = rpc("tools/call", { name: "say_text", arguments: { text: "hi" } });
    const response = await setup().ask("/api/mcp", {
      ...request,
      headers: { ...request.headers, "mcp-protocol-version": revision },
    });
    expect((await response.text()).includes('{\\"text\\":\\"hi\\"')).toBe(repeats);
  },
);

const say = { name: "say_text", arguments: { text: "hi" } };
const wait = { name: "wait_text", arguments: { text: "hi" } };
/** The path with unlisted tools. */
const ALL = "/api/mcp?toolsets=all";
const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

/** A request without anything unusual, which is answered without the SDK. */
function plain(
  revision: (typeof REVISIONS)[number],
  method: string,
  { _meta, ...params }: { readonly name?: string; readonly _meta?: object } = {},
) {
  const isModern = revision === "2026-07-28";
  const { headers, ...init } = rpc(method, { ...params, _meta: { ...(isModern && envelope), ..._meta } });
  const modernHeaders = {
    "mcp-method": method,
    ...(params.name !== undefined && { "mcp-name": params.name }),
  };
  return {
    ...init,
    headers: { ...headers, "mcp-protocol-version": revision, ...(isModern && modernHeaders) },
  };
}

it.each([
  ["say_text", { name: "call_tool", arguments: say }],
  ["call_tool", say],
  ["fail_text", say],
])("rejects the header Mcp-Name: %s that disagrees with the body", async (name, call) => {
  const { headers, ...init } = plain("2026-07-28", "tools/call", call);
  const response = await setup().ask(ALL, { ...init, headers: { ...headers, "mcp-name": name } });
  expect([response.status, ((await response.json()) as any).error.code]).toEqual([400, -32020]);
});

describe("at the burst limit", () => {
  it.each(REVISIONS)("a call of revision %s gets a result that says when to retry", async (revision) => {
    const { meters } = countingMeters({ burst: 0 });
    const made = setup({}, { meters });
    for (const call of [say, { name: "no_such_tool" }]) {
      const response = await made.ask(ALL, plain(revision, "tools/call", call));
      const text = await response.text();
      expect([response.status, text]).toEqual([
        200,
        expect.stringContaining("RATE_LIMITED: The burst limit is used up"),
      ]);
      expect(text).toContain('"isError":true');
      expect(text.includes('"resultType":"complete"')).toBe(revision === "2026-07-28");
    }
  });

  it.each(["tools/list", "resources/read", "no/such"])("%s is refused with 429", async (method) => {
    const { meters } = countingMeters({ burst: 0 });
    const response = await setup({}, { meters }).ask(ALL, plain("2025-11-25", method));
    expect([response.status, ((await response.json()) as any).code]).toEqual([429, "RATE_LIMITED"]);
  });
});

describe.each(REVISIONS)("plain requests of revision %s", (revision) => {
  it.each([
    ["tools/call", say],
    ["tools/list", {}],
  ])("get the same response to %s as from the SDK, without it", async (method, params) => {
    const deps = httpServerDeps([sayText], { ports: { ids: { uuid: () => "id" } } });
    const app = applyMiddleware(new Hono<HttpEnv>(), deps).route("/", createMcpHttpTransport(deps).route);
    const respond = async (given: object) => {
      const { headers, ...init } = plain(revision, method, given);
      const response = await app.request("http://127.0.0.1/api/mcp", {
        ...init,
        headers: { ...asPro, ...headers },
      });
      return [response.status, [...response.headers], await response.text()];
    };
    const connected = vi.spyOn(Server.prototype, "connect");
    const direct = await respond(params);
    expect(connected).not.toHaveBeenCalled();
    expect(await respond({ ...params, _meta: { progressToken: 1 } })).toEqual(direct);
    expect(connected).toHaveBeenCalledOnce();
  });

  it("are counted once", async () => {
    const { meters, debits } = countingMeters();
    const made = setup({}, { meters });
    await made.ask("/api/mcp", plain(revision, "tools/call", say));
    expect(debits).toEqual({ burst: 1, day: 1 });
    await made.ask("/api/mcp", plain(revision, "tools/list"));
    expect(debits).toEqual({ burst: 2, day: 1 });
  });

  it("leave no timer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const made = setup();
    const answer = made.ask(ALL, plain(revision, "tools/call", wait));
    await whenTimers(2); // the deadline, and that of the stream
    made.wait.release();
    expect(await (await answer).text()).toContain('"account":"pro"');
    expect(vi.getTimerCount()).toBe(0);
  });

  it("are cancelled by a disconnect", async () => {
    const made = setup();
    const client = new AbortController();
    const call = { ...plain(revision, "tools/call", wait), signal: client.signal };
    const answer = Promise.resolve(made.ask(ALL, call)).catch(() => null);
    await until(() => made.wait.state.started === 1);
    client.abort();
    await until(() => made.wait.state.aborted === 1);
    await answer;
  });

  it("are cancelled at close", async () => {
    const made = setup();
    const answer = made.ask(ALL, plain(revision, "tools/call", wait));
    await until(() => made.wait.state.started === 1);
    await made.mcp.close();
    expect(await (await answer).text()).toContain("CANCELLED");
  });
});

describe("a plain call of 2025-11-25 that lasts a second", () => {
  const streamed = async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const made = setup();
    const answer = made.ask(ALL, plain("2025-11-25", "tools/call", wait));
    await whenTimers(2);
    await vi.advanceTimersByTimeAsync(1_000);
    const { body, headers } = await answer;
    return { made, headers, reader: body!.pipeThrough(new TextDecoderStream()).getReader() };
  };

  it("responds as a stream with keep-alives", async () => {
    const { made, headers, reader } = await streamed();
    expect(headers.get("x-accel-buffering")).toBe("no");
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await reader.read()).value).toBe(": keep-alive\n\n");
    made.wait.release();
    expect((await reader.read()).value).toMatch(/^event: message\ndata: \{"result":.*,"id":1\}\n\n$/);
    expect((await reader.read()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is cancelled when its stream is", async () => {
    const { made, reader } = await streamed();
    await reader.cancel();
    await whenTimers(0);
    expect(made.wait.state.aborted).toBe(1);
  });
});

/** Waits until this many fake timers run. */
async function whenTimers(count: number): Promise<void> {
  while (vi.getTimerCount() !== count) await new Promise((resolve) => setImmediate(resolve));
}
