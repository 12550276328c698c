import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Ports } from "../../../src/domain/ports.ts";
import { ERROR_CODES } from "../../../src/kernel/errors.ts";
import { defineTool } from "../../../src/kernel/tool.ts";
import { PROBLEMS } from "../../../src/transports/http/problem.ts";
import { collectingLog, countingMeters } from "../../support/context.ts";
import { asMember, asPro, httpApp, httpServerDeps, served } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";

const bars = { history: async () => Promise.reject(new Error("not asked for")) } as unknown as Ports["bars"];
const { meters } = countingMeters({ burst: 1e9, day: 1e9 });
const app = httpApp(httpServerDeps(HTTP_TOOLS, { ports: { bars, meters } }));
type Body = NonNullable<RequestInit["body"]>;
const json = (answer: Response): Promise<any> => answer.json();
const get = (path: string, headers: Record<string, string> = asPro) => app.request(path, { headers });
const send = (method: string, path: string, body?: Body, headers: Record<string, string> = {}) =>
  app.request(path, {
    method,
    headers: { "content-type": "application/json", ...asPro, ...headers },
    ...(body !== undefined && { body }),
  });
const got = async (path: string) => (await json(await get(path))).got;

describe("one input from path, query and body", () => {
  it("converts query text by the tool's schema and defaults to full detail", async () => {
    expect(await got("/api/v1/echo/AAPL?limit=5&ratio=0.5&deep=false&tags=a,b")).toEqual({
      symbol: "AAPL",
      limit: 5,
      ratio: 0.5,
      deep: false,
      tags: ["a", "b"],
      detail: "full",
    });
    expect((await got("/api/v1/echo/A?detail=concise")).detail).toBe("concise");
  });

  it.each([
    ["/api/v1/echo/BTC%2FUSD", "BTC/USD"],
    ["/api/v1/echo/BTC/USD", "BTC/USD"],
    ["/api/v1/echo/BTC/USD/", "BTC/USD"],
    ["/api/v1/echo/BTC-USD/", "BTC-USD"],
    ["/api/echo?symbol=BTC/USD", "BTC/USD"],
    ["/api/v1/echo/%25", "%"],
    ["/api/v1/echo/100%2525", "100%25"],
    ["/api/v1/echo/a%3Fb%23c%20d+e", "a?b#c d+e"],
    ["/api/echo?symbol=a+b%2Bc", "a b+c"],
    ["/api/v1/echo/%C3%A9%F0%9F%90%82", "é🐂"],
  ])("reads the symbol of %s as %s", async (path, symbol) => {
    expect((await got(path)).symbol).toBe(symbol);
  });

  it("joins repeated list values and accepts equal repeated fields, across path, query and body", async () => {
    expect((await got("/api/v1/echo/A?tags=a&tags=b,c")).tags).toEqual(["a", "b", "c"]);
    expect((await got("/api/v1/echo/A?symbol=A&limit=5&limit=5")).limit).toBe(5);
    const same = await send("PUT", "/api/v1/notes/7?text=x", '{"id": 7, "text": "x"}');
    expect(await same.json()).toEqual({ which: "saved 7: x", label: "SAMPLE (simulated)" });
  });

  it.each([
    ["GET", "/api/v1/echo/A?symbol=B", undefined, "symbol"],
    ["GET", "/api/v1/echo/A?limit=1&limit=2", undefined, "limit"],
    ["PUT", "/api/v1/notes/7?text=x", '{"text": "y"}', "text"],
    ["PUT", "/api/v1/notes/7", '{"id": 8, "text": "y"}', "id"],
    ["POST", "/api/v1/scan?symbols=A,B", '{"symbols": ["A", "C"]}', "symbols"],
  ])("rejects %s %s with %s for contradictory values of a field", async (method, path, body, field) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "INVALID_INPUT",
      detail: `"${field}" is given twice with different values`,
      errors: [{ pointer: `/${field}` }],
    });
  });

  it("reads a body on POST, PUT and DELETE, and a missing or blank one as {}", async () => {
    expect(await (await send("POST", "/api/v1/scan", '{"symbols":["A","B"]}')).json()).toEqual({
      ok: true,
      count: 2,
      label: "SAMPLE (simulated)",
    });
    expect(await (await send("DELETE", "/api/v1/notes/3")).json()).toMatchObject({ which: "dropped 3" });
    expect(await (await send("DELETE", "/api/v1/notes/3", " \n")).json()).toMatchObject({
      which: "dropped 3",
    });
    const empty = await send("POST", "/api/v1/scan");
    expect(await empty.json()).toMatchObject({ code: "INVALID_INPUT", errors: [{ pointer: "/symbols" }] });
  });
});

