import { readFileSync } from "node:fs";
import { z } from "zod";
import { freePort } from "../../support/free-port.ts";

// An MCP server of fastmcp with one tool that returns the content of the given result, over HTTP without sessions.
// fastmcp is not a dependency of the project; it is measured only if it is installed.
const name = "fastmcp";
const { FastMCP } = await import(name);
const { content } = JSON.parse(readFileSync(process.argv[2]!, "utf8"));
const ignore = () => {};
const logger = { debug: ignore, error: ignore, info: ignore, log: ignore, warn: ignore };
const server = new FastMCP({ name: "bare", version: "1.0.0", logger });
server.addTool({
  name: "get_quote",
  description: "Returns a quote.",
  parameters: z.object({ symbol: z.string() }),
  execute: async () => ({ content }),
});
const [host, port] = ["127.0.0.1", await freePort()];
await server.start({ transportType: "httpStream", httpStream: { host, port, stateless: true } });
process.stdout.write(`${JSON.stringify({ url: `http://${host}:${port}`, path: "/mcp" })}\n`);
