import { type Context, Hono } from "hono";
import { timingSafeEqual } from "hono/utils/buffer";
import { ToolError } from "../../kernel/errors.ts";
import { bearerOf } from "./bearer.ts";
import type { Metrics } from "./metrics.ts";
import { routeGet } from "./problem.ts";
import { readinessOf } from "./readiness.ts";
import type { HttpEnv, HttpServerDeps } from "./server-deps.ts";

/**
 * Serves /livez (process is running), /readyz (accepts calls; with the state of each dependency for callers that may read
 * the metrics) and /metrics (Prometheus).
 */
export function probes(
  { settings, ports, operation }: Pick<HttpServerDeps, "settings" | "ports" | "operation">,
  ready: () => boolean,
  metrics: Pick<Metrics, "read">,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  routeGet(app, "/livez", (c) => c.json({ ok: true, status: "alive" }, 200, { "cache-control": "no-store" }));
  routeGet(app, "/readyz", async (c) => {
    const dependencies = (await operation?.dependencies()) ?? null;
    const fault = ports.storage?.fault() ?? null;
    const { detail, ...state } = readinessOf({ isDraining: !ready(), fault, dependencies });
    const mayRead = await mayReadMetrics(c, settings.metricsToken);
    return c.json(
      { ...state, ...(mayRead && detail !== null && { dependencies: detail }) },
      state.ok ? 200 : 503,
      {
        "cache-control": "no-store",
        ...(state.status === "draining" && { "retry-after": "5" }),
      },
    );
  });
  routeGet(app, "/metrics", async (c) => {
    await checkMetricsAccess(c, settings.metricsToken);
    const { text, contentType } = await metrics.read();
    return c.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
  });
  return app;
}

/** Headers that mark a request as forwarded by a proxy. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"] as const;

/** Returns true with the bearer token if one is configured; otherwise for unproxied requests of this machine. */
async function mayReadMetrics(c: Context<HttpEnv>, token: string | null): Promise<boolean> {
  if (token !== null) {
    const key = bearerOf(c.req.header("authorization"));
    return key !== null && timingSafeEqual(key, token);
  }
  const proxied = PROXY_HEADERS.some((header) => c.req.header(header) !== undefined);
  return !proxied && /^(127\.\d+\.\d+\.\d+|::1)$/.test(c.get("address"));
}

/** @throws ToolError for a caller who may not read the metrics */
async function checkMetricsAccess(c: Context<HttpEnv>, token: string | null): Promise<void> {
  if (await mayReadMetrics(c, token)) return;
  throw token === null
    ? new ToolError("NOT_FOUND", "The metrics are available only on this machine", {
        hint: "Set METRICS_TOKEN to read them from another machine.",
      })
    : new ToolError("UNAUTHENTICATED", "The metrics require a token", {
        hint: "Send `Authorization: Bearer <METRICS_TOKEN>`.",
      });
}
