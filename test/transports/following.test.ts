import { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { changeRepository } from "../../src/store/alerts/changes.ts";
import type { SseLimits } from "../../src/transports/mcp/sse.ts";
import { createRestStreamTransport } from "../../src/transports/rest/stream.ts";
import { changesTool, recordingChanges, stateTool } from "../support/changes.ts";
import { countingMeters, member } from "../support/context.ts";
import { eventReader } from "../support/events.ts";
import { install } from "../support/installation.ts";
import { listenRequest } from "../support/listen-request.ts";
import { directoryOf } from "../support/market.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { httpClient, info, oldSseClient, sseClient } from "./mcp/clients.ts";
import { bearer, setup, toolFixture, until } from "./mcp/fixture.ts";
import { piped } from "./mcp/piped.ts";

const symbols = directoryOf(["AAPL", "MSFT", "BTC-USD"]);
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Starts a server over changes that the test triggers. */
async function installation(options: Partial<SseLimits> = {}) {
  const noticed = recordingChanges();
  const { meters, debits } = countingMeters({ burst: 1e6, day: 1e6 });
  const ports = { symbols, changes: noticed.changes, meters };
  const tools = { tellState: stateTool, tellChanges: changesTool() };
  const made = setup(options, ports, tools);
  const streams = createRestStreamTransport(made.deps, options);
  made.app.route("/", streams.route);
  const server = await made.listen();
  ends.push(server.stop);
  return { ...noticed, made, streams, server, ports, tools, debits };
}
type Fixture = Awaited<ReturnType<typeof installation>>;

/** A client of one transport with the notifications it received. */
interface Wire {
  readonly received: { readonly uri: string; readonly id: unknown }[];
  subscribe(uri: string): Promise<unknown>;
  unsubscribe(uri: string): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  templates(): Promise<readonly string[]>;
  complete(name: string, value: string): Promise<readonly string[]>;
  capabilities(): unknown;
  close(): Promise<unknown>;
}
const TEMPLATE = "signal://{symbol}/{timeframe}";
const idOf = (params: unknown) =>
  (params as { _meta?: Record<string, unknown> })._meta?.["market-signal/change_id"];

/** Requests that both clients send in the same way. */
const readsOf = (client: Client | OldClient): Omit<Wire, "received" | "subscribe" | "unsubscribe"> => ({
  read: (uri) => client.readResource({ uri }),
  templates: async () =>
    (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
  complete: async (name, value) =>
    (await client.complete({ ref: { type: "ref/resource", uri: TEMPLATE }, argument: { name, value } }))
      .completion.values,
  capabilities: () => client.getServerCapabilities()?.resources,
  close: () => client.close(),
});

function modern(client: Client, isListening: boolean): Wire {
  const received: Wire["received"][number][] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    received.push({ uri: params.uri, id: idOf(params) });
  });
  const open = new Map<string, Awaited<ReturnType<Client["listen"]>>>();
  return {
    received,
    subscribe: async (uri) =>
      isListening
        ? open.set(uri, await client.listen({ resourceSubscriptions: [uri] }))
        : client.subscribeResource({ uri }),
    unsubscribe: async (uri) => (isListening ? open.get(uri)!.close() : client.unsubscribeResource({ uri })),
    ...readsOf(client),
  };
}
function older(client: OldClient): Wire {
  const received: Wire["received"][number][] = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    received.push({ uri: params.uri, id: idOf(params) });
  });
  return {
    received,
    subscribe: (uri) => client.subscribeResource({ uri }),
    unsubscribe: (uri) => client.unsubscribeResource({ uri }),
    ...readsOf(client),
  };
}
/** Every MCP transport that can send notifications. */
const WIRES: Readonly<Record<string, (at: Fixture) => Promise<Wire>>> = {
  "2026-07-28 over HTTP": async ({ server }) => modern(await httpClient(server.url("/api/mcp")), true),
  "HTTP+SSE, client 2.4": async ({ server }) => modern(await sseClient(server.url("/api/mcp/sse")), false),
  "HTTP+SSE, client 1.32": async ({ server }) => older(await oldSseClient(server.url("/api/mcp/sse"))),
  async "stdio, 2026-07-28"({ ports, tools }) {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(piped({}, toolFixture(ports, tools)).transport);
    return modern(client, true);
  },
  async "stdio, client 1.32"({ ports, tools }) {
    const client = new OldClient(info);
    await client.connect(piped({}, toolFixture(ports, tools)).transport as never);
    return older(client);
  },
};
async function dial(name: string, at: Fixture): Promise<Wire> {
  const wire = await WIRES[name]!(at);
  ends.push(wire.close);
  return wire;
}
const each = Object.keys(WIRES);

