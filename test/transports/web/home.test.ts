import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Market } from "../../../src/domain/market/market.ts";
import type { Ports, ProviderReport } from "../../../src/domain/ports.ts";
import { DemoCard } from "../../../src/domain/signal/card.ts";
import { ToolError } from "../../../src/kernel/errors.ts";
import { defineTool, type Tool } from "../../../src/kernel/tool.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import type { AgentCall } from "../../../src/transports/web/agent-calls.ts";
import { homeRoutes } from "../../../src/transports/web/home.tsx";
import { a2aClient, callSkill } from "../../support/a2a-clients.ts";
import { collectingLog, countingMeters, NOW } from "../../support/context.ts";
import { httpServerDeps } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";
import { install, writeBars } from "../../support/installation.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { TEST_TOOL } from "../../support/test-tool.ts";
import { httpClient } from "../mcp/clients.ts";

const AT = "2026-01-15T14:50:00.000Z";
const CARD: DemoCard = {
  symbol: "TSLA",
  refreshed_at: "2026-01-15T15:00:00.000Z",
  data: {
    direction: "LONG",
    reason: null,
    confidence: 0.31,
    confidence_basis: "odds",
    agreement: 0.4,
    tier: "HOT",
    score: 92.4,
    grade: "A+",
    ics: {
      score: null,
      conviction: "INSUFFICIENT",
      source: "none",
      reason: "No provider of off-exchange prints is connected",
      volume_proxy: null,
      tests: 0,
      hold_rate: null,
      control_rate: null,
    },
    wyckoff: { phase: "Undetermined", sub_phase: null, narrative: "None.", range: null, events: [] },
    elliottWave: {
      available: false,
      label: null,
      pattern: null,
      direction: null,
      target: null,
      targets: [],
      invalidation: null,
      guidelines_met: null,
      rivals: 0,
      path: [],
      violated: [],
      reason: "None.",
    },
    odds: {
      version: "odds-1.0.0",
      bars: 20,
      from: 137.375,
      stop_first: 0.28,
      target_first: 0.31,
      neither: 0.41,
      base: { stop_first: 0.33, target_first: 0.35, neither: 0.32, windows: 480 },
      range_90: { low: 121.5, high: 155.2 },
    },
    odds_reason: null,
    entry: 137.625,
    stop: 135.875,
    target: 141.625,
    rr: 2.2999,
    entry_state: "inside",
    rr_now: null,
    conflicts: [],
    levels_basis: "signal",
    price: 138,
    price_source: "delayed_quote",
    price_as_of: AT,
    price_reason: null,
    asset_class: "equity",
    venue: "XTST",
    source: "fixture",
    notes: [],
    as_of: "2026-01-14T21:00:00.000Z",
  },
};

/** A demo tool that returns this card, or throws. */
const showing = (make: () => DemoCard): Tool =>
  defineTool({
    ...TEST_TOOL,
    name: "get_card",
    title: "Card",
    toolset: "signal",
    plan: "open",
    route: "GET /api/v1/card",
    role: "demo",
    output: z.object({ ok: z.boolean(), ...DemoCard.shape }),
    handler: () => ({ ok: true, ...make() }),
  });

interface Scene {
  readonly tools?: readonly Tool[];
  readonly market?: Market;
  readonly ports?: Partial<Ports>;
  readonly ready?: boolean;
  readonly agent?: AgentCall;
}

function home({ tools = [showing(() => CARD)], market, ports = {}, ready = true, agent }: Scene = {}) {
  const deps = httpServerDeps(tools, {
    ports: { market: market ?? { mode: "files", id: "test" }, ...ports },
  });
  const host = { ready: () => ready, arrivals: { latest: async () => agent ?? null } };
  const app = applyMiddleware(new Hono<HttpEnv>({ strict: false }), deps).route("/", homeRoutes(deps, host));
  const text = async () => (await app.request("/")).text();
  return { app, text };
}

/** Visible text of a page. */
const words = (page: string): string =>
  page
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'");
const withData = (data: Partial<DemoCard["data"]>) =>
  words2(home({ tools: [showing(() => ({ ...CARD, data: { ...CARD.data, ...data } }))] }));
const words2 = async ({ text }: ReturnType<typeof home>) => words(await text());