describe("input validation", () => {
  it.each([
    [
      "GET",
      "/api/v1/echo/A?min_nope=1",
      undefined,
      /min_nope: unknown field; for a filter this tool has tags/,
    ],
    ["GET", "/api/v1/echo/A?api_key=key-of-pro", undefined, /api_key: unknown field/],
    ["GET", "/api/v1/echo/A?limit=1.5", undefined, /limit/],
    ["GET", "/api/v1/echo/A?deep=yes", undefined, /deep/],
    ["GET", "/api/v1/echo/A?tags=a,b,c,d,e,f", undefined, /tags/],
    ["GET", "/api/v1/echo/%E0%A4", undefined, /path is not percent-encoded UTF-8/],
    ["GET", "/api/v1/echo/%", undefined, /path is not percent-encoded UTF-8/],
    ["GET", "/api/v1/echo/A?tags=%FF", undefined, /query is not percent-encoded UTF-8/],
    ["GET", "/api/v1/echo/A?tags=%zz", undefined, /query is not percent-encoded UTF-8/],
    ["GET", `/api/v1/echo/${"A".repeat(21)}`, undefined, /symbol/],
    ["POST", "/api/v1/scan", "{", /not JSON in UTF-8/],
    ["POST", "/api/v1/scan", "[1]", /must be a JSON object/],
    ["POST", "/api/v1/scan", "null", /must be a JSON object/],
    ["POST", "/api/v1/scan", '"x"', /must be a JSON object/],
    ["POST", "/api/v1/scan", '{"symbols": {}}', /symbols/],
    ["POST", "/api/v1/scan", '{"symbols": ["A"], "max_x": 1}', /max_x: unknown field/],
    ["POST", "/api/v1/scan", '{"symbols": ["A"], "symbols": ["B"]}', /symbols: is given twice/],
    ["POST", "/api/v1/scan", `{"symbols": ${"[".repeat(99)}${"]".repeat(99)}}`, /symbols/],
    ["PUT", "/api/v1/notes/x", '{"text": "y"}', /id/],
  ])("%s %s", async (method, path, body, detail) => {
    const answer = await send(method, path, body);
    const problem = await json(answer);
    expect([answer.status, problem.code]).toEqual([400, "INVALID_INPUT"]);
    expect(problem.detail).toMatch(detail);
  });

  it.each([
    ["GET", "/api/v1/echo/A?nope=1&utm_source=x", undefined, ['"nope"', '"utm_source"']],
    ["GET", "/api/v1/echo/A?limit=&=1", undefined, ['""']],
    ["POST", "/api/v1/scan", '{"symbols": ["A"], "x": 1}', ['"x"']],
  ])("%s %s answers without fields that mean nothing, and says so", async (method, path, body, names) => {
    const answer = await send(method, path, body);
    expect(answer.status).toBe(200);
    expect((await json(answer)).understood).toEqual([
      expect.stringMatching(new RegExp(`^Not applied: .* has no field ${names.join(", ")}\\.$`)),
    ]);
  });

  it("rejects 100,000 nested lists as too large", async () => {
    const answer = await send(
      "POST",
      "/api/v1/scan",
      `{"symbols": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    );
    expect([answer.status, (await json(answer)).code]).toEqual([413, "BODY_TOO_LARGE"]);
  });

  it("rejects bytes that are not UTF-8", async () => {
    const broken = new Uint8Array([...Buffer.from('{"symbols":["'), 0xff, 0xfe, ...Buffer.from('"]}')]);
    expect((await send("POST", "/api/v1/scan", broken)).status).toBe(400);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonp",
    "",
  ])("rejects a body declared as %j", async (type) => {
    const answer = await send("POST", "/api/v1/scan", '{"symbols":["A"]}', { "content-type": type });
    expect(await answer.json()).toMatchObject({ code: "INVALID_INPUT", hint: /json/ });
  });

  it.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/vnd.x+json"])(
    "accepts a body declared as %s",
    async (type) => {
      const answer = await send("POST", "/api/v1/scan", '{"symbols":["A"]}', { "content-type": type });
      expect(answer.status).toBe(200);
    },
  );

  it("prevents prototype pollution by a __proto__ key", async () => {
    const answer = await send("POST", "/api/v1/scan", '{"__proto__": {"symbols": ["A"]}, "constructor": {}}');
    expect(answer.status).toBe(400);
    expect((await get("/api/v1/echo/A?__proto__=x&constructor=y")).status).toBe(400);
    expect(({} as Record<string, unknown>).symbols).toBeUndefined();
  });
});

describe("routes", () => {
  it.each([
    ["/api/options-flow/tide", "tide"],
    ["/api/options-flow/tides", "flow of tides"],
    ["/api/options-flow/BTC/USD", "flow of BTC/USD"],
    ["/api/options-flow/darkpool", "flow of darkpool"],
    ["/api/options-flow/darkpool/AAPL", "prints of AAPL"],
    ["/api/options-flow/darkpool/BTC/USD", "prints of BTC/USD"],
  ])("matches literals before parameters: %s is %s", async (path, which) => {
    expect(await (await get(path)).json()).toEqual({ which });
  });

  it("responds to HEAD like GET, without the body", async () => {
    const [head, full] = [
      await app.request("/api/v1/echo/A", { method: "HEAD", headers: asPro }),
      await get("/api/v1/echo/A"),
    ];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const name of ["content-type", "cache-control", "ratelimit-policy"])
      expect(head.headers.get(name)).toBe(full.headers.get(name));
    expect((await app.request("/api/v1/echo/A?min_x=1", { method: "HEAD", headers: asPro })).status).toBe(
      400,
    );
  });

  it.each([
    ["/api/v1/notes/1", "PUT, DELETE, OPTIONS"],
    ["/api/v1/echo/A", "GET, HEAD, OPTIONS"],
    ["/api/v1/echo/A/B", "GET, HEAD, OPTIONS"],
  ])("returns the allowed methods of %s", async (path, allow) => {
    const options = await send("OPTIONS", path);
    expect([options.status, options.headers.get("allow"), await options.text()]).toEqual([204, allow, ""]);
    const wrong = await send("PATCH", path, "{}");
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, allow]);
    expect((await json(wrong)).code).toBe("METHOD_NOT_ALLOWED");
  });

  it.each([
    ["/api/v1/ecko/A", "Did you mean /api/v1/echo/:symbol?"],
    ["/api/v1/scans", "Did you mean /api/v1/scan?"],
    ["/favicon.ico", "/openapi.json lists every route."],
    ["/api/v1/echo/A/B/C", "Did you mean /api/v1/echo/:symbol?"],
    ["/.well-known/oauth-protected-resource", "/openapi.json lists every route."],
    ["/.well-known/oauth-protected-resource/api/mcp", "/openapi.json lists every route."],
    ["/.well-known/oauth-authorization-server", "/openapi.json lists every route."],
    ["/.well-known/openid-configuration", "/openapi.json lists every route."],
  ])("returns 404 for %s", async (path, hint) => {
    const answer = await get(path, {});
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({
      ok: false,
      code: "NOT_FOUND",
      hint: expect.stringContaining(hint),
    });
  });

  it("returns NOT_CONNECTED for a tool without its ports", async () => {
    const bare = httpApp(httpServerDeps(HTTP_TOOLS));
    const answer = await bare.request("/api/v1/scan", {
      method: "POST",
      headers: { ...asPro, "content-type": "application/json" },
      body: '{"symbols":["A"]}',
    });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "3600"]);
    expect(await answer.json()).toMatchObject({ code: "NOT_CONNECTED", retryable: false });
  });

  it("rejects a route outside /api/ at construction", () => {
    const outside = { ...HTTP_TOOLS[0]!, route: "GET /echo/:symbol", http: {} };
    expect(() => httpApp(httpServerDeps([outside]))).toThrow("outside /api/");
  });
});

describe("headers", () => {
  it("marks responses private unless the tool declares a public cache", async () => {
    const caching = async (path: string) => (await get(path)).headers.get("cache-control");
    expect(await caching("/api/v1/echo/A")).toBe("no-store");
    expect(await caching("/api/v1/health")).toBe("public, max-age=5");
    expect(await caching("/api/options-flow/tide")).toBe("private, max-age=60");
    expect(await caching("/api/v1/failure/REFUSED")).toBe("no-store");
    expect(await caching("/api/v1/health?min_x=1")).toBe("no-store");
  });

  it("labels the market on tools that read it, including errors", async () => {
    const scan = await send("POST", "/api/v1/scan", '{"symbols":["A"]}');
    expect(scan.headers.get("market-data")).toBe("sample");
    expect((await send("POST", "/api/v1/scan", "{}")).headers.get("market-data")).toBe("sample");
    expect((await get("/api/v1/health")).headers.has("market-data")).toBe(false);
  });

  it("contain both quota windows on every tool response, and the retry time", async () => {
    const { meters } = countingMeters({ burst: 2 });
    const small = httpApp(httpServerDeps(HTTP_TOOLS, { ports: { meters } }));
    const visit = async (path: string, method = "GET") => {
      const { status, headers } = await small.request(path, { method, headers: asMember });
      return [status, headers.get("ratelimit"), headers.get("retry-after")];
    };
    expect(await visit("/api/v1/echo/A")).toEqual([200, '"burst";r=1;t=30,"daily";r=999;t=32400', null]);
    expect(await visit("/api/v1/echo/A?min_x=1")).toEqual([
      400,
      '"burst";r=0;t=30,"daily";r=999;t=32400',
      null,
    ]);
    expect(await visit("/api/v1/echo/A")).toEqual([429, '"burst";r=0;t=30,"daily";r=999;t=32400', "30"]);
    // every message counts: a wrong verb, a call above the plan, an unknown path
    for (const [path, method] of [
      ["/api/v1/echo/A", "PATCH"],
      ["/api/v1/notes/1", "DELETE"],
      ["/api/v1/nothing", "GET"],
    ] as const)
      expect(await visit(path, method)).toEqual([429, '"burst";r=0;t=30,"daily";r=999;t=32400', "30"]);
    const policy = (await small.request("/api/v1/health")).headers.get("ratelimit-policy");
    expect(policy).toBe('"burst";q=2;w=60,"daily";q=1000;w=86400');
  });

  it("are omitted when the meters cannot be read", async () => {
    const meters = { ...countingMeters().meters, usage: async () => Promise.reject(new Error("gone")) };
    const answer = await httpApp(httpServerDeps(HTTP_TOOLS, { ports: { meters } })).request("/api/v1/health");
    expect([answer.status, answer.headers.has("ratelimit")]).toEqual([200, false]);
  });
});

describe("failures", () => {
  it.each(ERROR_CODES)("returns %s with its status as a problem", async (code) => {
    const answer = await get(`/api/v1/failure/${code}`);
    expect(answer.status).toBe(PROBLEMS[code].status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    const problem = await json(answer);
    expect(problem).toMatchObject({
      type: `/docs#${code}`,
      status: PROBLEMS[code].status,
      detail: `Failed with ${code}`,
      instance: `/api/v1/failure/${code}`,
      ok: false,
      code,
      hint: "Expect it.",
      symbol: "ZZZZ",
      price: null,
      data: { price: null },
    });
    expect(problem.request_id).toBe(answer.headers.get("request-id"));
    expect(problem.title).not.toBe("");
    expect(answer.headers.has("www-authenticate")).toBe(code === "UNAUTHENTICATED");
    expect(answer.headers.has("retry-after")).toBe(
      ["RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "NOT_CONNECTED", "STORAGE_BUSY"].includes(code),
    );
    expect(problem.retryable).toBe(
      ["RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "DEADLINE", "CANCELLED", "STORAGE_BUSY"].includes(code),
    );
  });

  it("reveals nothing of a crash and logs it once with its cause", async () => {
    const { log, lines } = collectingLog();
    const answer = await httpApp(httpServerDeps(HTTP_TOOLS, { ports: { log } })).request(
      "/api/v1/failure/crash",
      {
        headers: asPro,
      },
    );
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
    expect(lines.filter(({ level }) => level === "error")).toMatchObject([
      { event: "call", fields: { code: "INTERNAL", cause: { message: "secret detail of a crash" } } },
    ]);
  });

  it("logs a call under the request id that the caller receives", async () => {
    const { log, lines } = collectingLog();
    const answer = await httpApp(httpServerDeps(HTTP_TOOLS, { ports: { log } })).request("/api/v1/health");
    expect(lines).toMatchObject([
      {
        fields: {
          tool: "get_health",
          transport: "rest",
          code: "OK",
          request_id: answer.headers.get("request-id"),
        },
      },
    ]);
  });
});

it("keeps the connection usable after a HEAD and after a rejected body", async () => {
  await served(app, async (origin) => {
    const head = await fetch(`${origin}/api/v1/echo/A`, { method: "HEAD", headers: asPro });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "application/json",
      "",
    ]);
    const body = `{"symbols": ["${"A".repeat(200_000)}"]}`;
    const refused = await fetch(`${origin}/api/v1/scan`, {
      method: "POST",
      body,
      headers: { ...asPro, "content-type": "application/json" },
    });
    expect(refused.status).toBe(413);
    expect((await fetch(`${origin}/api/v1/echo/A`, { headers: asPro })).status).toBe(200);
  });
});

