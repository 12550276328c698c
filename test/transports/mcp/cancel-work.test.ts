import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Compute } from "../../../src/domain/compute-port.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv, HttpServerDeps } from "../../../src/transports/http/server-deps.ts";
import { createMcpHttpTransport, type McpHttpTransport } from "../../../src/transports/mcp/http.ts";
import { SETTINGS } from "../../support/http.ts";
import { useInstallation } from "../../support/installation.ts";
import { threadCompute } from "../../support/thread-compute.ts";
import { info } from "./clients.ts";
import { bearer, listen } from "./fixture.ts";

const installation = useInstallation("sample");

/** Counts the tasks that threads run or that wait for one, and those that were dropped. */
function counting(compute: Compute) {
  const state = { pending: 0, dropped: 0 };
  const count = (counted: Compute): Compute => ({
    of: (account) => count(counted.of(account)),
    health: () => counted.health(),
    async run(...task) {
      state.pending++;
      try {
        return await counted.run(...task);
      } catch (cause) {
        state.dropped++;
        throw cause;
      } finally {
        state.pending--;
      }
    },
  });
  return { state, compute: count(compute) };
}

const ends: (() => Promise<unknown>)[] = [];
let mcp: McpHttpTransport;
let tasks: { readonly pending: number; readonly dropped: number };
let url: URL;
let key: string;

beforeEach(async () => {
  const pool = threadCompute(1);
  const { state, compute } = counting(pool);
  tasks = state;
  const { registry, ports, authenticate } = installation.app;
  const deps: HttpServerDeps = {
    registry,
    ports: { ...ports, compute },
    identify: authenticate,
    settings: SETTINGS,
  };
  mcp = createMcpHttpTransport(deps);
  const server = await listen(applyMiddleware(new Hono<HttpEnv>(), deps).route("/", mcp.route));
  url = server.url("/api/mcp?toolsets=all");
  key = (await installation.key("enterprise")).key;
  ends.push(() => pool.close(), server.stop);
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type CallTool = (
  call: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
) => Promise<unknown>;

const CLIENTS: readonly [string, () => Promise<CallTool>][] = [
  [
    "1.32",
    async () => {
      const client = new OldClient(info);
      await client.connect(new OldTransport(url, { requestInit: bearer(key) }) as never);
      ends.push(() => client.close());
      return (call, signal) => client.callTool(call, undefined, { signal });
    },
  ],
  ...(["legacy", "auto"] as const).map((mode): [string, () => Promise<CallTool>] => [
    `2.4 in ${mode} mode`,
    async () => {
      const client = new Client(info, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: bearer(key) }));
      ends.push(() => client.close());
      return (call, signal) => client.callTool(call, { signal });
    },
  ]),
];

const LONG_CALLS = [
  {
    name: "run_backtest",
    arguments: {
      symbols: ["AAPL", "MSFT", "NVDA", "SPY"],
      strategy: "sma_cross",
      sweep: { fast: "5..50:1", slow: "60..200:5" },
      folds: 20,
      picture: false,
    },
  },
  {
    name: "scan_symbols",
    arguments: {
      symbols: "AAPL MSFT NVDA SPY QQQ AMZN GOOGL META TSLA JPM BTC-USD ETH-USD SOL-USD XOM UNH".split(" "),
    },
  },
] as const;

describe.each(CLIENTS)("a client of release %s", (_, connect) => {
  it.each(LONG_CALLS)("stops the threads of $name when it cancels", async (call) => {
    const callTool = await connect();
    const stop = new AbortController();
    const refused = expect(callTool({ ...call }, stop.signal)).rejects.toThrow();
    await expect.poll(() => tasks.pending, { timeout: 20_000 }).toBeGreaterThan(0);
    expect(mcp.running()).toBe(1);
    stop.abort();
    await refused;
    await expect.poll(mcp.running).toBe(0);
    await expect.poll(() => tasks.pending).toBe(0);
    expect(tasks.dropped).toBeGreaterThan(0);
  });
});
