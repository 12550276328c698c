import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, describe, expect, it } from "vitest";
import { info, oldSseClient, sseClient } from "./clients.ts";
import { bearer, type Setup, setup, until } from "./fixture.ts";
import { piped } from "./piped.ts";

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The path with unlisted tools. */
const ALL = "/api/mcp?toolsets=all";
/** `wait_text` is answered without the SDK, `slow_text` as a stream of the SDK. */
const TOOLS = [
  ["wait_text", "wait"],
  ["slow_text", "slow"],
] as const;

interface TestClient {
  callTool(name: string, signal: AbortSignal): Promise<unknown>;
  /** Errors that the client reports besides those of its calls. */
  readonly errors: unknown[];
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

const ofOld = (client: OldClient): TestClient => {
  const errors: unknown[] = [];
  client.onerror = (error) => void errors.push(error);
  return {
    errors,
    callTool: (name, signal) => client.callTool({ name, arguments: { text: "hi" } }, undefined, { signal }),
    ping: () => client.callTool({ name: "say_text", arguments: { text: "hi" } }),
    close: () => client.close(),
  };
};
const ofNew = (client: Client): TestClient => {
  const errors: unknown[] = [];
  client.onerror = (error) => void errors.push(error);
  return {
    errors,
    callTool: (name, signal) => client.callTool({ name, arguments: { text: "hi" } }, { signal }),
    ping: () => client.callTool({ name: "say_text", arguments: { text: "hi" } }),
    close: () => client.close(),
  };
};

async function listen(made: Setup) {
  const server = await made.listen();
  ends.push(server.stop);
  return server;
}
async function connectNew(made: Setup, mode: "auto" | "legacy"): Promise<TestClient> {
  const client = new Client(info, { versionNegotiation: { mode } });
  const { url } = await listen(made);
  await client.connect(new StreamableHTTPClientTransport(url(ALL), { requestInit: bearer("pro") }));
  return ofNew(client);
}
async function connectOld(made: Setup): Promise<TestClient> {
  const client = new OldClient(info);
  const { url } = await listen(made);
  await client.connect(new OldTransport(url(ALL), { requestInit: bearer("pro") }) as never);
  return ofOld(client);
}
const SSE = "/api/mcp/sse?toolsets=all";

/** A client of each release and revision over each transport. */
const HTTP_CLIENTS: readonly [string, (made: Setup) => Promise<TestClient>][] = [
  ["streamable HTTP, 1.32", connectOld],
  ["streamable HTTP, 2.4 of 2025-11-25", (made) => connectNew(made, "legacy")],
  ["streamable HTTP, 2.4 of 2026-07-28", (made) => connectNew(made, "auto")],
  ["HTTP+SSE, 1.32", async (made) => ofOld(await oldSseClient((await listen(made)).url(SSE)))],
  ["HTTP+SSE, 2.4", async (made) => ofNew(await sseClient((await listen(made)).url(SSE)))],
];

describe.each(HTTP_CLIENTS)("a client over %s", (_, connect) => {
  it.each(TOOLS)("cancels %s, and goes on", async (name, which) => {
    const made = setup();
    const client = await connect(made);
    ends.push(client.close);
    const stop = new AbortController();
    const refused = expect(client.callTool(name, stop.signal)).rejects.toThrow();
    await until(() => made[which].state.started === 1);
    expect(made.mcp.running()).toBe(1);
    stop.abort();
    await refused;
    await expect.poll(made.mcp.running).toBe(0);
    expect(made[which].state.aborted).toBe(1);
    expect(await client.ping()).toMatchObject({ structuredContent: { text: "hi" } });
    expect(client.errors).toEqual([]);
  });

  it.each(TOOLS)("stops %s by disconnecting", async (name, which) => {
    const made = setup();
    const client = await connect(made);
    const gone = expect(client.callTool(name, new AbortController().signal)).rejects.toThrow();
    await until(() => made[which].state.started === 1);
    await client.close();
    await gone;
    await expect.poll(made.mcp.running).toBe(0);
    expect(made[which].state.aborted).toBe(1);
  });
});

describe.each([
  [
    "1.32",
    async (transport: object) => {
      const client = new OldClient(info);
      await client.connect(transport as never);
      return ofOld(client);
    },
  ],
  ...(["legacy", "auto"] as const).map(
    (mode) =>
      [
        `2.4 in ${mode} mode`,
        async (transport: object) => {
          const client = new Client(info, { versionNegotiation: { mode } });
          await client.connect(transport as never);
          return ofNew(client);
        },
      ] as const,
  ),
] as const)("a client over stdio, %s", (_, connect) => {
  it.each(TOOLS)("cancels %s, and goes on", async (name, which) => {
    const server = piped({ toolsets: ["all"] });
    const client = await connect(server.transport);
    const stop = new AbortController();
    const refused = expect(client.callTool(name, stop.signal)).rejects.toThrow();
    await until(() => server[which].state.started === 1);
    stop.abort();
    await refused;
    await expect.poll(() => server[which].state.aborted).toBe(1);
    expect(await client.ping()).toMatchObject({ structuredContent: { text: "hi" } });
    await client.close();
    await server.served;
  });

  it.each(TOOLS)("stops %s by disconnecting", async (name, which) => {
    const server = piped({ toolsets: ["all"] });
    const client = await connect(server.transport);
    const gone = client.callTool(name, new AbortController().signal).catch(() => "gone");
    await until(() => server[which].state.started === 1);
    await client.close();
    await server.served;
    await gone;
    await expect.poll(() => server[which].state.aborted).toBe(1);
  });
});

const post = (message: object, session?: string, revision?: string) => ({
  method: "POST",
  headers: {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(session !== undefined && { "mcp-session-id": session }),
    ...(revision !== undefined && { "mcp-protocol-version": revision }),
  },
  body: JSON.stringify(message),
});
const rpc = (method: string, params: object, id: number | string = 1) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});
const initialize = (protocolVersion: string) =>
  rpc("initialize", { protocolVersion, capabilities: {}, clientInfo: info });
