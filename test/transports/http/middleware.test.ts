import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../src/kernel/errors.ts";
import { isBusy } from "../../../src/lib/event-loop.ts";
import { addressOf } from "../../../src/transports/http/address.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { collectingLog } from "../../support/context.ts";
import { asPro, httpApp, httpServerDeps, KEYS } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

const json = (answer: Response): Promise<any> => answer.json();
const app = () => httpApp(httpServerDeps(HTTP_TOOLS));
const health = (headers: Record<string, string>) => app().request("/api/v1/health", { headers });

describe("the id of a request", () => {
  const first = "00000000-0000-4000-8000-000000000001";

  it("is a new UUID; the caller's id is echoed in X-Request-Id", async () => {
    const { headers } = await health({ "x-request-id": "my.Trace_1-2" });
    expect([headers.get("request-id"), headers.get("x-request-id")]).toEqual([first, "my.Trace_1-2"]);
  });

  it.each(["", "a b", "a/b", "é", "x".repeat(129)])("ignores the caller's id %j", async (name) => {
    const { headers } = await health({ "x-request-id": name });
    expect([headers.get("request-id"), headers.get("x-request-id")]).toEqual([first, first]);
  });

  it("is included in errors too", async () => {
    const answer = await app().request("/nothing", { headers: { "x-request-id": "mine" } });
    expect(answer.headers.get("x-request-id")).toBe("mine");
    expect((await json(answer)).request_id).toBe(first);
  });
});

describe("hosts and origins", () => {
  it.each(["127.0.0.1", "127.0.0.1:8787", "localhost:1", "LOCALHOST", "[::1]:8787", "[::1]"])(
    "accepts Host %s",
    async (host) => {
      expect((await health({ host })).status).toBe(200);
    },
  );

  it.each([
    "evil.test",
    "evil.test:8787",
    "127.0.0.1.evil.test",
    "localhost@evil.test",
    "::1",
    "",
    "localhost:x",
  ])("rejects Host %j", async (host) => {
    const answer = await health({ host });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: "FORBIDDEN",
      title: "The account, the origin or the host name of the request is not allowed",
      detail: `The host name "${host}" is not one of this server's`,
      hint: "If it is yours, set PUBLIC_URL to the address that people type (behind a proxy), or add the name to ALLOWED_HOSTS.",
    });
  });

  it("warns once of a proxy that is not trusted", async () => {
    const warningsOf = async (trustProxy: boolean, headers: Record<string, string>) => {
      const { log, lines } = collectingLog();
      const server = httpApp(httpServerDeps(HTTP_TOOLS, { ports: { log }, settings: { trustProxy } }));
      for (let i = 0; i < 2; i++) await server.request("/api/v1/health", { headers });
      return lines.filter(({ event }) => event === "proxy_not_trusted").length;
    };
    const headers = { "x-forwarded-for": "203.0.113.9" };
    expect(await warningsOf(false, headers)).toBe(1);
    expect(await warningsOf(true, headers)).toBe(0);
    expect(await warningsOf(false, {})).toBe(0);
  });

  it.each(["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8787"])(
    "accepts the origin %s",
    async (origin) => {
      const answer = await health({ origin });
      expect(answer.status).toBe(200);
      expect(answer.headers.has("access-control-allow-origin")).toBe(false);
    },
  );

  it.each([
    "null",
    "https://evil.test",
    "file://",
    "chrome-extension://abc",
    "https://localhost.evil.test",
    "http://",
  ])("rejects the origin %j", async (origin) => {
    expect((await health({ origin })).status).toBe(403);
    const preflight = await app().request("/api/v1/scan", { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(403);
  });
});

describe("requests in a busy iteration of the event loop", () => {
  const keepBusy = async () => {
    await new Promise((next) => setImmediate(next));
    isBusy();
    const end = performance.now() + 10;
    while (performance.now() < end);
  };

  it("take turns by account, and those without a known key by network; probes do not wait", async () => {
    const order: string[] = [];
    const served = app();
    served.get("/livez", (c) => c.text("alive"));
    const ask = async (name: string, path: string, headers: Record<string, string> = {}) => {
      await served.request(path, { headers });
      order.push(name);
    };
    await ask("known", "/api/v1/health", asPro);
    await keepBusy();
    const all = [
      ...["n1", "n2", "n3", "n4"].map((name) => ask(name, "/nothing", { authorization: `Bearer ${name}` })),
      ask("pro", "/api/v1/health", asPro),
      ask("livez", "/livez"),
    ];
    await Promise.all(all);
    expect(order.indexOf("livez")).toBe(1);
    expect(order.indexOf("pro")).toBeLessThan(order.indexOf("n3"));
  });
});

