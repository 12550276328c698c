import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { type Translated, translate, translateBack } from "./translate.ts";

export interface Keyed {
  readonly url: string;
  close(): void;
}

/**
 * Proxies a server, adds a key to every request for a client that cannot send one, and translates the names of the
 * suite's tools, prompts and resources to those of the product. Everything else passes unchanged.
 */
export async function keyed(origin: string, key: string): Promise<Keyed> {
  const { hostname, port } = new URL(origin);
  const server = createServer(async (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const { body, name, words } = translated(await buffer(incoming));
    // lines of a response are translated, so it must not be compressed
    const { "content-length": _, "transfer-encoding": __, "accept-encoding": ___, ...others } = headers;
    const onward = request({
      hostname,
      port,
      agent: false, // a reused connection may be closed just then
      method,
      path,
      headers: {
        ...others,
        ...(name !== null && "mcp-name" in headers && { "mcp-name": name }),
        ...(body.length > 0 && { "content-length": body.length }),
        authorization: `Bearer ${key}`,
      },
    });
    onward.on("response", (answer) => {
      const { "content-length": length, ...answered } = answer.headers;
      const isSame = Object.keys(words).length === 0;
      outgoing.writeHead(answer.statusCode!, isSame ? answer.headers : answered);
      outgoing.flushHeaders();
      if (isSame) pipeline(answer, outgoing, () => {});
      else
        createInterface({ input: answer })
          .on("line", (line) => outgoing.write(`${translateBack(line, words)}\n`))
          .on("close", () => outgoing.end());
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    onward.end(body);
  });
  server.keepAliveTimeout = 60_000;
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

function translated(given: Buffer): { readonly body: Buffer } & Omit<Translated, "message"> {
  try {
    const { message, ...others } = translate(JSON.parse(given.toString("utf8")));
    return { body: Buffer.from(JSON.stringify(message)), ...others };
  } catch {
    return { body: given, name: null, words: {} };
  }
}
