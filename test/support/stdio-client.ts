import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { serveMcpStdio } from "../../src/transports/mcp/stdio.ts";
import type { Installation } from "./installation.ts";

/** Returns a client of the installation's owner, connected over stdio. */
export async function connectOverStdio(
  { app }: Pick<Installation, "app">,
  { name, toolsets }: { readonly name: string; readonly toolsets?: readonly string[] },
): Promise<Client> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const served = serveMcpStdio({
    registry: app.registry,
    ports: app.ports,
    principal: app.owner,
    version: "0.0.0",
    ...(toolsets !== undefined && { toolsets }),
    stdin,
    stdout,
  });
  const transport: Transport = {
    async start() {
      createInterface({ input: stdout }).on("line", (line) =>
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage),
      );
    },
    async send(message) {
      stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      stdin.end();
      await served;
      transport.onclose?.();
    },
  };
  const client = new Client({ name, version: "1" });
  await client.connect(transport);
  return client;
}
