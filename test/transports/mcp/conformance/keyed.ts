import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";

export interface Keyed {
  readonly url: string;
  close(): void;
}

/**
 * Proxies a server and adds a key to every request, for a client that cannot send one; everything else passes
 * unchanged.
 */
export async function keyed(origin: string, key: string): Promise<Keyed> {
  const { hostname, port } = new URL(origin);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const onward = request({
      hostname,
      port,
      method,
      path,
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      outgoing.flushHeaders();
      pipeline(answer, outgoing, () => {});
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    pipeline(incoming, onward, () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
