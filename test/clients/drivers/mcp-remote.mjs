import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { overSdk } from "./sdk-v1.mjs";

const PROGRAM = fileURLToPath(new URL("../node_modules/mcp-remote/dist/proxy.js", import.meta.url));

export async function connect(transport, { url, key }) {
  // docs:start
  // a client that only starts commands: npx mcp-remote <arguments>
  const args = {
    "Streamable HTTP": [`${url}/api/mcp`, "--transport", "http-only"],
    SSE: [`${url}/api/mcp/sse`, "--transport", "sse-only"],
  }[transport];
  args.push("--header", `Authorization: Bearer ${key}`);
  // docs:end
  const client = new Client({ name: "my-client", version: "1.0.0" });
  const command = { command: process.execPath, args: [PROGRAM, ...args], env: { HOME: process.env.HOME } };
  await client.connect(new StdioClientTransport({ ...command, stderr: "ignore" }));
  return overSdk(client);
}