describe("the card", () => {
  it("shows the source and the time of its price", async () => {
    const text = await words2(home());
    expect(text).toContain(
      "TSLA LONG 138.00 delayed_quote of 2026-01-15 14:50:00 UTC Grade A+ Score 92 of 100 Confidence 31 of 100 Entry 137.63 Stop 135.88 Target 141.63 Reward to risk 2.29 Odds: from 137.38, stop first in 28 of 100 cases, target in 31, neither within 20 bars in 41 (any close of this symbol: stop 33, target 35, neither 32; 480 past windows).",
    );
    expect(text).toContain("equity at XTST, provider fixture; decision bar closed 2026-01-14 21:00:00 UTC");
    expect(text).not.toContain("SAMPLE");
  });

  it("marks a price that is the close from a file", async () => {
    expect(await withData({ price_source: "file_close" })).toContain("138.00 file_close of 2026-01-15 14:50");
  });

  it("shows a dash and the reason for a missing figure", async () => {
    const text = await withData({
      price: null,
      price_source: null,
      price_as_of: null,
      price_reason: "No quote of TSLA today",
      direction: "WAIT",
      reason: "A score needs 252 bars, there are 40",
      score: null,
      grade: null,
      levels_basis: "watch",
    });
    expect(text).toContain("TSLA WAIT A score needs 252 bars, there are 40 – No quote of TSLA today");
    expect(text).toContain("Grade – Score –");
    expect(text).toMatch(/Levels for watching only, (LONG|SHORT) side\./);
  });

  it("shows the error when there is no card", async () => {
    const failing = showing(() => {
      throw new ToolError("UPSTREAM_UNAVAILABLE", "The files cannot be read", { hint: "Look at the disk." });
    });
    const { app, text } = home({ tools: [failing] });
    expect((await app.request("/")).status).toBe(200);
    expect(words(await text())).toContain(
      "No card right now UPSTREAM_UNAVAILABLE : The files cannot be read Look at the disk.",
    );
    const crashing = showing(() => {
      throw new Error("secret");
    });
    const crashed = await words2(home({ tools: [crashing] }));
    expect(crashed).toContain("INTERNAL : The tool failed unexpectedly");
    expect(crashed).not.toContain("secret");
    expect(await words2(home({ tools: HTTP_TOOLS }))).toContain("No tool of this server provides a card.");
  });

  it("counts as a page and towards the daily quota of a visitor without a key", async () => {
    const { meters, debits } = countingMeters({ day: 1 });
    const { log, lines } = collectingLog();
    const { text } = home({ ports: { meters, log } });
    expect(words(await text())).toContain("TSLA LONG");
    expect(words(await text())).toContain("RATE_LIMITED : The daily limit is used up");
    expect(debits).toEqual({ burst: 0, day: 1 });
    expect(lines).toMatchObject([
      { fields: { transport: "web", account: "address:127.0.0.1", code: "OK" } },
      { fields: { transport: "web", code: "RATE_LIMITED" } },
    ]);
  });

  it("shows a label and the command for real prices if prices are simulated", async () => {
    const page = await home({ market: { mode: "sample", id: "test" } }).text();
    expect(page).toContain('aria-labelledby="card-title"><p class="label">SAMPLE (simulated)</p><h2');
    expect(page).toContain("<code>MARKET_DATA=live npm start</code>");
    expect(words(page)).toContain("Market SAMPLE (simulated), simulated market");
    expect(await home().text()).not.toContain("MARKET_DATA");
  });

  it("does not call prices of replaced providers real", async () => {
    const market = { mode: "live", id: "test" } as const;
    expect(words(await home({ market }).text())).toContain("live: real prices from the providers below");
    const replaced = words(await home({ market: { ...market, replaced: true } }).text());
    expect(replaced).toContain("live, but providers are called at replacement URLs: not a real market");
    expect(replaced).not.toContain("real prices");
  });
});

describe("the page", () => {
  it("references the key without containing it, and is not cached", async () => {
    const { app } = home();
    const answer = await app.request("/");
    const page = await answer.text();
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(page).toContain("Authorization: Bearer $MARKET_SIGNAL_KEY");
    expect(page).not.toMatch(/ms_live_\w/);
    for (const path of ["/docs", "/openapi.json", "/.well-known/agent-card.json"])
      expect(page).toContain(`href="${path}"`);
  });

  it("escapes all market data, and complies with its content security policy", async () => {
    const evil = `"><img src=x onerror='alert(1)'></h2><script>alert(1)</script>`;
    const { text } = home({
      tools: [
        showing(() => ({
          ...CARD,
          symbol: evil,
          data: { ...CARD.data, reason: evil, venue: evil, source: evil },
        })),
      ],
      ports: { providerHealth: { current: () => [report(evil, true)], report: async () => [] } },
      agent: { transport: "MCP", tool: evil, at: AT },
    });
    const page = await text();
    expect(page.split("&lt;img src=x onerror=&#39;alert(1)&#39;&gt;")).toHaveLength(7);
    expect(page).not.toMatch(/<img|<style|\sstyle=|<[^>]*\son\w+=/);
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="/home.js" defer="">']);
    expect(page.match(/(src|href)="(?!\/|cursor:|data:,")[^"]*"/g)).toBeNull();
  });

  it("has unique ids, a language, and a heading for each section", async () => {
    const page = await home().text();
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of page.matchAll(/aria-labelledby="([^"]+)"/g)) expect(ids).toContain(id);
    expect(page).toContain('<html lang="en">');
  });

  it("needs its script only for copying and refreshing", async () => {
    const page = await home({ agent: { transport: "MCP", tool: "get_echo", at: AT } }).text();
    expect(page).toContain('<p id="sign" class="sign on" role="status">');
    expect(words(page)).toContain("Connected: get_echo over MCP, 2026-01-15 14:50:00 UTC");
    expect(page.match(/<button[^>]*>/g)!.filter((button) => !button.includes('hidden=""'))).toEqual([]);
  });

  it.each(["/", "/status", "/home.css", "/home.js"])(
    "supports reads of %s and no other verb",
    async (path) => {
      const { app } = home();
      const head = await app.request(path, { method: "HEAD" });
      expect([head.status, await head.text()]).toEqual([200, ""]);
      const post = await app.request(path, { method: "POST" });
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect((await app.request(path, { headers: { host: "evil.test" } })).status).toBe(403);
    },
  );

  it("serves style and script that load nothing from elsewhere", async () => {
    const { app } = home();
    for (const [path, type] of [
      ["/home.css", "text/css; charset=utf-8"],
      ["/home.js", "text/javascript; charset=utf-8"],
    ] as const) {
      const answer = await app.request(path);
      expect(answer.headers.get("content-type")).toBe(type);
      expect(await answer.text()).not.toMatch(/url\(|@import|https?:|eval|innerHTML/);
    }
  });
});

