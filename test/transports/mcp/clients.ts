import { Client, SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport as OldSseTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { bearer, type Setup } from "./fixture.ts";

export const info = { name: "test", version: "1" };

/** A client of release 2.4 over streamable HTTP. */
export async function httpClient(url: URL, key = "pro", mode: "auto" | "legacy" = "auto"): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: bearer(key) }));
  return client;
}

export const sseOptions = {
  requestInit: bearer("pro"),
  eventSourceInit: {
    fetch: (url: string | URL, init?: RequestInit) =>
      fetch(url, { ...init, headers: { ...(init?.headers as object), ...bearer("pro").headers } }),
  },
};

/** A client of release 2.4 over HTTP+SSE. */
export async function sseClient(url: URL, mode: "auto" | "legacy" = "legacy"): Promise<Client> {
  const client = new Client(info, { versionNegotiation: { mode } });
  await client.connect(new SSEClientTransport(url, sseOptions));
  return client;
}

/** A client of release 1.32 over HTTP+SSE. */
export async function oldSseClient(url: URL): Promise<OldClient> {
  const client = new OldClient(info);
  await client.connect(new OldSseTransport(url, sseOptions) as never);
  return client;
}

/** Connects clients, each to a separate server; `end` closes all of them. */
export function dialler() {
  const ends: (() => Promise<unknown>)[] = [];
  const dial = async (made: Setup) => {
    const server = await made.listen();
    ends.push(server.stop);
    return server;
  };
  return {
    async connect(
      made: Setup,
      { mode = "auto" as "auto" | "legacy", key = "pro", path = "/api/mcp" } = {},
    ): Promise<Client> {
      const client = await httpClient((await dial(made)).url(path), key, mode);
      ends.push(() => client.close());
      return client;
    },
    async connectOld(made: Setup, path = "/api/mcp"): Promise<OldClient> {
      const server = await dial(made);
      const client = new OldClient(info);
      await client.connect(new OldTransport(server.url(path), { requestInit: bearer("pro") }) as never);
      ends.push(() => client.close());
      return client;
    },
    async end() {
      for (const end of ends.splice(0).reverse()) await end();
    },
  };
}