it("aborts the tool when its caller disconnects", async () => {
  const { log, lines } = collectingLog();
  let began: () => void;
  const begun = new Promise<void>((resolve) => {
    began = resolve;
  });
  const wait = defineTool({
    ...TEST_TOOL,
    name: "wait_long",
    title: "Wait",
    plan: "open",
    route: "GET /api/v1/wait",
    output: z.object({}),
    handler: (_, { signal }) => {
      began();
      return new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => reject(new Error("left"))),
      );
    },
  });
  await served(httpApp(httpServerDeps([wait], { ports: { log } })), async (origin) => {
    const client = new AbortController();
    const answer = fetch(`${origin}/api/v1/wait`, { signal: client.signal });
    await begun;
    client.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(lines).toMatchObject([{ level: "info", fields: { code: "CANCELLED" } }]));
  });
});

it("never returns a server error for any request", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }).map((value) => value.toWellFormed()),
    fc.constantFrom("A", "%", "%FF", "..", "__proto__", "BTC/USD", "9".repeat(400), "1e999", "\u0000", "🐂"),
  );
  const path = fc.oneof(
    fc.constantFrom("/api/v1/scan", "/api/v1/health", "/api/v1/notes/1", "/api/options-flow/tide", "/"),
    fc
      .tuple(fc.constantFrom("/api/v1/echo/", "/api/v1/notes/", "/api/", "/"), text)
      .map(([at, rest]) => at + rest),
    text.map((value) => `/api/v1/echo/${encodeURIComponent(value)}`),
  );
  const query = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom("symbol", "limit", "tags", "deep"), text), text), {
      maxLength: 4,
    })
    .map((fields) => fields.map(([key, value]) => `${key}=${value}`).join("&"));
  const body = fc.oneof(fc.constant(null), text, fc.json(), fc.uint8Array({ maxLength: 50 }));
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD");
  await fc.assert(
    fc.asyncProperty(method, path, query, body, fc.boolean(), async (verb, where, requests, sent, typed) => {
      const url = new URL("http://localhost/");
      url.pathname = where;
      url.search = requests;
      const answer = await app.request(`${url}`, {
        method: verb,
        headers: { ...asPro, ...(typed && { "content-type": "application/json" }) },
        ...(sent !== null && !["GET", "HEAD"].includes(verb) && { body: sent as Body }),
      });
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400 && verb !== "HEAD") expect((await json(answer)).ok).toBe(false);
    }),
    { numRuns: 400 },
  );
});

