import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { recordingChanges, stateTool } from "../../support/changes.ts";
import { member } from "../../support/context.ts";
import { directoryOf } from "../../support/market.ts";
import { info, oldSseClient, sseClient } from "./clients.ts";
import { type Setup, setup, until } from "./fixture.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listen(made: Setup) {
  const server = await made.listen();
  ends.push(server.stop);
  return server;
}

async function connectOld(made: Setup, path = "/api/mcp/sse") {
  const client = await oldSseClient((await listen(made)).url(path));
  ends.push(() => client.close());
  return client;
}

/** Opens a stream without a network and reads its first event. */
async function openStream(made: Setup, key = "pro", path = "/api/mcp/sse") {
  const gone = new AbortController();
  const response = await made.ask(path, { key, signal: gone.signal });
  if (response.status !== 200) return { response, next: async () => "", url: "", leave: async () => {} };
  const reader = response
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>;
  const next = async () => (await reader.read()).value ?? "end";
  const first = await next();
  const url = /^event: endpoint\ndata: (\S+)\n\n$/.exec(first)?.[1] ?? "";
  return { response, next, url, leave: () => reader.cancel() };
}

const rpc = (method: string, params: object = {}, id = 1) => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
});
const dataOf = (event: string) => JSON.parse(/^event: message\ndata: (.*)\n\n$/.exec(event)?.[1] ?? "null");

describe("the clients of HTTP+SSE", () => {
  it("serves the 1.32 client: list, call, progress, ping", async () => {
    const made = setup();
    const client = await connectOld(made);
    expect(client.getServerVersion()).toMatchObject({ name: "market-signal", version: "9.9.9" });
    expect((await client.listTools()).tools).toHaveLength(7);
    const steps: unknown[] = [];
    const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } }, undefined, {
      onprogress: (step) => void steps.push(step),
    });
    await until(() => steps.length === 1);
    made.slow.release();
    expect((await call).structuredContent).toEqual({ text: "hi", account: "pro" });
    // this client drops a step that arrives together with the response, so only the first is certain
    expect(steps[0]).toEqual({ progress: 1, total: 2, message: "halfway" });
    expect(await client.ping()).toEqual({});
  });

  it.each(["auto", "legacy"] as const)("serves the 2.4 client in %s mode", async (mode) => {
    const client = await sseClient((await listen(setup())).url("/api/mcp/sse"), mode);
    ends.push(() => client.close());
    const result = await client.callTool({ name: "say_text", arguments: { text: "hi" } });
    expect(result.structuredContent).toEqual({ text: "hi", account: "pro" });
  });

  it("stops a call that the client cancels", async () => {
    const made = setup();
    const client = await connectOld(made);
    const stop = new AbortController();
    const call = client.callTool({ name: "slow_text", arguments: { text: "hi" } }, undefined, {
      signal: stop.signal,
    });
    const refused = expect(call).rejects.toThrow();
    await until(() => made.slow.state.started === 1);
    stop.abort();
    await refused;
    await until(() => made.slow.state.aborted === 1);
    expect(made.mcp.streams()).toBe(1);
  });

  it("cancels the calls of a disconnected client and removes the stream", async () => {
    const made = setup();
    const client = await connectOld(made);
    const gone = expect(client.callTool({ name: "slow_text", arguments: { text: "hi" } })).rejects.toThrow();
    await until(() => made.slow.state.started === 1);
    await client.close();
    await gone;
    await until(() => made.slow.state.aborted === 1 && made.mcp.streams() === 0);
  });

  it("uses the toolsets of the stream's URL", async () => {
    const client = await connectOld(setup(), "/api/mcp/sse/?toolsets=all&readonly=1");
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("hidden_text");
    expect(names).not.toContain("save_text");
    await expect(client.callTool({ name: "save_text", arguments: { text: "hi" } })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it("responds on a new stream without a new handshake, for clients that reconnect", async () => {
    const made = setup();
    const { url, next } = await openStream(made);
    await made.ask(url, rpc("tools/call", { name: "say_text", arguments: { text: "hi" } }, 7));
    expect(dataOf(await next())).toMatchObject({
      id: 7,
      result: { structuredContent: { text: "hi", account: "pro" } },
    });
  });
});

describe("messages on a stream", () => {
  it("reject invalid params with a one-sentence error", async () => {
    const made = setup();
    const { url, next } = await openStream(made);
    await made.ask(url, rpc("resources/read"));
    expect(dataOf(await next())).toEqual({
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32602, message: 'resources/read requires "uri"' },
    });
  });

  it.each([
    ["2024-11-05", 'pro says hi\n{"text":"hi","account":"pro"}'],
    ["2025-11-25", "pro says hi\nand more"],
  ])("have the format for a client that negotiates %s", async (protocolVersion, text) => {
    const made = setup();
    const { url, next } = await openStream(made);
    await made.ask(url, rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: info }));
    expect(dataOf(await next()).result.protocolVersion).toBe(protocolVersion);
    await made.ask(url, rpc("tools/call", { name: "say_text", arguments: { text: "hi" } }, 2));
    expect(dataOf(await next()).result.content).toEqual([{ type: "text", text }]);
  });
});

