import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { z } from "zod";

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

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