describe("headers of every response", () => {
  it.each(["/api/v1/health", "/nothing", "/api/v1/echo/A"])("set the security policy at %s", async (path) => {
    const { headers } = await app().request(path);
    expect(headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.has("x-powered-by")).toBe(false);
  });

  it("are added to raw responses without replacing existing headers", async () => {
    const deps = httpServerDeps([]);
    const own = applyMiddleware(new Hono<HttpEnv>(), deps).get(
      "/api/raw",
      () => new Response("x", { headers: { "Referrer-Policy": "origin" } }),
    );
    const { headers } = await own.request("/api/raw");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("origin");
  });
});

describe("authentication", () => {
  it.each([`Bearer ${KEYS.pro}`, `bearer ${KEYS.pro}`, `BEARER   ${KEYS.pro}`])(
    "accepts the authorization header %j",
    async (authorization) => {
      expect((await app().request("/api/v1/echo/A", { headers: { authorization } })).status).toBe(200);
    },
  );

  it.each([
    "Basic dXNlcjpwYXNz",
    "Bearer",
    "Bearer ",
    KEYS.pro,
    `Bearer ${KEYS.pro} extra`,
    `Token ${KEYS.pro}`,
    `Bearer,${KEYS.pro}`,
    "Bearer unknown",
    `Bearer ${"x".repeat(513)}`,
    `Bearer ${KEYS.pro}, Bearer ${KEYS.pro}`,
  ])("rejects %j, even for open tools", async (authorization) => {
    for (const path of ["/api/v1/echo/A", "/api/v1/health", "/api/nothing", "/api"]) {
      const answer = await app().request(path, { headers: { authorization } });
      expect([answer.status, (await json(answer)).code]).toEqual([401, "UNAUTHENTICATED"]);
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
    }
  });

  it("does not accept a key in the query string", async () => {
    for (const name of ["api_key", "key", "token", "access_token", "authorization"]) {
      const answer = await app().request(`/api/v1/echo/A?${name}=${KEYS.pro}`);
      expect(answer.status).toBe(401);
      expect(JSON.stringify(await answer.json())).not.toContain(KEYS.pro);
    }
  });

  it("checks the key before it reads the body", async () => {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("the body was read")) });
    const init = { method: "POST", body, duplex: "half", headers: { "content-type": "application/json" } };
    const answer = await app().request("/api/v1/scan", {
      ...init,
      headers: { authorization: "Bearer unknown" },
    } as RequestInit);
    expect(answer.status).toBe(401);
  });

  it("passes key and address to identify, and returns the limit on wrong keys", async () => {
    const requests: unknown[] = [];
    const deps = httpServerDeps(HTTP_TOOLS, { settings: { trustProxy: true } });
    const own = httpApp({
      ...deps,
      identify: async (bearer, address) => {
        requests.push([bearer, address]);
        throw new ToolError("RATE_LIMITED", "Too many wrong keys", { data: { retry_after: 12.2 } });
      },
    });
    const answer = await own.request("/api/v1/health", {
      headers: { authorization: "Bearer abc", "x-forwarded-for": "10.0.0.1, 203.0.113.9" },
    });
    expect(requests).toEqual([["abc", "203.0.113.9"]]);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "13"]);
  });

  it.each([
    ["127.0.0.1", "203.0.113.9", false, "127.0.0.1"],
    ["::ffff:10.0.0.7", undefined, false, "10.0.0.7"],
    ["127.0.0.1", "198.51.100.1, 203.0.113.9", true, "203.0.113.9"],
    ["127.0.0.1", "203.0.113.9, 2001:db8::1", true, "2001:db8::1"],
    ["127.0.0.1", "203.0.113.9, unknown", true, "127.0.0.1"],
    ["127.0.0.1", "", true, "127.0.0.1"],
    ["127.0.0.1", undefined, true, "127.0.0.1"],
    [undefined, undefined, true, "unknown"],
  ])("resolves socket %s with hops %s (trusted: %s) to %s", (socket, hops, trustProxy, address) => {
    expect(addressOf(socket, hops, { trustProxy })).toBe(address);
  });
});

it("logs an unexpected error and reveals none of it", async () => {
  const { log, lines } = collectingLog();
  const own = applyMiddleware(new Hono<HttpEnv>(), httpServerDeps([], { ports: { log } })).get(
    "/boom",
    () => {
      throw new Error("secret");
    },
  );
  const answer = await own.request("/boom", { headers: asPro });
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("secret");
  expect(lines).toMatchObject([{ level: "error", fields: { cause: { message: "secret" } } }]);
});

describe("malicious addresses and origins", () => {
  it.each([
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["203.0.113.9", "203.0.113.9"],
    ["1.2.3.4, 203.0.113.9:1", "203.0.113.9"],
    ["not an address", "10.0.0.1"],
    ["203.0.113.9:x", "10.0.0.1"],
  ])("reads the last hop of %j as %s, ignoring its port", (forwarded, address) => {
    expect(addressOf("10.0.0.1", forwarded, { trustProxy: true })).toBe(address);
  });

  it.each(["http://evil.test//127.0.0.1", "http://evil.test/#//localhost", "http://localhost/path"])(
    "rejects the malformed origin %j",
    async (origin) => {
      expect((await health({ origin })).status).toBe(403);
    },
  );
});
