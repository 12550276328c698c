const METHOD = "subscriptions/listen";

/** A subscription to resources as a 2026-07-28 client sends it. */
export const listenRequest = (uris: readonly string[]) => ({
  method: "POST",
  path: "/api/mcp",
  headers: {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": METHOD,
  },
  body: {
    jsonrpc: "2.0",
    id: "listen:1",
    method: METHOD,
    params: {
      notifications: { resourceSubscriptions: uris },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
});
