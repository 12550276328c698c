import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { answerOf } from "./mcp-answer.mjs";

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  const headers = { authorization: `Bearer ${key}` };
  const ways = {
    "Streamable HTTP": () =>
      new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit: { headers } }),
    SSE: () => new SSEClientTransport(new URL(`${url}/api/mcp/sse`), { requestInit: { headers } }),
    stdio: () => new StdioClientTransport(stdio),
  };
  const client = new Client({ name: "my-client", version: "1.0.0" });
  await client.connect(ways[transport]());
  // docs:end
  return overSdk(client);
}

/** The operations of a connected client. */
export const overSdk = (client) => ({
  list: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: async (name, input, { signal, onProgress } = {}) =>
    answerOf(
      await client.callTool({ name, arguments: input }, undefined, { signal, onprogress: onProgress }),
    ),
});
