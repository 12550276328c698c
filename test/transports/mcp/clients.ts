import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { bearer, type Setup } from "./fixture.ts";

export const info = { name: "test", version: "1" };

/** Clients over real connections to a stand; `end` hangs up on all of them and stops their servers. */
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
      const server = await dial(made);
      const client = new Client(info, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(server.url(path), { requestInit: bearer(key) }));
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
