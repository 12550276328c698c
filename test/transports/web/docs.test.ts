import { describe, expect, it } from "vitest";
import type { Ports } from "../../../src/domain/ports.ts";
import { ERROR_CODES } from "../../../src/kernel/errors.ts";
import { docsRoutes } from "../../../src/transports/web/docs.tsx";
import { curlOf } from "../../../src/transports/web/docs-curl.ts";
import { streamQuotes } from "../../../tools/stream-quotes.ts";
import { changesTool, stateTool } from "../../support/changes.ts";
import { httpServerDeps } from "../../support/http.ts";
import { getEcho, getHealth, HTTP_TOOLS, runScan, saveNote } from "../../support/http-tools.ts";

const app = docsRoutes(httpServerDeps(HTTP_TOOLS, { ports: { bars: {} as Ports["bars"] } }));
const text = async () => (await app.request("/docs")).text();

it("lists every tool under its toolset with path, plan and fields", async () => {
  const page = await text();
  for (const { name, route, title } of HTTP_TOOLS) {
    expect(page).toContain(`<h3 id="${name}">${title} <code>${name}</code></h3>`);
    expect(page).toContain(`<code>${route.split(" ")[1]}</code>`);
    expect(page).toContain(`<a href="#${name}">`);
  }
  expect(page).toContain("plan: pro");
  expect(page).toContain("open, no key");
  expect(page).toContain("<td><code>limit</code></td><td>integer, 1 to 500</td><td>How many</td>");
  expect(page.match(/<h2 id="(market|signal|flow|trading|system)">/g)).toHaveLength(5);
  expect(page).not.toContain('id="agents"');
});

it("explains every error code at the anchor that problems point to", async () => {
  const page = await text();
  for (const code of ERROR_CODES) expect(page).toContain(`<tr id="${code}">`);
});

it("has one element for each id that its links name", async () => {
  const page = await text();
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

it("documents streams and resources", async () => {
  const ports = { symbols: {}, changes: {} } as unknown as Pick<Ports, "symbols" | "changes">;
  const page = await (
    await docsRoutes(httpServerDeps([changesTool(), stateTool], { ports })).request("/docs")
  ).text();
  expect(page).toContain(
    "<code>/api/v1/state-changes/stream</code> accepts the same fields. Sends each change once.",
  );
  expect(page).toContain("curl -N &#39;http://127.0.0.1:8787/api/v1/state-changes/stream?symbols=AAPL&#39;");
  expect(page).toContain("<code>Last-Event-ID</code>");
  expect(page).toContain(
    "the resource <code>signal://{symbol}/{timeframe}</code>. State of a symbol on bars of one length.",
  );
  expect(await text()).not.toContain("Last-Event-ID");
});

it("documents a stream of quotes, which needs no id to resume", async () => {
  const ports = { symbols: {}, quotes: {}, quoteStreams: {} } as unknown as Pick<Ports, "symbols" | "quotes">;
  const page = await (await docsRoutes(httpServerDeps([streamQuotes], { ports })).request("/docs")).text();
  expect(page).toContain("one <code>quote</code> per new price");
  expect(page).toContain(
    "curl -N &#39;http://127.0.0.1:8787/api/v1/quotes/stream?symbols=AAPL%2CNVDA%2CBTC%2FUSD&#39;",
  );
  expect(page).not.toContain("Last-Event-ID");
});

it("escapes tool texts and complies with its content security policy", async () => {
  const page = await text();
  expect(page).toContain("Whether &lt;the server&gt; &amp; its sources are well.");
  expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|https?:\/\/(?!127\.0\.0\.1)/);
});

it("embeds its icon, so that a browser requests none", async () => {
  expect(await text()).toContain('<link rel="icon" href="data:,"/>');
});

it("serves a page and a style sheet", async () => {
  expect((await app.request("/docs/")).headers.get("content-type")).toBe("text/html; charset=UTF-8");
  const style = await app.request("/docs.css");
  expect(style.headers.get("content-type")).toBe("text/css; charset=utf-8");
  expect(await style.text()).not.toMatch(/url\(|@import/);
});

describe("a command line for an example", () => {
  const at = "http://127.0.0.1:8787";

  it("puts fields into path and query", () => {
    expect(curlOf(getEcho, { symbol: "BTC/USD", limit: 5, tags: ["a", "b"] }, at)).toBe(
      `curl '${at}/api/v1/echo/BTC%2FUSD?limit=5&tags=a%2Cb' \\\n  -H "Authorization: Bearer $MARKET_SIGNAL_KEY"`,
    );
    expect(curlOf(getHealth, {}, at)).toBe(`curl '${at}/api/v1/health'`);
  });

  it("puts fields into a body, quoted for the shell", () => {
    expect(curlOf(runScan, { symbols: ["O'X"] }, at).split(" \\\n  ")).toEqual([
      `curl '${at}/api/v1/scan'`,
      '-H "Authorization: Bearer $MARKET_SIGNAL_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"symbols":["O'\\''X"]}'`,
    ]);
    expect(curlOf(saveNote, { id: 1, text: "x" }, at)).toContain("-X PUT");
  });
});
