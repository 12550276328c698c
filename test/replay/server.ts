import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createVendors, type ReplayOptions, type Vendors, vendorPath, type WireResponse } from "./replay.ts";
import { type StreamVendors, streamVendors } from "./streams.ts";
import type { VendorRequest } from "./vendor.ts";

const STREAM_INTERVAL_MS = 1_000;

/** Replayed vendors behind a local port. */
export interface Replay extends Pick<Vendors, "calls" | "set"> {
  url(vendor: string): string;
  /** The streams of the vendors, which send the newest trades every second. */
  readonly streams: StreamVendors;
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
  const streams = streamVendors(server, options);
  const ticking = setInterval(streams.tick, STREAM_INTERVAL_MS).unref();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: (vendor) => `${origin}/${vendor}`,
    streams,
    env: vendors.env(origin),
    calls: vendors.calls,
    set: vendors.set,
    close: () =>
      new Promise((resolve) => {
        clearInterval(ticking);
        streams.close();
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
  const own = { path: decodeURIComponent(path), query: searchParams, headers: new Headers(given) };
  const sent = method === "POST" ? await jsonOf(request) : undefined;
  const vendorRequest: VendorRequest | null =
    method === "GET" ? own : sent === undefined ? null : { ...own, sent };
  return { name, path: `${path}${search}`, vendorRequest };
}

/** The JSON body of a POST; undefined for anything else. */
async function jsonOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) text += part;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
