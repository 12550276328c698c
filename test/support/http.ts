import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import type { Ports } from "../../src/domain/ports.ts";
import { ToolError } from "../../src/kernel/errors.ts";
import { createRegistry } from "../../src/kernel/registry.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { applyMiddleware } from "../../src/transports/http/middleware.ts";
import type { HttpEnv, HttpServerDeps, HttpSettings } from "../../src/transports/http/server-deps.ts";
import { restRoutes } from "../../src/transports/rest/rest.ts";
import { anonymous, member, pro, testPorts } from "./context.ts";

/** Keys accepted by `httpServerDeps`. */
export const KEYS = { pro: "key-of-pro", member: "key-of-member" } as const;
export const asPro = { authorization: `Bearer ${KEYS.pro}` };
export const asMember = { authorization: `Bearer ${KEYS.member}` };

export const SETTINGS: HttpSettings = {
  version: "0.0.0",
  publicUrl: "http://127.0.0.1:8787",
  allowedHosts: ["127.0.0.1", "localhost", "[::1]"],
  trustProxy: false,
  metricsToken: null,
};

/** Dependencies of an HTTP server over the given tools; unknown keys are rejected. */
export function httpServerDeps(
  tools: readonly Tool[],
  { ports = {}, settings = {} }: { ports?: Partial<Ports>; settings?: Partial<HttpSettings> } = {},
): HttpServerDeps {
  const testedPorts = testPorts(ports);
  return {
    registry: createRegistry(Object.fromEntries(tools.map((tool) => [tool.name, tool])), testedPorts),
    ports: testedPorts,
    settings: { ...SETTINGS, ...settings },
    identify: async (bearer) => {
      if (bearer === null) return anonymous;
      if (bearer === KEYS.pro) return pro;
      if (bearer === KEYS.member) return member;
      throw new ToolError("UNAUTHENTICATED", "This key is not known");
    },
  };
}

/** The REST transport behind the product's middleware. */
export const httpApp = (deps: HttpServerDeps): Hono<HttpEnv> =>
  applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route("/", restRoutes(deps));

/** Serves an app on a free local port during one test. */
export async function served<R>(
  app: Hono<HttpEnv>,
  visit: (origin: string, port: number) => Promise<R>,
): Promise<R> {
  const server = serve({ fetch: app.fetch, overrideGlobalObjects: false, port: 0, hostname: "127.0.0.1" });
  try {
    if (!server.listening) await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    return await visit(`http://127.0.0.1:${port}`, port);
  } finally {
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    // the end of a connection starts a timer of 1 ms and that another one, which would otherwise run in the next test
    for (let timer = 0; timer < 2; timer++) await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
