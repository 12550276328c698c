import { describe, expect, it } from "vitest";
import { EXPOSED_HEADERS } from "../../../src/transports/http/cors.ts";
import { HEADERS } from "../../../src/transports/openapi/parts.ts";
import { eventReader } from "../../support/events.ts";
import { useInstallation } from "../../support/installation.ts";
import { rawRequest } from "../../support/raw-http.ts";

const PAGE = "https://app.example.com";
const CALL = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
} as const;
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
/** Paths with a method, as pages call them. */
const API = [
  ["GET", "/api/v1/quote/AAPL"],
  ["POST", "/api/v1/scan"],
  ["DELETE", "/api/v1/watchlists/a"],
  ["POST", "/api/mcp"],
  ["GET", "/api/mcp/sse"],
  ["POST", "/api/mcp/sse/messages"],
  ["POST", "/api/a2a"],
  ["POST", "/api/a2a/rest/message:send"],
  ["GET", "/api/v1/quotes/stream"],
  ["POST", "/api/v1/stream-tokens"],
  ["GET", "/openapi.json"],
  ["GET", "/.well-known/agent-card.json"],
] as const;

describe("CORS_ORIGINS with one origin", () => {
  const site = useInstallation("sample", { CORS_ORIGINS: `${PAGE},http://localhost:5173` });
  const ask = (path: string, init: Parameters<typeof rawRequest>[2] = {}) =>
    rawRequest(site.listening.port, path, { ...init, headers: { origin: PAGE, ...init.headers } });
  /** A preflight request as Chromium sends it: without a key. */
  const preflight = (path: string, method: string, headers: string, origin = PAGE) =>
    rawRequest(site.listening.port, path, {
      method: "OPTIONS",
      headers: {
        accept: "*/*",
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": headers,
        "sec-fetch-mode": "cors",
        "sec-fetch-site": "cross-site",
        "sec-fetch-dest": "empty",
      },
    });
  const bearer = async () => ({ authorization: `Bearer ${(await site.key("pro")).key}` });

  it.each(API)("answers the preflight of %s %s before authentication", async (method, path) => {
    const response = await preflight(path, method, "authorization,content-type");
    expect([response.status, response.body.length]).toEqual([204, 0]);
    expect(response.headers).toMatchObject({
      "access-control-allow-origin": PAGE,
      "access-control-allow-methods": "GET,HEAD,POST,PUT,DELETE",
      "access-control-max-age": "86400",
      vary: expect.stringMatching(/\bOrigin\b/),
    });
    expect(response.headers).not.toHaveProperty("access-control-allow-credentials");
    const allowed = response.headers["access-control-allow-headers"]!.toLowerCase().split(",");
    for (const name of [
      ...["authorization", "content-type", "idempotency-key", "last-event-id", "a2a-version"],
      ...["mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name", "if-none-match"],
    ])
      expect(allowed).toContain(name);
  });

  it("lets the page read REST, MCP, A2A and the document, each with the exposed headers", async () => {
    const key = await bearer();
    const a2a = { jsonrpc: "2.0", id: 1, method: "ListTasks", params: {} };
    const responses = await Promise.all([
      ask("/api/v1/quote/AAPL", { headers: key }),
      ask("/api/mcp", { method: "POST", headers: { ...key, ...CALL }, body: LIST }),
      ask("/api/a2a", {
        method: "POST",
        headers: { ...key, ...CALL, "a2a-version": "1.0" },
        body: JSON.stringify(a2a),
      }),
      ask("/openapi.json"),
      ask("/.well-known/agent-card.json"),
    ]);
    for (const { status, headers } of responses) {
      expect([status, headers["access-control-allow-origin"]]).toEqual([200, PAGE]);
      expect(headers["access-control-expose-headers"]).toBe(EXPOSED_HEADERS.join(","));
      expect(headers.vary?.match(/\bOrigin\b/g)).toHaveLength(1);
    }
  });

  it("lets the page read failures: 401, 403, 404, 405 and 429", async () => {
    const key = await bearer();
    const wrong = { authorization: "Bearer ms_live_wrong" };
    const problems = [
      await ask("/api/v1/quote/AAPL"),
      await ask("/api/mcp", { method: "POST", headers: { ...wrong, ...CALL }, body: LIST }),
      await ask("/api/v1/nothing", { headers: key }),
      await ask("/api/mcp", { method: "PUT", headers: key }),
      await ask("/api/v1/a2a/route", { method: "POST", headers: { ...key, ...CALL }, body: "{}" }),
    ];
    const statuses = problems.map(({ status }) => status);
    expect(statuses).toEqual([401, 401, 404, 405, 403]);
    const member = { authorization: `Bearer ${(await site.key("member")).key}` };
    for (let sent = 0; sent < 11; sent++) problems.push(await ask("/api/v1/quote/AAPL", { headers: member }));
    expect(problems.at(-1)).toMatchObject({ status: 429, headers: { "retry-after": expect.any(String) } });
    for (const { headers } of problems) expect(headers["access-control-allow-origin"]).toBe(PAGE);
  });

  it("lets the page read a stream", async () => {
    const response = await fetch(`${site.url}/api/v1/quotes/stream?symbols=AAPL`, {
      headers: { origin: PAGE, ...(await bearer()) },
    });
    const { next, leave } = eventReader(response);
    expect(response.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect((await next())?.event).toBe("hello");
    await leave();
  });

  it("lets the page use its headers at the public demo too", async () => {
    const response = await preflight("/api/v1/demo", "GET", "authorization");
    expect(response.headers["access-control-allow-headers"]).toContain("Authorization");
  });

  it.each(["https://evil.test", "https://app.example.com.evil.test", "http://app.example.com", "null"])(
    "refuses the origin %s, also its preflight",
    async (origin) => {
      const responses = [
        await preflight("/api/v1/quote/AAPL", "GET", "authorization", origin),
        await ask("/api/v1/quote/AAPL", { headers: { ...(await bearer()), origin } }),
        await ask("/openapi.json", { headers: { origin } }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([403, 403, 200]);
      for (const { headers } of responses) expect(headers).not.toHaveProperty("access-control-allow-origin");
    },
  );

  it("refuses an unknown host also to an allowed origin", async () => {
    const response = await ask("/api/v1/health", { headers: { host: "evil.test" } });
    expect([response.status, response.headers["access-control-allow-origin"]]).toEqual([403, undefined]);
  });

  it("opens no page of the server", async () => {
    for (const path of ["/", "/docs", "/status", "/metrics", "/livez"])
      expect((await ask(path)).headers, path).not.toHaveProperty("access-control-allow-origin");
  });

  it("says that answers depend on the origin, also without one", async () => {
    const response = await rawRequest(site.listening.port, "/openapi.json");
    expect(response.headers.vary).toBe("Accept-Encoding, Origin");
    expect(response.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("CORS_ORIGINS=*", () => {
  const site = useInstallation("sample", { CORS_ORIGINS: "*" });

  it("allows pages of every origin, without cookies", async () => {
    for (const origin of ["https://any.example", "null", "chrome-extension://abc"]) {
      const { key } = await site.key("pro");
      const response = await rawRequest(site.listening.port, "/api/v1/quote/AAPL", {
        headers: { origin, authorization: `Bearer ${key}` },
      });
      expect([response.status, response.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
      expect(response.headers).not.toHaveProperty("access-control-allow-credentials");
      expect(response.headers.vary).toBe("Accept-Encoding");
    }
  });
});

it("exposes every documented response header that a page cannot know from its request", () => {
  for (const name of Object.keys(HEADERS).filter((each) => each !== "Vary"))
    expect(EXPOSED_HEADERS).toContain(name);
});
