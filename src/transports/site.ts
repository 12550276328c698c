import { Hono } from "hono";
import type { A2aPushDeps } from "./a2a/push.ts";
import { type A2aTasks, createA2aTransport } from "./a2a/transport.ts";
import { createCachedRouter } from "./http/cached-router.ts";
import { createMetrics } from "./http/metrics.ts";
import { applyMiddleware } from "./http/middleware.ts";
import { probes } from "./http/probes.ts";
import type { HttpEnv, HttpServerDeps } from "./http/server-deps.ts";
import { followTraces } from "./http/traces.ts";
import { createMcpHttpTransport } from "./mcp/http.ts";
import { openapiRoutes } from "./openapi/openapi.ts";
import { accountRoutes } from "./rest/accounts.ts";
import { installationRoutes } from "./rest/installation.ts";
import { restRoutes } from "./rest/rest.ts";
import { createRestStreamTransport } from "./rest/stream.ts";
import { streamTokenRoutes } from "./rest/stream-tokens.ts";
import { createAgentCallMonitor } from "./web/agent-calls.ts";
import { confirmRoutes } from "./web/confirm.tsx";
import { docsRoutes } from "./web/docs.tsx";
import { homeRoutes } from "./web/home.tsx";
import { identityRoutes } from "./web/identity.tsx";
import { llmsRoutes } from "./web/llms.ts";
import { peopleRoutes } from "./web/people.ts";
import { recoveryRoutes } from "./web/recovery.tsx";
import { sessionRoutes } from "./web/session.ts";
import { signInRoutes } from "./web/sign-in.tsx";
import { widgetRoutes } from "./web/widget.tsx";
import { workspaceRoutes } from "./web/workspace.ts";

/** All HTTP transports behind one fetch handler. */
export interface HttpApplication {
  /** The method and path of every registered route, and of the middleware, whose paths end with an asterisk. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /**
   * Starts the shutdown: /readyz returns 503, open streams end, running MCP and A2A calls are cancelled. REST calls are
   * cancelled after 6 s.
   */
  drain(): Promise<void>;
}

/**
 * Time that running REST calls have to finish at shutdown, in milliseconds; shorter than the time before their
 * connections are closed.
 */
const REST_GRACE_MS = 6_000;

/**
 * Creates the HTTP application: middleware, probes, home page, docs, MCP, A2A and REST. Metrics count the calls of all
 * transports.
 */
export function createHttpApplication({
  a2aTasks,
  a2aPush = null,
  ...given
}: HttpServerDeps & {
  readonly a2aTasks: A2aTasks;
  readonly a2aPush?: A2aPushDeps | null;
}): HttpApplication {
  const metrics = createMetrics({ peers: given.workers, streams: given.ports, operation: given.operation });
  const arrivals = createAgentCallMonitor(given.ports.clock, given.peers);
  const log = arrivals.observedLog(metrics.meteredLog(given.ports.log));
  const server: HttpServerDeps = { ...given, ports: { ...given.ports, log } };
  const running = new Set<AbortController>();
  let draining = false;
  const mcp = createMcpHttpTransport(server);
  const streams = createRestStreamTransport(server);
  const a2a = createA2aTransport(server, a2aTasks, a2aPush);
  const app = new Hono<HttpEnv>({ strict: false, router: createCachedRouter() });
  app.use("*", metrics.requestTimer);
  app.use("*", followTraces(given.ports.tracer));
  a2a.registerRefusals(app);
  applyMiddleware(app, server);
  app.route(
    "/",
    probes(server, () => !draining, metrics),
  );
  app.route("/", homeRoutes(server, { ready: () => !draining, arrivals }));
  app.route("/", sessionRoutes(server));
  app.route("/", identityRoutes(server));
  app.route("/", signInRoutes(server));
  app.route("/", recoveryRoutes(server));
  app.route("/", peopleRoutes(server));
  app.route("/", confirmRoutes(server));
  app.route("/", widgetRoutes(server));
  app.route("/", openapiRoutes(server));
  app.route("/", docsRoutes(server));
  app.route("/", llmsRoutes(server));
  app.route("/", workspaceRoutes(server));
  app.route("/", mcp.route);
  app.route("/", a2a.route);
  app.route("/", streams.route); // registered first: a path parameter of a REST route would also match the stream path
  app.route("/", streamTokenRoutes(server));
  app.route("/", accountRoutes(server));
  app.route("/", installationRoutes(server));
  app.route("/", restRoutes(server, running));
  return {
    routes: app.routes,
    fetch: (request, env) => app.fetch(request, env),
    async drain() {
      draining = true;
      setTimeout(() => {
        for (const call of running) call.abort();
      }, REST_GRACE_MS).unref();
      await Promise.all([mcp.close(), streams.close(), a2a.close()]);
    },
  };
}