describe.each(each)("over %s", (name) => {
  it("finds, reads, subscribes to and unsubscribes from a resource", async () => {
    const at = await installation();
    const wire = await dial(name, at);
    expect(wire.capabilities()).toEqual({ subscribe: true });
    expect(await wire.templates()).toEqual(["market-signal://tools/{name}", TEMPLATE]);
    expect(await wire.complete("symbol", "appl")).toContain("AAPL");
    expect(await wire.complete("timeframe", "1")).toEqual(["1d", "1h", "15m"]);
    expect(await wire.read("signal://aapl/4h")).toMatchObject({
      contents: [
        {
          uri: "signal://aapl/4h",
          mimeType: "application/json",
          text: '{"symbol":"AAPL","timeframe":"4h","detail":"concise"}',
        },
      ],
    });
    await wire.subscribe("signal://aapl/1d");
    expect([...at.followed.keys()]).toEqual(["AAPL 1d"]);
    at.notice("MSFT");
    at.notice("AAPL");
    at.notice("AAPL");
    await until(() => wire.received.length === 2);
    await wire.unsubscribe("signal://aapl/1d");
    await until(() => at.followed.size === 0);
    at.notice("AAPL");
    await wire.templates(); // earlier notifications arrive before this response
    expect(wire.received).toEqual([
      { uri: "signal://aapl/1d", id: "sc_2" },
      { uri: "signal://aapl/1d", id: "sc_3" },
    ]);
    expect(at.listeners.size).toBe(0);
  });

  it.each([
    ["signal://ZZZZQ/1d", "UNKNOWN_SYMBOL"],
    ["signal://BTC/1d", "signal://BTC-USD/1d"],
    ["signal://AAPL/2d", "timeframe"],
    ["quota://me", "signal://AAPL/1d"],
  ])("rejects %s with a hint", async (uri, words) => {
    const at = await installation();
    const wire = await dial(name, at);
    const refused = wire.subscribe(uri);
    await expect(refused).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(words) });
    expect([at.followed.size, at.listeners.size, at.made.mcp.streams()]).toEqual([
      0,
      0,
      name.includes("SSE") ? 1 : 0,
    ]);
    await expect(wire.read("signal://ZZZZQ/1d")).rejects.toMatchObject({
      code: -32602,
      message: /UNKNOWN_SYMBOL/,
    });
  });

  it("removes all subscriptions after a disconnect", async () => {
    const at = await installation();
    const wire = await dial(name, at);
    await wire.subscribe("signal://AAPL/1d");
    await wire.subscribe("signal://MSFT/1d");
    expect(at.followed.size).toBe(2);
    await wire.close();
    await until(() => at.followed.size === 0 && at.listeners.size === 0 && at.made.mcp.streams() === 0);
  });
});

it("sends the same change with the same id over every transport", async () => {
  const at = await installation();
  const wires = await Promise.all(each.map((name) => dial(name, at)));
  await Promise.all(wires.map((wire) => wire.subscribe("signal://AAPL/1d")));
  const rest = eventReader(
    await fetch(at.server.url("/api/v1/state-changes/stream?symbols=AAPL"), bearer("pro")),
  );
  ends.push(rest.leave);
  expect((await rest.next())?.event).toBe("hello");
  const { change_id, symbol, timeframe } = at.notice("AAPL");
  expect((await rest.next())?.data).toMatchObject({ change_id, symbol, timeframe });
  await until(() => wires.every(({ received }) => received.length === 1));
  for (const { received } of wires) expect(received).toEqual([{ uri: "signal://AAPL/1d", id: change_id }]);
});

