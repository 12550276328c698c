import { Hono } from "hono";
import type { HttpDoor, HttpEnv } from "./http/door.ts";
import { withFront } from "./http/front.ts";
import { createMetrics } from "./http/metrics.ts";
import { probes } from "./http/probes.ts";
import { mcpHttpDoor } from "./mcp/http.ts";
import { openapiDoor } from "./openapi/openapi.ts";
import { restDoor } from "./rest/rest.ts";
import { docsDoor } from "./web/docs.ts";

/** Every HTTP door behind one front. */
export interface Site {
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** From now on /readyz says no; open streams end, running MCP calls are cancelled. */
  drain(): Promise<void>;
}

/** Joins the HTTP doors: front, probes, documents, MCP, REST. Calls are counted whatever door they came through. */
export function createSite(given: HttpDoor): Site {
  const metrics = createMetrics();
  const door: HttpDoor = { ...given, ports: { ...given.ports, log: metrics.meteredLog(given.ports.log) } };
  let draining = false;
  const mcp = mcpHttpDoor(door);
  const app = new Hono<HttpEnv>({ strict: false });
  app.use("*", metrics.timed);
  withFront(app, door);
  app.route(
    "/",
    probes(door, () => !draining, metrics),
  );
  app.get("/", (c) => c.redirect("/docs"));
  app.route("/", openapiDoor(door));
  app.route("/", docsDoor(door));
  app.route("/", mcp.route);
  app.route("/", restDoor(door));
  return {
    fetch: (request, env) => app.fetch(request, env),
    async drain() {
      draining = true;
      await mcp.close();
    },
  };
}