const report = (name: string, healthy: boolean): ProviderReport => ({
  name,
  healthy,
  latency_ms: 12,
  answering: healthy,
});

describe("the status endpoint", () => {
  it("returns the server state, and no account or symbol of an agent call", async () => {
    const current = () => [report("files", true), report("quotes", false)];
    const providerHealth = { current, report: async () => current() };
    const agent = { transport: "A2A", tool: "get_echo", at: AT };
    const { app, text } = home({ ports: { providerHealth }, ready: false, agent });
    const answer = await app.request("/status");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toEqual({
      version: "0.0.0",
      market: "files",
      replaced: false,
      ready: false,
      started_at: NOW.toISOString(),
      providers: [
        { name: "files", healthy: true },
        { name: "quotes", healthy: false },
      ],
      agent,
    });
    const page = words(await text());
    expect(page).toContain("Server shutting down Running since 2026-01-15 15:00:00 UTC");
    expect(page).toContain("Data providers files available, quotes failing");
  });
});

describe("a real server", () => {
  it("shows its card, and updates the connection sign at an agent's first call", async () => {
    const installation = await install(tempDir(), "sample");
    try {
      const read = async (path: string) => (await fetch(`${installation.url}${path}`)).text();
      const status = async () => JSON.parse(await read("/status")) as { agent: unknown };
      const page = await fetch(`${installation.url}/`);
      expect(page.headers.get("content-security-policy")).toContain("script-src 'self'; style-src 'self'");
      const first = words(await page.text());
      expect(first).toMatch(/SAMPLE \(simulated\) \w+ (LONG|SHORT|WAIT) /);
      expect(first).toContain("stop this server and restore its backup: npx market-signal restore --replace");

      const { key, account } = await installation.key("pro");
      await fetch(`${installation.url}/api/v1/quota`, { headers: { authorization: `Bearer ${key}` } });
      expect(await status()).toMatchObject({ ready: true, agent: null });

      const client = await httpClient(new URL(`${installation.url}/api/mcp`), key);
      await client.callTool({ name: "get_quote", arguments: { symbol: "MSFT" } });
      await client.close();
      const reported = await status();
      expect(reported.agent).toEqual({
        transport: "MCP",
        tool: "get_quote",
        at: expect.stringMatching(/Z$/),
      });
      expect(JSON.stringify(reported)).not.toMatch(new RegExp(`MSFT|${account}|${key}`));
      const connected = words(await read("/"));
      expect(connected).toContain("Connected: get_quote over MCP");
      expect(connected).not.toContain("restore its backup");

      const agent = await a2aClient(installation.url, key, "A2A 1.0 JSON-RPC");
      await callSkill(agent, "get_history", { symbol: "MSFT" });
      expect((await status()).agent).toMatchObject({ transport: "A2A", tool: "get_history" });
    } finally {
      await installation.stop();
    }
  });

  it("shows the last close of a file as such, and escapes markup in file names", async () => {
    const dir = tempDir();
    const folder = await writeBars(dir, [["AAPL", "1d"]]);
    mkdirSync(join(folder, "<b onclick=x>"));
    for (const name of ["<img src=x onerror=alert(1)>", "A<b>", "<b onclick=x>/B&amp;<i>"])
      writeFileSync(
        join(folder, `${name}_1d.csv`),
        "datetime,open,high,low,close,volume\n2026-06-29,1,1,1,1,1\n",
      );
    const installation = await install(dir, `files:${folder}`);
    try {
      const page = await (await fetch(installation.url)).text();
      expect(words(page)).toMatch(/AAPL (LONG|SHORT|WAIT).*\d file_close of 2026-06-29 /);
      expect(page).not.toMatch(/SAMPLE|<img|<b[ >]|<i>/);
      expect(installation.app.ports.symbols.members().map(({ symbol }) => symbol)).toEqual(["AAPL"]);
    } finally {
      await installation.stop();
    }
  });
});
