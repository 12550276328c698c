import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { z } from "zod";
import type { Principal } from "../../../src/domain/accounts/access.ts";
import type { Ports, Quotes } from "../../../src/domain/ports.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { createRegistry } from "../../../src/kernel/registry.ts";
import { defineTool, type Tool } from "../../../src/kernel/tool.ts";
import { problem } from "../../../src/transports/http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../../../src/transports/http/server-deps.ts";
import { createMcpHttpTransport } from "../../../src/transports/mcp/http.ts";
import type { SseLimits } from "../../../src/transports/mcp/sse.ts";
import { anonymous, member, pro, testPorts } from "../../support/context.ts";

const Text = z.object({ text: z.string().describe("What to say") });
const Said = z.object({ text: z.string(), account: z.string() });
const text = (value: string) => ({ ask: "Say it", input: { text: value } });

/** Returns its input and the charged account. */
const say = {
  name: "say_text",
  title: "Say a text",
  description: "Says a text back. Use it to see who is asking.",
  toolset: "market",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/say",
  needs: [],
  input: Text,
  output: Said,
  examples: [text("hello")],
  terminal: ({ text: said, account }: z.output<typeof Said>) => `\n${account} says ${said}\nand more`,
  handler: ({ text: said }: z.output<typeof Text>, { principal }: { readonly principal: Principal }) => ({
    text: said,
    account: principal.account,
  }),
} as const;
export const sayText = defineTool(say);

/** Requires prices and therefore carries the label of the simulated market. */
export const pricedText = defineTool({
  ...say,
  name: "priced_text",
  title: "Say a priced text",
  route: "GET /api/v1/priced",
  needs: ["quotes"],
  input: Text,
  output: z.object({ text: z.string() }),
  examples: [text("hello")],
  terminal: ({ text: said }) => said,
  handler: ({ text: said }) => ({ text: said }),
});

export const failText = defineTool({
  ...say,
  name: "fail_text",
  title: "Fail in words of ours",
  toolset: "signal",
  route: "GET /api/v1/fail",
  needs: [],
  handler: ({ text: said }) => {
    if (said === "crash") throw new Error("postgres://secret@db");
    throw new ToolError("UNKNOWN_SYMBOL", `No instrument "${said}"`, {
      hint: "Did you mean AAPL?",
      data: { symbol: said, price: null, candidates: ["AAPL"], data: { price: null } },
    });
  },
});

export const richText = defineTool({
  ...say,
  name: "rich_text",
  title: "Say it to the rich",
  toolset: "flow",
  plan: "enterprise",
  route: "GET /api/v1/rich",
  needs: [],
});

export const saveText = defineTool({
  ...say,
  name: "save_text",
  title: "Keep a text",
  effect: "write",
  route: "POST /api/v1/save",
  needs: [],
});

export const hiddenText = defineTool({
  ...say,
  name: "hidden_text",
  title: "Hide a text",
  listed: false,
  route: "GET /api/v1/hidden",
  needs: [],
});

/** Never connected, as tests have no engine. */
export const engineText = defineTool({
  ...say,
  name: "engine_text",
  title: "Say what the engine says",
  route: "GET /api/v1/engine",
  needs: ["engineRuns"],
});

/** Runs until it is released or aborted, and reports progress at its start. */
export function slowTool(name: string, deadlineMs: number) {
  const state = { started: 0, aborted: 0 };
  const waiting = new Set<() => void>();
  const tool = defineTool({
    ...say,
    name,
    title: "Say it slowly",
    toolset: "system",
    route: `GET /api/v1/${name}`,
    deadlineMs,
    listed: deadlineMs > 30_000,
    needs: [],
    handler: async ({ text: said }, { principal, signal, progress }) => {
      state.started++;
      progress({ done: 1, total: 2, message: "halfway" });
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve);
        signal.addEventListener("abort", () => {
          state.aborted++;
          reject(signal.reason);
        });
      });
      progress({ done: 2, total: 2, message: "done" });
      return { text: said, account: principal.account };
    },
  });
  const release = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  return { tool, state, release };
}

const quotes: Quotes = { latest: async () => Promise.reject(new ToolError("NO_PRICE", "None")) };

/** A registry of all tools above and of `more`, with the ports it uses. */
export function toolFixture(overrides: Partial<Ports> = {}, more: Readonly<Record<string, Tool>> = {}) {
  const slow = slowTool("slow_text", 60_000);
  const wait = slowTool("wait_text", 20_000);
  const tools: Readonly<Record<string, Tool>> = {
    sayText,
    pricedText,
    failText,
    richText,
    saveText,
    hiddenText,
    engineText,
    slow: slow.tool,
    wait: wait.tool,
    ...more,
  };
  const ports = testPorts({ quotes, ...overrides });
  return { registry: createRegistry(tools, ports), ports, slow, wait };
}

export const other: Principal = { ...pro, account: "other" };

/** Creates an application with the MCP transport only; keys are names of principals. */
export function setup(
  options: Partial<SseLimits> = {},
  overrides: Partial<Ports> = {},
  more: Readonly<Record<string, Tool>> = {},
) {
  const keys = new Map<string, Principal>(Object.entries({ pro, member, other }));
  const { registry, ports, slow, wait } = toolFixture(overrides, more);
  const deps: HttpServerDeps = {
    registry,
    ports,
    identify: async (bearer) => {
      const principal = bearer === null ? anonymous : keys.get(bearer);
      if (!principal) throw new ToolError("UNAUTHENTICATED", "No such key");
      return principal;
    },
    settings: {
      version: "9.9.9",
      publicUrl: "http://127.0.0.1:8787",
      allowedHosts: ["127.0.0.1"],
      trustProxy: false,
      metricsToken: null,
    },
  };
  const mcp = createMcpHttpTransport(deps, options);
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set("requestId", ports.ids.uuid());
    c.set("address", "127.0.0.1");
    const resolvePrincipal = () =>
      deps.identify(c.req.header("authorization")?.slice(7) ?? null, "127.0.0.1");
    c.set("resolvePrincipal", resolvePrincipal);
    c.set("principal", await resolvePrincipal());
    await next();
  });
  app.route("/", mcp.route);
  app.onError((cause, c) => problem(c, cause));
  /** Sends a request to the application without a network. */
  const ask = (path: string, init: RequestInit & { key?: string } = {}) => {
    const { key = "pro", headers, ...rest } = init;
    const known = key === "" ? {} : { authorization: `Bearer ${key}` };
    return app.request(`http://127.0.0.1${path}`, { ...rest, headers: { ...known, ...headers } });
  };
  return { app, deps, mcp, keys, ports, slow, wait, registry, ask, listen: () => listen(app) };
}
export type Setup = ReturnType<typeof setup>;

/** Serves an application on a free local port; `stop` closes every connection. */
export async function listen(app: Hono<HttpEnv>) {
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: (path: string) => new URL(path, `http://127.0.0.1:${port}`),
    async stop() {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until a condition is true. */
export async function until(true_: () => boolean): Promise<void> {
  while (!true_()) await new Promise((resolve) => setTimeout(resolve, 2));
}

export const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
