import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { listen } from "../../../src/transports/http/listen.ts";

// An MCP server of version 1 of the SDK with one tool that returns the given result, over stdio or, without sessions,
// the program's listener.
const [transport, file] = process.argv.slice(2) as ["http" | "stdio", string];
const result: CallToolResult = JSON.parse(readFileSync(file, "utf8"));

function createServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  const inputSchema = { symbol: z.string() };
  server.registerTool("get_quote", { inputSchema, outputSchema: z.looseObject({}) }, () => result);
  return server;
}

async function respond(request: Request): Promise<Response> {
  const sessionless = new WebStandardStreamableHTTPServerTransport();
  await createServer().connect(sessionless);
  return sessionless.handleRequest(request);
}

if (transport === "stdio") await createServer().connect(new StdioServerTransport());
else {
  const { port } = await listen(respond, { host: "127.0.0.1", port: 0 });
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}
