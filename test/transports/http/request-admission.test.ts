import { describe, expect, it } from "vitest";
import { NETWORK_LIMITS } from "../../../src/access/admission.ts";
import type { BrowserSessions } from "../../../src/access/sign-in/browser-sessions.ts";
import { busyError } from "../../../src/store/storage-errors.ts";
import { countingMeters, pro } from "../../support/context.ts";
import { asMember, asPro, httpApp, httpServerDeps } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

const HEALTHY = HTTP_TOOLS.map((tool) =>
  tool.route === "GET /api/v1/health" ? { ...tool, role: "health" as const } : tool,
);
const from = (address: string, headers: Readonly<Record<string, string>> = {}) => ({
  headers: { ...headers, "x-forwarded-for": address },
});

const withSession = { cookie: "market_signal_session=any" };

function counted() {
  const { meters, debits } = countingMeters({ burst: 1_000 });
  const deps = httpServerDeps(HEALTHY, { ports: { meters }, settings: { trustProxy: true } });
  const browserSessions = { resolve: async () => pro } as unknown as BrowserSessions;
  const app = httpApp({ ...deps, browserSessions });
  const statuses = async (times: number, path: string, init: RequestInit) => {
    const found = new Set<number>();
    for (let sent = 0; sent < times; sent++) found.add((await app.request(path, init)).status);
    return [...found];
  };
  return { app, debits, statuses };
}

describe("a request of an account", () => {
  it.each([
    ["a call", "GET", "/api/v1/echo/A", asPro, 200, 1],
    ["a call with invalid input", "GET", "/api/v1/echo/A?min_x=1", asPro, 400, 0],
    ["a call above the plan", "DELETE", "/api/v1/notes/1", asMember, 403, 0],
    ["a call that needs a key", "DELETE", "/api/v1/notes/1", {}, 401, 0],
    ["a wrong verb", "PATCH", "/api/v1/echo/A", asPro, 405, 0],
    ["an unknown path", "GET", "/api/v1/nothing", asPro, 404, 0],
    ["a health check with a key", "GET", "/api/v1/health", asPro, 200, 1],
    ["a health check with a session", "GET", "/api/v1/health", withSession, 200, 1],
  ] as const)("counts once: %s", async (_, method, path, headers, status, day) => {
    const { debits, statuses } = counted();
    expect(await statuses(1, path, { method, headers })).toEqual([status]);
    expect(debits).toEqual({ burst: 1, day });
  });
});

describe("a request without an account", () => {
  it("is refused as long as the database is away, however many there are, and counts towards no limit", async () => {
    const deps = httpServerDeps(HEALTHY, { settings: { trustProxy: true } });
    const identify = async () => {
      throw busyError(undefined, "Nothing was stored: the database does not answer");
    };
    const app = httpApp({ ...deps, identify });
    for (let sent = 0; sent <= NETWORK_LIMITS.page.quota; sent++)
      expect((await app.request("/api/v1/echo/A", from("192.0.2.1", asPro))).status).toBe(503);
    expect((await app.request("/nothing", from("192.0.2.1"))).status).toBe(404);
  });

  it("counts towards the pages of its network, known or not, and leaves calls alone", async () => {
    const { app, debits, statuses } = counted();
    const { quota } = NETWORK_LIMITS.page;
    expect(await statuses(quota - 4, "/nothing", from("2001:db8::1"))).toEqual([404]);
    const foreign = { ...asPro, origin: "https://evil.test" };
    expect(await statuses(1, "/api/v1/echo/A", from("2001:db8::2", foreign))).toEqual([403]);
    expect(await statuses(1, "/nothing", from("2001:db8::2", { host: "evil.test" }))).toEqual([403]);
    const malformed = { authorization: "Basic eDp5" };
    expect(await statuses(1, "/api/v1/echo/A", from("2001:db8::3", malformed))).toEqual([401]);
    expect(await statuses(1, "/api/v1/echo/A", { ...from("2001:db8::4", asPro), method: "OPTIONS" })).toEqual(
      [204],
    );
    const refused = await app.request("/nothing", from("2001:db8::5"));
    expect([
      refused.status,
      refused.headers.get("content-type"),
      refused.headers.get("x-content-type-options"),
    ]).toEqual([429, "application/problem+json", "nosniff"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", window: "burst", quota });
    expect(await statuses(1, "/nothing", from("2001:db9::1"))).toEqual([404]);
    expect(await statuses(1, "/api/v1/echo/A", from("2001:db8::1", asPro))).toEqual([200]);
    expect(debits).toEqual({ burst: 1, day: 1 });
  });

  it("to check the health costs its caller nothing", async () => {
    const { debits, statuses } = counted();
    expect(await statuses(NETWORK_LIMITS.probe.quota, "/api/v1/health", from("203.0.113.7"))).toEqual([200]);
    expect(await statuses(1, "/api/v1/health", from("203.0.113.7"))).toEqual([429]);
    expect(await statuses(1, "/health", from("203.0.113.7"))).toEqual([429]);
    expect(await statuses(1, "/nothing", from("203.0.113.7"))).toEqual([404]);
    expect(debits).toEqual({ burst: 0, day: 0 });
  });
});
