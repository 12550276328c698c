import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { answerOf } from "./mcp-answer.mjs";

export async function connect(transport, { url, key, stdio }) {
  // docs:start
  const [way, revision] = transport.split(", ");
  const headers = { authorization: `Bearer ${key}` };
  const ways = {
    "Streamable HTTP": () =>
      new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit: { headers } }),
    SSE: () => new SSEClientTransport(new URL(`${url}/api/mcp/sse`), { requestInit: { headers } }),
    stdio: () => new StdioClientTransport(stdio),
  };
  const mode = revision === "2026-07-28" ? "auto" : "legacy"; // auto: the newest revision of the server
  const client = new Client({ name: "my-client", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(ways[way]());
  // docs:end
  const negotiated = client.getNegotiatedProtocolVersion();
  if (revision !== undefined && negotiated !== revision) throw new Error(`negotiated ${negotiated}`);
  return {
    list: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, input, { signal, onProgress } = {}) =>
      answerOf(await client.callTool({ name, arguments: input }, { signal, onprogress: onProgress })),
  };
}
