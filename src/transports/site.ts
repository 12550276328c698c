import type { TaskStore } from "@a2a-js/sdk/server";
import { Hono } from "hono";
import { a2aDoor } from "./a2a/door.ts";
import type { A2aPush } from "./a2a/push.ts";
import type { HttpDoor, HttpEnv } from "./http/door.ts";
import { withFront } from "./http/front.ts";
import { createMetrics } from "./http/metrics.ts";
import { probes } from "./http/probes.ts";
import { mcpHttpDoor } from "./mcp/http.ts";
import { openapiDoor } from "./openapi/openapi.ts";
import { restDoor } from "./rest/rest.ts";
import { streamDoor } from "./rest/stream.ts";
import { createArrivals } from "./web/arrivals.ts";
import { docsDoor } from "./web/docs.tsx";
import { homeDoor } from "./web/home.tsx";

/** Every HTTP door behind one front. */
export interface Site {
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** From now on /readyz says no; open streams end, running MCP and A2A calls are cancelled at once, those over REST after a grace. */
  drain(): Promise<void>;
}

/** How long calls over REST may run on once the server is told to stop: well before their connections are cut. */
const GRACE_MS = 6_000;

/** Joins the HTTP doors: front, probes, first page, documents, MCP, A2A, REST. Calls are counted whatever door they came through. */
export function createSite({
  a2aTasks,
  a2aPush = null,
  ...given
}: HttpDoor & { readonly a2aTasks: TaskStore; readonly a2aPush?: A2aPush | null }): Site {
  const metrics = createMetrics();
  const arrivals = createArrivals(given.ports.clock);
  const log = arrivals.heardLog(metrics.meteredLog(given.ports.log));
  const door: HttpDoor = { ...given, ports: { ...given.ports, log } };
  const running = new Set<AbortController>();
  let draining = false;
  const mcp = mcpHttpDoor(door);
  const streams = streamDoor(door);
  const a2a = a2aDoor(door, a2aTasks, a2aPush);
  const app = new Hono<HttpEnv>({ strict: false });
  app.use("*", metrics.timed);
  withFront(app, door);
  app.route(
    "/",
    probes(door, () => !draining, metrics),
  );
  app.route("/", homeDoor(door, { ready: () => !draining, arrivals }));
  app.route("/", openapiDoor(door));
  app.route("/", docsDoor(door));
  app.route("/", mcp.route);
  app.route("/", a2a.route);
  app.route("/", streams.route); // before a parameter that would take its last word
  app.route("/", restDoor(door, running));
  return {
    fetch: (request, env) => app.fetch(request, env),
    async drain() {
      draining = true;
      setTimeout(() => {
        for (const call of running) call.abort();
      }, GRACE_MS).unref();
      await Promise.all([mcp.close(), streams.close(), a2a.close()]);
    },
  };
}
