import { readFileSync } from "node:fs";
import { type CallToolResult, createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { listen } from "../../../src/transports/http/listen.ts";

// An MCP server of the SDK with one tool that returns the given result, over stdio or the program's listener.
const [transport, file] = process.argv.slice(2) as ["http" | "stdio", string];
const result: CallToolResult = JSON.parse(readFileSync(file, "utf8"));

function createServer(): McpServer {
  const server = new McpServer({ name: "bare", version: "1.0.0" });
  const inputSchema = z.object({ symbol: z.string() });
  server.registerTool("get_quote", { inputSchema, outputSchema: z.looseObject({}) }, () => result);
  return server;
}

if (transport === "stdio") serveStdio(createServer);
else {
  const { fetch } = createMcpHandler(createServer);
  const { port } = await listen((request) => fetch(request), { host: "127.0.0.1", port: 0 });
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
}
