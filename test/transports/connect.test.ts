import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Market } from "../../src/domain/market/market.ts";
import type { Tool } from "../../src/kernel/tool.ts";
import { shellWord } from "../../src/lib/shell-quote.ts";
import { clientSetup, exampleRequestPath } from "../../src/transports/connect.ts";
import { sampleMarket } from "../support/context.ts";
import { getEcho, getHealth, runScan } from "../support/http-tools.ts";

const variable = (name: string): string => `\${${name}}`;
const aim = { url: "http://127.0.0.1:8787", example: "/api/v1/echo/AAPL" };

it("reads the key from the variable of each client", () => {
  expect(clientSetup(aim)).toMatchObject({
    claude:
      'claude mcp add --transport http market-signal http://127.0.0.1:8787/api/mcp --header "Authorization: Bearer $MARKET_SIGNAL_KEY"',
    curl: 'curl -H "Authorization: Bearer $MARKET_SIGNAL_KEY" http://127.0.0.1:8787/api/v1/echo/AAPL',
    cursor: `{"mcpServers":{"market-signal":{"type":"http","url":"http://127.0.0.1:8787/api/mcp","headers":{"Authorization":"Bearer ${variable("env:MARKET_SIGNAL_KEY")}"}}}}`,
    vscode: expect.stringContaining(`"Authorization": "Bearer ${variable("input:market-signal-key")}"`),
    mcp: "http://127.0.0.1:8787/api/mcp",
    a2a: "http://127.0.0.1:8787/api/a2a",
    agentCard: "http://127.0.0.1:8787/.well-known/agent-card.json",
  });
});

it("inserts a given key", () => {
  const { claude, curl, cursor } = clientSetup({ ...aim, key: "ms_live_x" });
  expect([claude, curl, cursor].filter((text) => text.includes('Bearer ms_live_x"'))).toHaveLength(3);
  expect(`${claude}${curl}${cursor}`).not.toContain("MARKET_SIGNAL_KEY");
});

it("links to Cursor with one server's settings in base64, the format Cursor reads", () => {
  const link = new URL(clientSetup(aim).cursorLink);
  expect([link.protocol, link.host, link.pathname]).toEqual([
    "cursor:",
    "anysphere.cursor-deeplink",
    "/mcp/install",
  ]);
  expect(link.searchParams.get("name")).toBe("market-signal");
  expect(JSON.parse(Buffer.from(link.searchParams.get("config")!, "base64").toString())).toEqual({
    type: "http",
    url: "http://127.0.0.1:8787/api/mcp",
    headers: { Authorization: `Bearer ${variable("env:MARKET_SIGNAL_KEY")}` },
  });
});

it("quotes any text as one shell argument", () => {
  expect(shellWord("http://127.0.0.1:8787/a%20b")).toBe("http://127.0.0.1:8787/a%20b");
  for (const text of ["http://[::1]:8787/", "/my data/it's", "$(id)`id`;*?", ""])
    expect(execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(text)}`], { encoding: "utf8" })).toBe(text);
});

describe("the example request", () => {
  const market = { ...sampleMarket, demo: "BTC/USD" };
  const named = { ...getEcho, cli: { command: "echo" } };
  const pathFor = (tools: readonly Tool[], of: Market = market) => exampleRequestPath({ tools }, of);

  it("uses the demo symbol and a tool with its own command", () => {
    expect(pathFor([getHealth, runScan, getEcho, named])).toBe("/api/v1/echo/BTC%2FUSD");
    expect(pathFor([getHealth, getEcho])).toBe("/openapi.json");
  });

  it("prefers a tool with tasks, in any position", () => {
    const signal = { ...named, name: "get_signal", route: "GET /api/v1/thing/:symbol", tasks: ["thing"] };
    expect(pathFor([named, signal])).toBe("/api/v1/thing/BTC%2FUSD");
  });

  it("excludes tools that require more than the symbol", () => {
    const input = getEcho.input.extend({ kind: z.string() });
    expect(
      pathFor([
        { ...named, input },
        { ...named, route: "GET /api/v1/both/:kind/:symbol" },
      ]),
    ).toBe("/openapi.json");
  });

  it("defaults to /openapi.json without a demo symbol", () => {
    expect(pathFor([named], sampleMarket)).toBe("/openapi.json");
  });
});