describe("a subscription stream at /api/mcp", () => {
  const listening = async (options: Partial<SseLimits> = {}) => {
    const at = await installation(options);
    const client = await httpClient(at.server.url("/api/mcp"));
    ends.push(() => client.close());
    return { ...at, client };
  };

  it("acknowledges only the subscribed resources", async () => {
    const { client, made } = await listening();
    const open = await client.listen({ resourceSubscriptions: ["signal://AAPL/1d"], toolsListChanged: true });
    expect(open.honoredFilter).toEqual({ resourceSubscriptions: ["signal://AAPL/1d"] });
    const none = await client.listen({ toolsListChanged: true });
    expect(none.honoredFilter).toEqual({});
    expect(await none.closed).toBe("graceful");
    expect(made.mcp.streams()).toBe(1);
  });

  it("ends gracefully when the key loses its plan or the server stops", async () => {
    const { client, made, followed } = await listening({ recheckMs: 5 });
    const one = await client.listen({ resourceSubscriptions: ["signal://AAPL/1d"] });
    made.keys.set("pro", { ...member, account: "pro" });
    expect(await one.closed).toBe("graceful");
    made.keys.set("pro", { ...member, account: "pro", plan: "pro" });
    const other = await client.listen({ resourceSubscriptions: ["signal://AAPL/1d"] });
    await made.mcp.close();
    expect(await other.closed).toBe("graceful");
    expect([followed.size, made.mcp.streams()]).toEqual([0, 0]);
  });

  it("limits the streams of an account", async () => {
    const { client } = await listening({ maxPerAccount: 1 });
    await client.listen({ resourceSubscriptions: ["signal://AAPL/1d"] });
    await expect(client.listen({ resourceSubscriptions: ["signal://MSFT/1d"] })).rejects.toThrow();
  });

  it("debits the burst quota only; reading a resource debits the daily quota too", async () => {
    const { client, debits } = await listening();
    await client.listen({ resourceSubscriptions: ["signal://AAPL/1d", "signal://MSFT/1d"] });
    expect(debits, "server/discover and subscriptions/listen").toEqual({ burst: 2, day: 0 });
    await client.readResource({ uri: "signal://AAPL/1d" });
    expect(debits).toEqual({ burst: 3, day: 1 });
  });

  it("closes a stream that is not read, and limits its buffer", async () => {
    const { made, notice, followed } = await installation({ bufferBytes: 4_000 });
    const { path, headers, body, ...listen } = listenRequest(["signal://AAPL/1d"]);
    const response = await made.ask(path, {
      ...listen,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(followed.size).toBe(1);
    for (let i = 0; i < 200; i++) notice("AAPL");
    await until(() => followed.size === 0 && made.mcp.streams() === 0);
    expect((await response.text()).length).toBeLessThan(5_000);
  });
});

describe("a 2025 connection without an event stream", () => {
  it("has no subscribe capability, and its subscription is rejected", async () => {
    const { server, followed } = await installation();
    const client = await httpClient(server.url("/api/mcp"), "pro", "legacy");
    ends.push(() => client.close());
    expect(client.getServerCapabilities()?.resources).toEqual({});
    await expect(client.subscribeResource({ uri: "signal://AAPL/1d" })).rejects.toThrow();
    expect(followed.size).toBe(0);
  });
});

describe("the product", () => {
  const suite = suiteDir();
  afterAll(() => suite.remove());

  it("sends changes written by another process, and resumes without loss", async () => {
    const at = await install(suite.dir, "sample");
    ends.push(at.stop);
    const { key } = await at.key("pro");
    const asPro = bearer(key);
    const stream = `${at.url}/api/v1/signals/stream?symbols=AAPL,MSFT`;
    const rest = eventReader(await fetch(stream, asPro));
    const hello = await rest.next();
    expect(hello).toMatchObject({
      event: "hello",
      data: {
        watching: [{ symbol: "AAPL" }, { symbol: "MSFT" }],
        market: "sample",
        label: "SAMPLE (simulated)",
      },
    });
    const client = await httpClient(new URL(`${at.url}/api/mcp`), key);
    ends.push(() => client.close());
    const wire = modern(client, true);
    await wire.subscribe("signal://AAPL/1d");

    const rows = changeRepository({ db: at.app.store.db, market: at.app.ports.market.id });
    const series = { symbol: "AAPL", timeframe: "1d" } as const;
    /** Writes a change; retries while this process's watcher writes its initial state. */
    const write = async (change_id: string, decided_at: string) => {
      const change = { ...recordingChanges().notice("AAPL"), change_id, decided_at };
      for (let changed = false; !changed; ) {
        const before = (await rows.state(series))?.state ?? null;
        const noticed = {
          series,
          at: 0,
          state: { before, now: before ?? "{}" },
          change,
          alerts: [],
          seen: [],
        };
        ({ changed } = await rows.save(noticed));
      }
      return change;
    };
    const first = await write("sc_00000000000000000001", "2026-01-14T21:00:00.000Z");
    const ports = await rest.next();
    expect(ports).toMatchObject({ event: "change", data: first });
    await until(() => wire.received.length === 1);
    expect(wire.received).toEqual([{ uri: "signal://AAPL/1d", id: first.change_id }]);

    await rest.leave();
    const second = await write("sc_00000000000000000002", "2026-01-15T21:00:00.000Z");
    const lastId = { headers: { ...asPro.headers, "last-event-id": ports!.id! } };
    const again = eventReader(await fetch(stream, lastId));
    expect([(await again.next())?.event, (await again.next())?.data]).toEqual(["hello", second]);
    const read = (await wire.read("signal://AAPL/1d")) as { contents: { text: string }[] };
    expect(JSON.parse(read.contents[0]!.text).data).toMatchObject({ market: "sample", signal: {} });
    await again.leave();
    const refused = await fetch(`${at.url}/api/v1/signals/stream?symbols=ZZZZQ`, asPro);
    expect(await refused.json()).toMatchObject({ code: "UNKNOWN_SYMBOL" });
  }, 60_000);
});
