import { readFileSync } from "node:fs";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { acceptedEncoding, compress } from "../../../src/transports/http/compression.ts";
import { eventStream, SSE_HEADERS } from "../../../src/transports/http/event-stream.ts";
import { type HttpListener, listen } from "../../../src/transports/http/listen.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { createMcpHttpTransport } from "../../../src/transports/mcp/http.ts";
import { openapiRoutes } from "../../../src/transports/openapi/openapi.ts";
import { restRoutes } from "../../../src/transports/rest/rest.ts";
import { docsRoutes } from "../../../src/transports/web/docs.tsx";
import { asPro, httpServerDeps } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";
import { type RawResponse, rawRequest } from "../../support/raw-http.ts";

const LONG = "x".repeat(1_100);

function testApp() {
  const deps = httpServerDeps(HTTP_TOOLS);
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps);
  app.get("/text/:size", (c) => c.text("y".repeat(Number(c.req.param("size")))));
  app.get("/picture", (c) => c.body("z".repeat(5_000), 200, { "content-type": "image/png" }));
  app.get("/strong", (c) => c.text(LONG, 200, { etag: '"abc"' }));
  app.get("/as-is", (c) => c.text(LONG, 200, { "cache-control": "no-transform" }));
  app.get("/events", () => {
    const events = eventStream({ bufferBytes: 1 << 20, onClose: () => {} });
    events.write(`data: ${LONG}\n\n`);
    return new Response(events.body, { headers: SSE_HEADERS });
  });
  app.route("/", createMcpHttpTransport(deps).route);
  app.route("/", openapiRoutes(deps));
  app.route("/", docsRoutes(deps));
  return app.route("/", restRoutes(deps));
}

describe("compression", () => {
  let server: HttpListener;
  beforeAll(async () => {
    const app = testApp();
    server = await listen((request, env) => app.fetch(request, env), { host: "127.0.0.1", port: 0 });
  });
  afterAll(() => server.close(0));

  const get = (path: string, encoding: string | null, headers: Record<string, string> = {}) =>
    rawRequest(server.port, path, {
      headers: { ...asPro, ...headers, ...(encoding !== null && { "accept-encoding": encoding }) },
    });
  const encodingOf = ({ headers }: RawResponse) => headers["content-encoding"];
  const decoded = (response: RawResponse): string => {
    const { body } = response;
    const encoding = encodingOf(response);
    return (
      encoding === "br" ? brotliDecompressSync(body) : encoding === "gzip" ? gunzipSync(body) : body
    ).toString("utf8");
  };

  it.each([`/api/v1/echo/AAPL?tags=${LONG}`, "/openapi.json", "/docs", "/docs.css", "/text/2000"])(
    "applies to %s, with the same content",
    async (path) => {
      const plain = await get(path, null);
      expect([plain.status, encodingOf(plain)]).toEqual([200, undefined]);
      for (const encoding of ["br", "gzip"]) {
        const response = await get(path, encoding);
        expect([response.status, encodingOf(response)]).toEqual([200, encoding]);
        expect(decoded(response)).toBe(plain.body.toString("utf8"));
        expect(response.body.length).toBeLessThan(plain.body.length / 2);
        expect(response.headers["content-type"]).toBe(plain.headers["content-type"]);
        expect(response.headers["content-length"]).toBe(String(response.body.length));
        expect([plain, response].map(({ headers }) => headers.vary)).toEqual([
          "Accept-Encoding",
          "Accept-Encoding",
        ]);
      }
    },
  );

  it.each([
    ["2026-07-28", "application/json", "gzip"],
    ["2025-11-25", "text/event-stream", undefined],
  ])("applies to the JSON of MCP, not to its events: %s", async (revision, type, encoding) => {
    const isModern = revision === "2026-07-28";
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": revision,
      "io.modelcontextprotocol/clientCapabilities": {},
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    };
    const params = isModern ? { _meta: envelope } : {};
    const response = await rawRequest(server.port, "/api/mcp", {
      method: "POST",
      headers: {
        ...asPro,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "accept-encoding": "gzip",
        "mcp-protocol-version": revision,
        ...(isModern && { "mcp-method": "tools/list" }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params }),
    });
    expect([response.status, response.headers["content-type"], encodingOf(response)]).toEqual([
      200,
      type,
      encoding,
    ]);
    expect(decoded(response)).toContain('"name":"get_echo"');
  });

  it("applies to a long problem", async () => {
    const response = await get(`/api/v1/echo/AAPL?deep=${LONG}&${"field".repeat(200)}=1`, "gzip");
    expect([response.status, response.headers["content-type"]]).toEqual([400, "application/problem+json"]);
    expect(JSON.parse(decoded(response))).toMatchObject({ code: "INVALID_INPUT" });
  });

  it("prefers brotli for what is compressed once, gzip for the rest", async () => {
    const both = "gzip, deflate, br, zstd";
    expect([encodingOf(await get("/docs", both)), encodingOf(await get("/text/2000", both))]).toEqual([
      "br",
      "gzip",
    ]);
  });

  it("makes what is sent often smaller", async () => {
    const bytes = readFileSync(new URL("../../../package-lock.json", import.meta.url));
    const [once, often] = [await compress(bytes, "br"), await compress(bytes, "br", "often")];
    expect(often.length).toBeLessThan(once.length);
    expect(brotliDecompressSync(often)).toEqual(bytes);
  });

  it("starts at 1 KB", async () => {
    expect(encodingOf(await get("/text/1023", "gzip"))).toBeUndefined();
    expect(encodingOf(await get("/text/1024", "gzip"))).toBe("gzip");
    const short = await get("/api/v1/health", "gzip, br");
    expect([short.status, encodingOf(short), short.headers.vary]).toEqual([
      200,
      undefined,
      "Accept-Encoding",
    ]);
    expect(JSON.parse(short.body.toString())).toMatchObject({ ok: true });
  });

  it("leaves pictures, HEAD and responses that must not be changed as they are", async () => {
    for (const path of ["/picture", "/as-is"]) expect(encodingOf(await get(path, "gzip"))).toBeUndefined();
    const head = await rawRequest(server.port, "/docs", {
      method: "HEAD",
      headers: { "accept-encoding": "gzip" },
    });
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it("never delays an event stream", async () => {
    const response = await fetch(`http://127.0.0.1:${server.port}/events`, {
      headers: { "accept-encoding": "gzip, br" },
    });
    expect([response.headers.get("content-encoding"), response.headers.get("content-type")]).toEqual([
      null,
      "text/event-stream",
    ]);
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`data: ${LONG}\n\n`);
    await reader.cancel();
  });

  it("gives a strong ETag another text, since it names another sequence of bytes", async () => {
    expect((await get("/strong", null)).headers.etag).toBe('"abc"');
    expect((await get("/strong", "br")).headers.etag).toBe('"abc-br"');
    for (const known of ['"abc"', 'W/"abc"', '"abc-br"', '"abc-gzip"'])
      expect((await get("/strong", "gzip", { "if-none-match": known })).status).toBe(304);
    expect((await get("/strong", "gzip", { "if-none-match": '"abc-zip"' })).status).toBe(200);
  });
});

it.each([
  [undefined, null],
  ["", null],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "gzip"],
  ["br, gzip;q=0.9", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["GZIP", "gzip"],
  ["*", "gzip"],
  ["gzip;q=0, *", "br"],
  ["identity", null],
  ["deflate, zstd", null],
  ["gzip;q=0", null],
])("reads Accept-Encoding %j as %s", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
