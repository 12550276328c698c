import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { matchesTag } from "../../../src/transports/http/conditional.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { openapiRoutes } from "../../../src/transports/openapi/openapi.ts";
import { restRoutes } from "../../../src/transports/rest/rest.ts";
import { docsRoutes } from "../../../src/transports/web/docs.tsx";
import { homeRoutes } from "../../../src/transports/web/home.tsx";
import { llmsRoutes } from "../../../src/transports/web/llms.ts";
import { asPro, httpServerDeps, served } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

function testApp() {
  const deps = httpServerDeps(HTTP_TOOLS);
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps);
  app.post("/api/tagged", (c) => c.text("changed", 200, { etag: '"abc"' }));
  app.get("/api/missing", (c) => c.text("no", 404, { etag: '"abc"' }));
  app.route("/", homeRoutes(deps, { ready: () => true, arrivals: { latest: async () => null } }));
  app.route("/", openapiRoutes(deps));
  app.route("/", docsRoutes(deps));
  app.route("/", llmsRoutes(deps));
  return app.route("/", restRoutes(deps));
}

describe("If-None-Match", () => {
  it.each([
    ["/openapi.json", "public, max-age=300"],
    ["/docs", "public, max-age=300"],
    ["/llms.txt", "public, max-age=300"],
    ["/docs.css", "public, max-age=300"],
    ["/home.css", "public, max-age=300"],
    ["/home.js", "public, max-age=300"],
    ["/api/v1/health", "public, max-age=5"],
    ["/api/options-flow/tide", "private, max-age=60"],
    ["/api/options-flow/AAPL", "no-store"],
    ["/api/v1/echo/AAPL?limit=5", "no-store"],
  ])("gets a 304 for %s, which is %s", async (path, cacheControl) => {
    await served(testApp(), async (origin) => {
      const get = (headers: Record<string, string> = {}, method = "GET") =>
        fetch(`${origin}${path}`, { method, headers: { ...asPro, ...headers } });
      const first = await get();
      const tag = first.headers.get("etag")!;
      expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
      expect([first.status, first.headers.get("cache-control")]).toEqual([200, cacheControl]);
      expect((await first.text()).length).toBeGreaterThan(0);
      for (const method of ["GET", "HEAD"]) {
        const same = await get({ "if-none-match": `"other", ${tag}` }, method);
        expect([same.status, await same.text()]).toEqual([304, ""]);
        expect(
          ["etag", "cache-control", "vary", "content-type"].map((name) => same.headers.get(name)),
        ).toEqual([tag, cacheControl, "Accept-Encoding", null]);
        expect(same.headers.get("request-id")).toMatch(/^[\w-]{36}$/);
      }
      const head = await get({}, "HEAD");
      expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, tag, ""]);
      const changed = await get({ "if-none-match": 'W/"other"' });
      expect([changed.status, changed.headers.get("etag")]).toEqual([200, tag]);
    });
  });

  it("differs with the content", async () => {
    const app = testApp();
    const tagOf = async (path: string) => (await app.request(path, { headers: asPro })).headers.get("etag");
    const tags = ["?limit=5", "?limit=6", ""].map((query) => tagOf(`/api/v1/echo/AAPL${query}`));
    expect(new Set(await Promise.all(tags)).size).toBe(3);
  });

  it("changes no POST and no failure, which have no tag", async () => {
    const app = testApp();
    const ask = (path: string, init: RequestInit = {}) =>
      app.request(path, { ...init, headers: { ...asPro, "if-none-match": "*" } });
    expect((await ask("/api/tagged", { method: "POST" })).status).toBe(200);
    expect((await ask("/api/missing")).status).toBe(404);
    const failure = await ask("/api/v1/failure/REFUSED");
    expect([failure.status, failure.headers.get("etag")]).toEqual([422, null]);
    const page = await ask("/");
    expect([page.status, page.headers.get("etag"), page.headers.get("cache-control")]).toEqual([
      200,
      null,
      "no-store",
    ]);
  });
});

it.each([
  ["*", '"a"', true],
  ['"a"', '"a"', true],
  ['W/"a"', '"a"', true],
  ['"a"', 'W/"a"', true],
  ['"x", W/"a" ,"y"', 'W/"a"', true],
  ['"a-gzip"', '"a"', true],
  ['"b"', '"a"', false],
  ["a", '"a"', false],
  ["", '"a"', false],
])("compares If-None-Match %j with %j: %s", (header, tag, matches) => {
  expect(matchesTag(header, tag)).toBe(matches);
});
