import { transform } from "esbuild";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { CLIENTS, clientConfig } from "../../../src/transports/cli/mcp-config.ts";

const url = "https://signals.example";
const endpoint = "https://signals.example/api/mcp";
const launch = { command: "/bin/node", args: ["/opt/main.js"], env: { DATA_DIR: '/my "data"' } };
const started = { ...launch, args: ["/opt/main.js", "stdio"] };
const key = "ms_live_secret";
const bearer = (reference: string): string => `Bearer \${${reference}}`;
const http = (client: string) => clientConfig(client, { stdio: false, url });
const stdio = (client: string) => clientConfig(client, { stdio: true, url, launch });
const text = (settings: object | string): string =>
  typeof settings === "string" ? settings : JSON.stringify(settings);
const NAMES = Object.keys(CLIENTS);
const SCRIPTS = ["openai-agents", "vercel-ai-sdk", "langchain", "mastra"];

describe("the settings over HTTP", () => {
  it.each([
    ["claude-code", { type: "http", url: endpoint, headers: { Authorization: bearer("MARKET_SIGNAL_KEY") } }],
    ["cursor", { type: "http", url: endpoint, headers: { Authorization: bearer("env:MARKET_SIGNAL_KEY") } }],
    ["windsurf", { serverUrl: endpoint, headers: { Authorization: bearer("env:MARKET_SIGNAL_KEY") } }],
    ["gemini-cli", { httpUrl: endpoint, headers: { Authorization: bearer("MARKET_SIGNAL_KEY") } }],
    [
      "claude-desktop",
      {
        command: "npx",
        args: ["-y", "mcp-remote", endpoint, "--header", "Authorization:$" + "{AUTH_HEADER}"],
        env: { AUTH_HEADER: "Bearer <your API key>" },
      },
    ],
  ])("of %s are read from mcpServers", (client, server) => {
    expect(http(client)).toEqual({ mcpServers: { "market-signal": server } });
  });

  it("of VS Code prompt for the key and keep it out of the file", () => {
    expect(http("vscode")).toEqual({
      inputs: [
        {
          type: "promptString",
          id: "market-signal-key",
          description: "Market Signal API key",
          password: true,
        },
      ],
      servers: {
        "market-signal": {
          type: "http",
          url: endpoint,
          headers: { Authorization: bearer("input:market-signal-key") },
        },
      },
    });
  });

  it("of Zed have a placeholder, because it reads no variables", () => {
    expect(http("zed")).toEqual({
      context_servers: {
        "market-signal": { url: endpoint, headers: { Authorization: "Bearer <your API key>" } },
      },
    });
  });

  it("of Codex are TOML and name the variable of the key", () => {
    expect(http("codex")).toBe(`[mcp_servers.market-signal]
url = "https://signals.example/api/mcp"
bearer_token_env_var = "MARKET_SIGNAL_KEY"
`);
    expect(parse(http("codex") as string)).toEqual({
      mcp_servers: { "market-signal": { url: endpoint, bearer_token_env_var: "MARKET_SIGNAL_KEY" } },
    });
    expect(parse(clientConfig("codex", { stdio: false, url, key }) as string)).toEqual({
      mcp_servers: { "market-signal": { url: endpoint, http_headers: { Authorization: `Bearer ${key}` } } },
    });
  });

  it("let the proxy of Claude Desktop use http to another machine", () => {
    const args = (base: string) =>
      (clientConfig("claude-desktop", { stdio: false, url: base }) as any).mcpServers["market-signal"].args;
    expect(args("http://10.0.0.5:8787")).toContain("--allow-http");
    for (const base of ["http://127.0.0.1:8787", "http://localhost:8787", url])
      expect(args(base)).not.toContain("--allow-http");
  });

  it.each(NAMES)("of %s contain a key only if it is given", (client) => {
    expect(text(http(client))).not.toContain("ms_live");
    const given = text(clientConfig(client, { stdio: false, url, key }));
    expect(given).toContain(`Bearer ${key}`);
    expect(given).not.toMatch(/MARKET_SIGNAL_KEY|your API key|promptString/);
  });
});

describe("the settings of a client that starts the program", () => {
  it.each(["claude-code", "claude-desktop", "cursor", "windsurf", "gemini-cli"])(
    "of %s are read from mcpServers",
    (client) => {
      expect(stdio(client)).toEqual({ mcpServers: { "market-signal": started } });
    },
  );

  it("of VS Code, Zed and Codex have their own form", () => {
    expect(stdio("vscode")).toEqual({ servers: { "market-signal": { type: "stdio", ...started } } });
    expect(stdio("zed")).toEqual({ context_servers: { "market-signal": started } });
    expect(stdio("codex")).toBe(`[mcp_servers.market-signal]
command = "/bin/node"
args = ["/opt/main.js", "stdio"]
env = { "DATA_DIR" = "/my \\"data\\"" }
`);
    expect(parse(stdio("codex") as string)).toEqual({ mcp_servers: { "market-signal": started } });
  });

  it.each(NAMES)("of %s start the published package by default and need no key", (client) => {
    const settings = text(clientConfig(client, { stdio: true, url }));
    expect(settings.replaceAll(/\s/g, "")).toContain('["-y","market-signal","stdio"]');
    expect(settings).not.toMatch(/MARKET_SIGNAL_KEY|Bearer/);
  });
});

describe("the code for an agents SDK", () => {
  it.each(SCRIPTS)("for %s is valid TypeScript that imports one package", async (client) => {
    for (const code of [http(client), stdio(client)] as string[]) {
      await transform(code, { loader: "ts", format: "esm", target: "es2022" });
      const packages = [...code.matchAll(/ from "(@[^/]+\/[^/"]+)/g)].map(([, name]) => name);
      expect(new Set(packages).size).toBe(1);
    }
  });

  it("connects the Vercel AI SDK", () => {
    expect(http("vercel-ai-sdk")).toBe(`import { createMCPClient } from "@ai-sdk/mcp";

const marketSignal = await createMCPClient({
  transport: {
    type: "http",
    url: "https://signals.example/api/mcp",
    headers: { Authorization: \`${bearer("process.env.MARKET_SIGNAL_KEY")}\` },
  },
});
const tools = await marketSignal.tools();
`);
  });

  it("connects LangChain in Python", () => {
    expect(http("langchain-python")).toBe(`import os

from langchain_mcp_adapters.client import MultiServerMCPClient

client = MultiServerMCPClient(
    {
        "market-signal": {
            "transport": "http",
            "url": "https://signals.example/api/mcp",
            "headers": {"Authorization": f"Bearer {os.environ['MARKET_SIGNAL_KEY']}"},
        },
    }
)
tools = await client.get_tools()  # inside an async function
`);
  });

  it("starts the program from the OpenAI Agents SDK", () => {
    expect(stdio("openai-agents")).toBe(`import { Agent, MCPServerStdio } from "@openai/agents";

const marketSignal = new MCPServerStdio({
  name: "market-signal",
  command: "/bin/node",
  args: ["/opt/main.js","stdio"],
  env: {"DATA_DIR":"/my \\"data\\""},
});
await marketSignal.connect();
const agent = new Agent({ name: "Analyst", mcpServers: [marketSignal] });
`);
  });
});

it("keeps the earlier name of Claude Code", () => {
  expect(http("claude")).toEqual(http("claude-code"));
});
