import { type Context, Hono } from "hono";
import { timingSafeEqual } from "hono/utils/buffer";
import type { StorageFault } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { bearerOf } from "./bearer.ts";
import type { Metrics } from "./metrics.ts";
import { routeGet } from "./problem.ts";
import type { HttpEnv, HttpServerDeps } from "./server-deps.ts";

/**
 * Serves /livez (process is running), /readyz (accepts calls; 503 while draining or with a damaged database; read_only
 * while the disk is full) and /metrics (Prometheus).
 */
export function probes(
  { settings, ports }: Pick<HttpServerDeps, "settings" | "ports">,
  ready: () => boolean,
  metrics: Pick<Metrics, "read">,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  routeGet(app, "/livez", (c) => c.json({ ok: true, status: "alive" }, 200, { "cache-control": "no-store" }));
  routeGet(app, "/readyz", (c) =>
    ready()
      ? storageReadiness(c, ports.storage?.fault() ?? null)
      : c.json({ ok: false, status: "draining" }, 503, { "cache-control": "no-store", "retry-after": "5" }),
  );
  routeGet(app, "/metrics", async (c) => {
    await checkMetricsAccess(c, settings.metricsToken);
    const { text, contentType } = await metrics.read();
    return c.body(text, 200, { "content-type": contentType, "cache-control": "no-store" });
  });
  return app;
}

function storageReadiness(c: Context<HttpEnv>, fault: StorageFault | null): Response {
  if (fault?.kind === "damaged")
    return c.json({ ok: false, status: "damaged", since: fault.since }, 503, { "cache-control": "no-store" });
  const state = fault?.kind === "full" ? { status: "read_only", since: fault.since } : { status: "ready" };
  return c.json({ ok: true, ...state }, 200, { "cache-control": "no-store" });
}

/** Headers that mark a request as forwarded by a proxy. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "x-real-ip", "via"] as const;

/** Requires the bearer token if one is configured; otherwise allows only unproxied loopback requests. */
async function checkMetricsAccess(c: Context<HttpEnv>, token: string | null): Promise<void> {
  if (token !== null) {
    const key = bearerOf(c.req.header("authorization"));
    if (key !== null && (await timingSafeEqual(key, token))) return;
    throw new ToolError("UNAUTHENTICATED", "The metrics require a token", {
      hint: "Send `Authorization: Bearer <METRICS_TOKEN>`.",
    });
  }
  const proxied = PROXY_HEADERS.some((header) => c.req.header(header) !== undefined);
  if (!proxied && /^(127\.\d+\.\d+\.\d+|::1)$/.test(c.get("address"))) return;
  throw new ToolError("NOT_FOUND", "The metrics are available only on this machine", {
    hint: "Set METRICS_TOKEN to read them from another machine.",
  });
}