describe("quota of a rejected request", () => {
  const counted = () => {
    const { meters: own, debits } = countingMeters();
    return { debits, app: httpApp(httpServerDeps(HTTP_TOOLS, { ports: { bars, meters: own } })) };
  };
  const broken = { method: "POST", body: "{", headers: { "content-type": "application/json" } };

  it("is charged to burst but not to the day for a body that is not JSON", async () => {
    const { app: own, debits } = counted();
    const answer = await own.request("/api/v1/scan", { ...broken, headers: { ...broken.headers, ...asPro } });
    expect([answer.status, debits]).toEqual([400, { burst: 1, day: 0 }]);
  });

  it("is charged to burst but not to the day for a missing key, which is checked before the body is read", async () => {
    const { app: own, debits } = counted();
    const answer = await own.request("/api/v1/scan", broken);
    expect([answer.status, debits]).toEqual([401, { burst: 1, day: 0 }]);
  });
});

describe("a body on a request without one", () => {
  const ask = (body: string) =>
    served(app, async (origin, port) => {
      const { request } = await import("node:http");
      return new Promise<{ status: number; code: string }>((resolve, reject) => {
        const sent = request(
          {
            port,
            host: "127.0.0.1",
            path: "/api/v1/echo/AAPL",
            headers: { ...asPro, "content-length": Buffer.byteLength(body) },
          },
          async (answer) => {
            let text = "";
            for await (const chunk of answer) text += chunk;
            resolve({ status: answer.statusCode ?? 0, code: JSON.parse(text).code });
          },
        );
        sent.on("error", reject).end(body);
        expect(origin).toContain(String(port));
      });
    });

  it("is rejected, not ignored", async () => {
    expect(await ask('{"limit":2}')).toEqual({ status: 400, code: "INVALID_INPUT" });
    expect(await ask(" ".repeat(1024 * 1024 + 1))).toEqual({ status: 413, code: "BODY_TOO_LARGE" });
  });
});
