import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Dependencies } from "../../../src/domain/operation-port.ts";
import type { StorageFault } from "../../../src/domain/ports.ts";
import { createMetrics } from "../../../src/transports/http/metrics.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import { probes } from "../../../src/transports/http/probes.ts";
import type { HttpEnv, HttpSettings } from "../../../src/transports/http/server-deps.ts";
import { httpServerDeps, served } from "../../support/http.ts";

function probed(settings: Partial<HttpSettings> = {}, ready = () => true, fault: StorageFault | null = null) {
  const { ports, ...rest } = httpServerDeps([], { settings });
  const deps = { ...rest, ports: { ...ports, storage: { fault: () => fault } } };
  return applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route(
    "/",
    probes(deps, ready, createMetrics()),
  );
}

it("reports liveness always, and readiness until draining begins", async () => {
  let ready = true;
  const app = probed({}, () => ready);
  expect((await app.request("/readyz")).status).toBe(200);
  ready = false;
  const draining = await app.request("/readyz");
  expect([draining.status, draining.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await draining.json()).toEqual({ ok: false, status: "draining" });
  expect((await app.request("/livez")).status).toBe(200);
});

it("reports a damaged database as not ready, a full disk as read-only, and missing changes as ready", async () => {
  const since = "2026-01-15T15:00:00.000Z";
  const readiness = async (kind: StorageFault["kind"]) => {
    const answer = await probed({}, () => true, { kind, since }).request("/readyz");
    return [answer.status, await answer.json()];
  };
  expect(await readiness("damaged")).toEqual([503, { ok: false, status: "damaged", since }]);
  expect(await readiness("full")).toEqual([200, { ok: true, status: "read_only", since }]);
  expect(await readiness("incomplete")).toEqual([200, { ok: true, status: "ready" }]);
});

describe("the state of dependencies", () => {
  const healthy: Dependencies = {
    storage: null,
    database: { clock_offset_ms: 5_000, connections: { open: 2, idle: 1, waiting: 0 }, is_listening: true },
    disk_free_bytes: 9,
    compute: { paused_s: null, refused_for_memory: 0, waiting: 0 },
    providers: [
      { name: "one", answering: true },
      { name: "two", answering: false },
    ],
  };
  const over = (changed: Partial<Dependencies>, settings: Partial<HttpSettings> = {}, ready = () => true) => {
    const dependencies = async () => ({ ...healthy, ...changed });
    const operation = {
      dependencies,
      queues: async () => [],
      jobs: async () => [],
      isLeader: () => true,
      isAuditIntact: () => null,
    };
    const deps = { ...httpServerDeps([], { settings }), operation };
    return applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route(
      "/",
      probes(deps, ready, createMetrics()),
    );
  };
  const answerOf = async (app: ReturnType<typeof over>, headers = {}) =>
    served(app, async (origin) => {
      const answer = await fetch(`${origin}/readyz`, { headers });
      return { status: answer.status, body: (await answer.json()) as Record<string, any> };
    });
  const database = healthy.database!;

  it("is shown on this machine, and with the token of the metrics", async () => {
    const { status, body } = await answerOf(over({}));
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        status: "ready",
        dependencies: {
          database: { ok: true, fault: null, connections: { open: 2, idle: 1, waiting: 0 } },
          clock: { ok: true, offset_ms: 5_000 },
          listener: { ok: true },
          disk: { ok: true, free_bytes: 9 },
          compute: { ok: true, paused_s: null, refused_for_memory: 0, waiting: 0 },
          providers: { ok: true, failing: ["two"] },
        },
      },
    ]);
    const anonymous = { status: 200, body: { ok: true, status: "ready" } };
    expect(await answerOf(over({}), { "x-forwarded-for": "203.0.113.9" })).toEqual(anonymous);
    const protectedApp = over({}, { metricsToken: "scrape-me" });
    expect(await answerOf(protectedApp)).toEqual(anonymous);
    const authorization = "Bearer scrape-me";
    expect((await answerOf(protectedApp, { authorization })).body).toHaveProperty("dependencies");
  });

  it.each<[string, Partial<Dependencies>, string, readonly string[]]>([
    ["a database that does not answer", { database: null }, "database_unavailable", ["database", "listener"]],
    [
      "a clock off by more than 5 s",
      { database: { ...database, clock_offset_ms: -5_001 } },
      "clock_off",
      ["clock"],
    ],
  ])("is not ready with %s, and the process stays alive", async (_, changed, status, failing) => {
    const app = over(changed);
    const { status: code, body } = await answerOf(app);
    expect([code, body.ok, body.status]).toEqual([503, false, status]);
    expect(failingIn(body)).toEqual(failing);
    expect((await app.request("/livez")).status).toBe(200);
  });

  it.each<[string, Partial<Dependencies>, readonly string[]]>([
    ["a lost listener", { database: { ...database, is_listening: false } }, ["listener"]],
    ["paused threads", { compute: { paused_s: 9, refused_for_memory: 0, waiting: 4 } }, ["compute"]],
    ["no provider that answers", { providers: [{ name: "one", answering: false }] }, ["providers"]],
    ["a full disk", { storage: { kind: "full", since: "" } }, ["disk"]],
    ["SQLite", { database: { clock_offset_ms: null, connections: null, is_listening: null } }, []],
  ])("is ready with %s", async (_, changed, failing) => {
    const { status, body } = await answerOf(over(changed));
    expect([status, failingIn(body)]).toEqual([200, failing]);
  });

  const failingIn = ({ dependencies }: Record<string, any>) =>
    Object.entries<{ ok: boolean }>(dependencies)
      .filter(([, { ok }]) => !ok)
      .map(([name]) => name);
});

it("accepts any host name for probes, but not for metrics", async () => {
  const statuses = ["/livez", "/readyz", "/metrics"].map(
    async (path) => (await probed().request(path, { headers: { host: "10.1.2.3:8787" } })).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
});

it("rejects other verbs", async () => {
  const answer = await probed().request("/livez", { method: "POST" });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

describe("metrics", () => {
  const read = (headers: Record<string, string>, settings: Partial<HttpSettings> = {}) =>
    served(probed(settings), async (origin) => (await fetch(`${origin}/metrics`, { headers })).status);

  it("are readable from this machine, but not through a proxy on it", async () => {
    await served(probed(), async (origin) => {
      const answer = await fetch(`${origin}/metrics`);
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
      expect(await answer.text()).toContain("market_signal_process_cpu_seconds_total");
    });
    expect(await read({ "x-forwarded-for": "203.0.113.9" })).toBe(404);
    expect(await read({ "x-forwarded-for": "127.0.0.1" }, { trustProxy: true })).toBe(404);
    expect(await read({ forwarded: "for=203.0.113.9" })).toBe(404);
  });

  it("are not readable without a client address", async () => {
    expect((await probed().request("/metrics")).status).toBe(404);
  });

  it("require the token from any address if it is set", async () => {
    const settings = { metricsToken: "scrape-me" };
    expect(await read({}, settings)).toBe(401);
    expect(await read({ authorization: "Bearer scrape-you" }, settings)).toBe(401);
    expect(
      await read({ authorization: "Bearer scrape-me", "x-forwarded-for": "203.0.113.9" }, settings),
    ).toBe(200);
  });
});
