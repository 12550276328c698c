import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../../../src/kernel/tool.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { widgetRoutes } from "../../../src/transports/web/widget.tsx";
import { httpServerDeps } from "../../support/http.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

function widget() {
  let calls = 0;
  const demo = defineTool({
    ...TEST_TOOL,
    name: "get_card",
    title: "Card",
    toolset: "signal",
    plan: "open",
    route: "GET /api/v1/card",
    role: "demo",
    output: z.object({ ok: z.boolean() }),
    handler: () => {
      calls++;
      return { ok: true };
    },
  });
  const deps = httpServerDeps([demo], { ports: { market: { mode: "sample", id: "test", demo: "BTC-USD" } } });
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route("/", widgetRoutes(deps));
  return { get: (path: string) => app.request(path), calls: () => calls };
}

describe("the widget", () => {
  it("may be framed by any origin, and calls the demo only", async () => {
    const { get, calls } = widget();
    const { status, headers } = await get("/widget");
    expect(status).toBe(200);
    expect(headers.get("x-frame-options")).toBeNull();
    expect(headers.get("content-security-policy")).toContain("frame-ancestors *");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(calls()).toBe(1);
  });

  it.each(["sym=TSLA", "symbol=TSLA", "sym=BTC-USD&sym=TSLA"])(
    "refuses %s before any call",
    async (query) => {
      const { get, calls } = widget();
      const response = await get(`/widget?${query}`);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain("This widget shows BTC-USD only, not TSLA");
      expect(calls()).toBe(0);
    },
  );

  it("takes its own symbol by name, and writes others as text", async () => {
    const { get, calls } = widget();
    expect((await get("/widget?sym=btc-usd")).status).toBe(200);
    expect(calls()).toBe(1);
    expect(await (await get("/widget?sym=%3Cscript%3E")).text()).not.toContain("<script>");
  });

  it("is the only page without X-Frame-Options", async () => {
    const { get } = widget();
    expect((await get("/widget.css")).headers.get("x-frame-options")).toBe("DENY");
    expect((await get("/other")).headers.get("x-frame-options")).toBe("DENY");
  });
});
