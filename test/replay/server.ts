import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createVendors, type ReplayOptions, type Vendors, vendorPath, type WireResponse } from "./replay.ts";
import { parseSent, type VendorRequest } from "./vendor.ts";

/** Replayed vendors behind a local port. */
export interface Replay extends Pick<Vendors, "calls" | "set"> {
  url(vendor: string): string;
  /** Settings that point the program at this server: `PROVIDER_URL_YAHOO` and so on. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Serves the replayed vendors over HTTP on localhost only, each under its own path. `port` defaults to a free one. */
export async function startReplay({
  port = 0,
  ...options
}: ReplayOptions & { readonly port?: number }): Promise<Replay> {
  const vendors = createVendors(options);
  const server = createServer((request, response) => {
    const left = new AbortController();
    response.on("close", () => left.abort());
    const send = ({ status, headers, bytes, brokenAfter }: WireResponse) => {
      response.sendDate = false;
      response.writeHead(status, headers);
      if (brokenAfter === null) response.end(bytes);
      else response.write(bytes.subarray(0, brokenAfter), () => response.destroy());
    };
    read(request)
      .then(({ name, path, vendorRequest }) => vendors.respond(name, path, vendorRequest, left.signal))
      .then((wire) => (wire === null ? void request.socket.resetAndDestroy() : send(wire)))
      .catch((cause: unknown) => {
        if (response.destroyed || response.headersSent) return;
        response.writeHead(500).end(`The replay failed: ${cause}`);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (vendor) => `${origin}/${vendor}`,
    env: vendors.env(origin),
    calls: vendors.calls,
    set: vendors.set,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The vendor of a request and the request as that vendor receives it; null for a method that no vendor supports. */
async function read(request: IncomingMessage) {
  const { url = "/", method, headers } = request;
  const { pathname, search, searchParams } = new URL(url, "http://127.0.0.1");
  const { name, path } = vendorPath(pathname);
  const given = Object.entries(headers).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  const own = {
    path: decodeURIComponent(path),
    query: searchParams,
    headers: new Headers(given),
    host: null,
  };
  const sent = method === "POST" ? await bodyOf(request) : undefined;
  const vendorRequest: VendorRequest | null =
    method === "GET" ? own : sent === undefined ? null : { ...own, sent };
  return { name, path: `${path}${search}`, vendorRequest };
}

/** The body of a POST; undefined without one. */
async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) text += part;
  return text === "" ? undefined : parseSent(text);
}