describe("a stream", () => {
  it("accepts messages from its own account only", async () => {
    const made = setup();
    const { url } = await openStream(made);
    const statuses = await Promise.all(
      ["pro", "other", "member", ""].map(
        async (key) => (await made.ask(url, { ...rpc("ping"), key })).status,
      ),
    );
    expect(statuses).toEqual([202, 404, 403, 401]);
    expect((await made.ask("/api/mcp/sse/messages?sessionId=none", rpc("ping"))).status).toBe(404);
    expect((await made.ask("/api/mcp/sse/messages", rpc("ping"))).status).toBe(404);
  });

  it("runs each call with the key that posted it", async () => {
    const made = setup();
    made.keys.set("reader", { account: "pro", plan: "pro", scopes: ["read"] });
    const { url, next } = await openStream(made);
    await made.ask(url, {
      ...rpc("tools/call", { name: "save_text", arguments: { text: "hi" } }),
      key: "reader",
    });
    expect(await next()).toContain("SCOPE_REQUIRED");
  });

  it("rejects invalid messages", async () => {
    const made = setup();
    const { url } = await openStream(made);
    const latin = Buffer.from(rpc("ping", { name: "\u00ff" }).body, "latin1");
    const bodies = ["{", "[]", '{"hello":1}', latin, "x".repeat((1 << 20) + 1)];
    const statuses = await Promise.all(
      bodies.map(async (body) => (await made.ask(url, { ...rpc("ping"), body })).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 413]);
  });

  it("rejects unsupported verbs, and opens no stream for HEAD", async () => {
    const made = setup();
    expect((await made.ask("/api/mcp/sse", rpc("initialize"))).headers.get("allow")).toBe(
      "GET, HEAD, OPTIONS",
    );
    expect((await made.ask("/api/mcp/sse/messages")).headers.get("allow")).toBe("POST, OPTIONS");
    const head = await made.ask("/api/mcp/sse", { method: "HEAD" });
    expect(head.headers.get("content-type")).toBe("text/event-stream");
    expect(head.headers.get("x-accel-buffering")).toBe("no");
    expect(made.mcp.streams()).toBe(0);
  });
});

describe("limits", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("limits streams to ten per account and a hundred in total", async () => {
    const made = setup();
    for (let account = 0; account < 11; account++)
      made.keys.set(`key${account}`, { account: `account${account}`, plan: "pro", scopes: ["read"] });
    for (let i = 0; i < 10; i++) expect((await openStream(made, "key0")).response.status).toBe(200);
    const eleventh = await openStream(made, "key0");
    expect(eleventh.response.status).toBe(429);
    expect(await eleventh.response.json()).toMatchObject({
      code: "RATE_LIMITED",
      limit: 10,
      retry_after: 30,
    });
    for (let i = 10; i < 100; i++) await openStream(made, `key${Math.floor(i / 10)}`);
    expect(made.mcp.streams()).toBe(100);
    const more = await openStream(made, "key10");
    expect(await more.response.json()).toMatchObject({ code: "RATE_LIMITED", limit: 100 });
    await made.mcp.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("releases streams and timers of fifty abandoned streams", async () => {
    const made = setup({ maxPerAccount: 50 });
    const opened = await Promise.all(Array.from({ length: 50 }, () => openStream(made)));
    expect(made.mcp.streams()).toBe(50);
    await Promise.all(opened.map(({ leave }) => leave()));
    expect(made.mcp.streams()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    ["is revoked", (keys: Setup["keys"]) => keys.delete("pro")],
    ["loses its plan", (keys: Setup["keys"]) => keys.set("pro", member)],
    ["changes hands", (keys: Setup["keys"]) => keys.set("pro", { ...member, plan: "pro" })],
  ])("ends a stream within a second after its key %s", async (_, change) => {
    const made = setup();
    const { next } = await openStream(made);
    await openStream(made, "other");
    await vi.advanceTimersByTimeAsync(1000);
    expect(made.mcp.streams()).toBe(2);
    change(made.keys);
    await vi.advanceTimersByTimeAsync(999);
    expect(made.mcp.streams()).toBe(1);
    expect(await next()).toBe("end");
  });

  it("keeps a stream open when the key lookup fails", async () => {
    const made = setup();
    const { url } = await openStream(made);
    made.keys.get = () => {
      throw new Error("the store is busy");
    };
    await vi.advanceTimersByTimeAsync(5000);
    expect(made.mcp.streams()).toBe(1);
    expect((await made.ask(url, rpc("ping"))).status).toBe(500);
  });

  it("never runs two key lookups of a stream at once", async () => {
    const made = setup();
    await openStream(made);
    const identify = vi.spyOn(made.deps, "identify").mockReturnValue(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(5000);
    expect(identify).toHaveBeenCalledTimes(1);
  });

  it("keeps a stream with subscriptions open, and ends it half an hour after the last one", async () => {
    const { changes, followed } = recordingChanges();
    const made = setup({}, { symbols: directoryOf(["AAPL"]), changes }, { tellState: stateTool });
    const { url } = await openStream(made);
    const uri = "signal://AAPL/1d";
    await made.ask(url, rpc("resources/subscribe", { uri }));
    await vi.advanceTimersByTimeAsync(3 * 60 * 60_000);
    expect([made.mcp.streams(), followed.size]).toEqual([1, 1]);
    await made.ask(url, rpc("resources/unsubscribe", { uri }, 2));
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect([made.mcp.streams(), followed.size]).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends a stream after half an hour without messages", async () => {
    const made = setup();
    const { url, next } = await openStream(made);
    await vi.advanceTimersByTimeAsync(20 * 60_000);
    await made.ask(url, rpc("ping"));
    await vi.advanceTimersByTimeAsync(29 * 60_000);
    expect(made.mcp.streams()).toBe(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made.mcp.streams()).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    expect(await next()).toBe(": keep-alive\n\n");
  });
});
