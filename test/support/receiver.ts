import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Handles a received request. */
export type Reply = (response: ServerResponse, got: ReceivedRequest, count: number) => void;

/** Replies with a status and headers and an empty body. */
export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Reply =>
  (response) =>
    response.writeHead(code, { ...headers }).end();

/** A local webhook receiver that records requests and replies with `reply`. Default: 204. */
export async function receiver(reply: Reply = status(204)) {
  const got: ReceivedRequest[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body };
      got.push(one);
      reply(response, one, got.length);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    got,
    port,
    url: `http://127.0.0.1:${port}/hook`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