const callOf = (name: string, id: number | string = 1) =>
  rpc("tools/call", { name, arguments: { text: "hi" } }, id);

/** Starts a call that waits. */
const start = (made: Setup, session?: string, id: number | string = 1) =>
  Promise.resolve(made.ask(ALL, post(callOf("wait_text", id), session)));

describe("the session id", () => {
  it.each([
    ["2024-11-05", false],
    ["2025-03-26", true],
    ["2025-06-18", true],
    ["2025-11-25", true],
  ])("is given to a client of %s: %s", async (revision, given) => {
    const made = setup();
    const responses = [1, 2].map(() => made.ask("/api/mcp", post(initialize(revision))));
    const ids = (await Promise.all(responses)).map(({ headers }) => headers.get("mcp-session-id"));
    expect(ids.every((id) => (id !== null) === given)).toBe(true);
    expect(new Set(ids).size).toBe(given ? 2 : 1);
  });

  it("is in no other response", async () => {
    const made = setup();
    for (const message of [rpc("tools/list", {}), callOf("say_text"), rpc("ping", {})])
      expect((await made.ask("/api/mcp", post(message, "known"))).headers.has("mcp-session-id")).toBe(false);
  });

  it.each([undefined, "of-a-restarted-server", "\u00e9", "x".repeat(10_000)])(
    "may be %s",
    async (session) => {
      const response = await setup().ask("/api/mcp", post(callOf("say_text"), session));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('"text":"hi"');
    },
  );

  it("cannot be ended", async () => {
    const response = await setup().ask("/api/mcp", {
      method: "DELETE",
      headers: { "mcp-session-id": "one" },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
  });
});

describe.each(["2025-03-26", "2025-06-18", "2025-11-25"])("a notification of %s", (revision) => {
  it.each(TOOLS)("cancels %s, whose response ends without a message", async (name, which) => {
    const made = setup();
    const begun = await made.ask("/api/mcp", post(initialize(revision)));
    const session = begun.headers.get("mcp-session-id")!;
    const response = Promise.resolve(made.ask(ALL, post(callOf(name, "a"), session, revision)));
    await until(() => made[which].state.started === 1);
    expect((await made.ask(ALL, post(cancelled("a"), session, revision))).status).toBe(202);
    const { status, headers, text } = await response.then(async (got) => ({
      status: got.status,
      headers: got.headers,
      text: await got.text(),
    }));
    expect([status, headers.get("content-type"), text]).toEqual([200, "text/event-stream", ""]);
    expect(made[which].state.aborted).toBe(1);
    expect(made.mcp.running()).toBe(0);
  });
});

describe("a cancellation", () => {
  it.each([
    ["another account", { key: "other" }, 1],
    ["another client of the account", { session: "two" }, 1],
    ["a client without a session", { session: undefined }, 1],
    ["the client, of the text id", {}, "1"],
    ["the client, of no id", {}, undefined],
    ["the client, of something else", {}, { id: 1 }],
  ])(
    "by %s stops nothing",
    async (_, { key = "pro", ...by }: { key?: string; session?: string | undefined }, id) => {
      const made = setup();
      const call = start(made, "one");
      await until(() => made.wait.state.started === 1);
      const session = "session" in by ? by.session : "one";
      expect((await made.ask(ALL, { ...post(cancelled(id), session), key })).status).toBe(202);
      made.wait.release();
      expect(await (await call).text()).toContain('"text":"hi"');
      expect(made.wait.state.aborted).toBe(0);
    },
  );

  it("stops the named call only", async () => {
    const made = setup();
    const [first, second] = [start(made, "one", 1), start(made, "one", 2)];
    await until(() => made.wait.state.started === 2);
    await made.ask(ALL, post(cancelled(1), "one"));
    expect(await (await first).text()).toBe("");
    expect(made.mcp.running()).toBe(1);
    made.wait.release();
    expect(await (await second).text()).toContain('"id":2');
  });

  it("is accepted when the burst limit is reached", async () => {
    const made = setup();
    const call = start(made, "one");
    await until(() => made.wait.state.started === 1);
    made.ports.meters.countBurst = () => Promise.reject(new Error("counted"));
    expect((await made.ask(ALL, post(cancelled(1), "one"))).status).toBe(202);
    expect(await (await call).text()).toBe("");
  });

  it("stops a call of a batch, whose other responses arrive", async () => {
    const made = setup();
    const batch = [callOf("wait_text", 1), callOf("slow_text", 2)];
    const response = Promise.resolve(made.ask(ALL, post(batch, "one", "2025-03-26")));
    await until(() => made.wait.state.started + made.slow.state.started === 2);
    await made.ask(ALL, post(cancelled(1), "one"));
    expect(made.wait.state.aborted).toBe(1);
    made.slow.release();
    const text = await (await response).text();
    expect(text).toMatch(/"id":2/);
    expect(made.slow.state.aborted).toBe(0);
  });

  it("may come in a batch", async () => {
    const made = setup();
    const calls = [start(made, "one", 1), start(made, "one", 2)];
    await until(() => made.wait.state.started === 2);
    const batch = [cancelled(1), cancelled(2)];
    expect((await made.ask(ALL, post(batch, "one", "2025-03-26"))).status).toBe(202);
    for (const call of calls) expect(await (await call).text()).toBe("");
    expect(made.wait.state.aborted).toBe(2);
  });

  it.each(TOOLS)("of %s leaves nothing behind", async (name, which) => {
    const made = setup();
    for (const [count, end] of [
      [1, () => made[which].release()],
      [2, () => made.ask(ALL, post(cancelled(1), "one"))],
    ] as const) {
      const call = Promise.resolve(made.ask(ALL, post(callOf(name), "one")));
      await until(() => made[which].state.started === count);
      await end();
      await (await call).text();
      // a call that has ended is not found, so nothing of it is aborted
      expect((await made.ask(ALL, post(cancelled(1), "one"))).status).toBe(202);
    }
    expect(made[which].state.aborted).toBe(1);
  });
});
