import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Installation, install } from "../support/installation.ts";
import { suiteDir } from "../support/temp-dir.ts";
import { describeWithData } from "../support/test-data.ts";

const info = { name: "official", version: "1" };
const request = { name: "get_signal", arguments: { symbol: "AAPL", as_of: "2026-05-29" } };

describeWithData("official clients on real bars", ["ohlcv", "us_daily"], (bars) => {
  const suite = suiteDir();
  let installation: Installation;
  let requestInit: { headers: Record<string, string> };
  beforeAll(async () => {
    installation = await install(suite.dir, `files:${bars}`);
    requestInit = { headers: { authorization: `Bearer ${(await installation.key("pro")).key}` } };
  });
  afterAll(async () => {
    await installation.stop();
    suite.remove();
  });

  /** Expects the signal of AAPL at its close of 312.06 on 2026-05-29. */
  const expectSignal = (result: unknown) => {
    const { structuredContent } = result as { structuredContent: { data: Record<string, unknown> } };
    expect(structuredContent).toMatchObject({
      success: true,
      data_as_of: "2026-05-29T20:00:00.000Z",
      data: {
        price: 312.06,
        price_source: "historical_close",
        asset_class: "equity",
        engine_available: false,
        signal: { symbol: "AAPL", timeframe: "1d", direction: "LONG", grade: "A-" },
      },
    });
  };

  it.each(["auto", "legacy"] as const)("the 2.4 client reads a signal in %s mode", async (mode) => {
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${installation.url}/api/mcp`), { requestInit }),
    );
    expectSignal(await client.callTool(request));
    await client.close();
  });

  it("the 1.32 client reads a signal over Streamable HTTP", async () => {
    const client = new OldClient(info);
    await client.connect(new OldTransport(new URL(`${installation.url}/api/mcp`), { requestInit }) as never);
    expectSignal(await client.callTool(request));
    await client.close();
  });

  it("the 1.32 client reads a signal over HTTP+SSE", async () => {
    const client = new OldClient(info);
    await client.connect(
      new SSEClientTransport(new URL(`${installation.url}/api/mcp/sse`), {
        requestInit,
        eventSourceInit: {
          fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...requestInit.headers } }),
        },
      }) as never,
    );
    expectSignal(await client.callTool(request));
    await client.close();
  });

  it("a child process on the same data folder answers over stdio", async () => {
    const client = new Client(info);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: ["--import", "tsx", "src/main.ts", "stdio"],
      env: { ...installation.env, PATH: process.env.PATH ?? "" },
      stderr: "inherit",
    });
    await client.connect(transport);
    expectSignal(await client.callTool(request));
    await client.close();
  }, 60_000);

  it("answers typical MCP calls within 2,000 tokens", async () => {
    const client = new Client(info);
    const url = new URL(`${installation.url}/api/mcp?toolsets=all`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    const { tools } = await client.listTools();
    const requests = tools.flatMap(({ name, inputSchema: { properties = {}, required = [] } }) => {
      const subject = ["symbol", "ticker", "sym"].find((field) => field in properties);
      if (subject === undefined) return required.length === 0 ? [{ name, arguments: {} }] : [];
      return required.every((field) => field === subject) ? [{ name, arguments: { [subject]: "AAPL" } }] : [];
    });
    expect(requests.length).toBeGreaterThan(20);
    for (const request of requests) {
      const { structuredContent, content } = await client.callTool(request);
      const shown = structuredContent ?? content.filter(({ type }) => type === "text");
      expect(JSON.stringify(shown).length / 4, request.name).toBeLessThan(2_000);
    }
    await client.close();
  });
});
