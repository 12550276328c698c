import { describe, expect, it } from "vitest";
import { catalogue } from "../../src/app/catalogue.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { useInstallation } from "../support/installation.ts";
import { resolvedPaths } from "../support/resolve-references.ts";

const installation = useInstallation("sample");
const tools: readonly Tool[] = Object.values(catalogue);

async function headers() {
  const { key } = await installation.key("enterprise", ["read", "write"]);
  return { authorization: `Bearer ${key}`, "content-type": "application/json" };
}
async function get(path: string) {
  const response = await fetch(`${installation.url}${path}`, { headers: await headers() });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
async function post(path: string, body: object, sent: Record<string, string>) {
  const all = { ...sent, accept: "application/json, text/event-stream" };
  const response = await fetch(`${installation.url}${path}`, {
    method: "POST",
    headers: all,
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text);
}

/** Routes of the API document with the query field `sym`, and the one beside them. */
const SYM_ROUTES = ["/api/v1/signal", "/api/v1/analysis", "/api/edge-detection", "/api/v1/enhanced-signal"];

describe("the symbol of a route", () => {
  it("is published as sym on the routes of the API document, and as symbol by the tools", async () => {
    const { body } = await get("/openapi.json");
    const paths = resolvedPaths(body) as Record<
      string,
      { get: { parameters: { name: string; required: boolean }[] } }
    >;
    for (const path of SYM_ROUTES) {
      const names = paths[path]!.get.parameters.map(({ name }) => name);
      expect(names, path).toContain("sym");
      expect(names, path).not.toContain("symbol");
    }
    for (const { name, input } of tools) expect(Object.keys(input.shape), name).not.toContain("sym");
  });

  it.each(SYM_ROUTES)("may be named sym or symbol on %s", async (path) => {
    for (const field of ["sym", "symbol", "ticker"]) {
      const { status, body } = await get(`${path}?${field}=AAPL`);
      expect([field, status, body.symbol]).toEqual([field, 200, "AAPL"]);
    }
    const missing = await get(path);
    expect(missing.status).toBe(400);
    expect(JSON.stringify(missing.body)).toContain('"/sym"');
    expect(missing.body.detail).toMatch(/: sym: is required/);
    expect((await get(`${path}?sym=AAPL&symbol=MSFT`)).status).toBe(400);
  });

  it("has other names only for input fields of GET routes", () => {
    for (const { name, http, input, route } of tools)
      for (const field of Object.keys(http?.names ?? {})) {
        expect(route, name).toMatch(/^GET /);
        expect(Object.keys(input.shape), name).toContain(field);
      }
  });
});

it("reviews and scans a watchlist over REST and MCP alike", async () => {
  const sent = await headers();
  await post("/api/v1/watchlists/tech", { symbols: ["AAPL", "MSFT"] }, sent);
  const rest = await post("/api/v1/scan", { watchlist: "tech" }, sent);
  const symbolsOf = (rows: readonly { symbol: string }[]) => rows.map(({ symbol }) => symbol).sort();
  expect(symbolsOf(rest.results)).toEqual(["AAPL", "MSFT"]);
  const review = await fetch(`${installation.url}/api/v1/portfolio/review?watchlist=tech&symbols=SPY`, {
    headers: sent,
  });
  const reviewed = (await review.json()) as { signals: { symbol: string }[] };
  expect(symbolsOf(reviewed.signals)).toEqual(["AAPL", "MSFT", "SPY"]);
  const call = (name: string, args: object) =>
    post(
      "/api/mcp?toolsets=all",
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      sent,
    );
  const scanned = await call("scan_symbols", { watchlist: "tech" });
  expect(symbolsOf(scanned.result.structuredContent.results)).toEqual(["AAPL", "MSFT"]);
  const both = await call("review_portfolio", { watchlist: "tech", symbols: ["SPY"] });
  expect(symbolsOf(both.result.structuredContent.signals)).toEqual(["AAPL", "MSFT", "SPY"]);
  const unknown = await call("scan_symbols", { watchlist: "teck" });
  expect(unknown.result.isError).toBe(true);
  expect(JSON.stringify(unknown.result)).toContain("Watchlists of this account: tech");
});
