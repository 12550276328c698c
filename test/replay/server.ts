import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, type FaultPlan, faultOf, latencyOf, replyUnder } from "./faults.ts";
import type { Reply, Vendor, VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";

export interface ReplayOptions {
  readonly world: World;
  readonly vendors: readonly Vendor[];
  readonly faults?: FaultPlan;
  /** Whether answers take as long as the vendors' own; off where left out. */
  readonly latency?: boolean;
  /** Chooses which calls go wrong and how long they take. */
  readonly seed?: number;
  /** 0, a free one, where left out. */
  readonly port?: number;
  /** How far the vendors' clocks are ahead of the world's, ms. */
  readonly skewMs?: number;
  /** How late a slow answer is, ms. */
  readonly slowMs?: number;
  /** How long a call that is never answered is held, ms. */
  readonly holdMs?: number;
}

/** A call that was received. */
export interface Received {
  /** Epoch ms by the world's clock. */
  readonly at: number;
  /** Path and query below the vendor's address. */
  readonly path: string;
  /** `off` where the vendor was out of reach. */
  readonly fault: Fault | "off" | null;
}

export interface Replay {
  url(vendor: string): string;
  /** What the program reads to ask here: `PROVIDER_URL_YAHOO` and so on. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls received so far by vendor, oldest first. */
  calls(): Readonly<Record<string, readonly Received[]>>;
  /** Another plan from the next call on. */
  set(faults: FaultPlan): void;
  close(): Promise<void>;
}

export const NOTICE = "This is a replay: made-up and shifted prices, not a market.";
const NOTHING: Reply = { status: 404, headers: { "content-type": "text/plain" }, body: NOTICE };

/** Serves the world over HTTP on this machine alone, each vendor under its own path, with whatever can go wrong. */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const { world, vendors, latency = false, seed = 1, port = 0, skewMs = 0 } = options;
  const { slowMs = 3_000, holdMs = 30_000 } = options;
  const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]));
  const received = new Map<string, Received[]>(vendors.map(({ name }) => [name, []]));
  let plan = options.faults ?? {};

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { vendor, path, asked } = await read(request, byName);
    if (vendor === undefined || asked === null) return send(response, NOTHING);
    const calls = received.get(vendor.name)!;
    const nth = calls.length;
    const off = plan.off?.has(vendor.name) === true;
    const fault = off ? "off" : faultOf(plan, { vendor: vendor.name, path, nth }, seed);
    calls.push({ at: world.now(), path, fault });
    const left = new AbortController();
    response.on("close", () => left.abort());
    const wait = (ms: number) => sleep(ms, undefined, { signal: left.signal });

    if (fault === "off" || fault === "reset") return void request.socket.resetAndDestroy();
    if (latency) await wait(latencyOf(vendor, nth, seed));
    if (fault === "timeout") return wait(holdMs).then(() => void request.socket.destroy());
    if (fault === "slow") await wait(slowMs);
    const reply = replyUnder(fault, { vendor, request: asked, world, nth });
    send(
      response,
      reply,
      fault === "truncated" ? Math.floor(Buffer.byteLength(reply.body, reply.encoding) / 2) : undefined,
    );
  }

  /** `until`: the byte before which the connection breaks. */
  function send(
    response: ServerResponse,
    { status, headers = {}, body, encoding }: Reply,
    until?: number,
  ): void {
    const bytes = Buffer.from(body, encoding);
    response.sendDate = false;
    response.writeHead(status, {
      date: new Date(world.now() + skewMs).toUTCString(),
      ...headers,
      "content-length": bytes.length,
      "x-replay": "made-up and shifted prices",
    });
    if (until === undefined) response.end(bytes);
    else response.write(bytes.subarray(0, until), () => response.destroy());
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((cause: unknown) => {
      if (response.destroyed || response.headersSent) return;
      send(response, { status: 500, body: `The replay failed: ${cause}` });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  const url = (vendor: string) => `http://127.0.0.1:${taken}/${vendor}`;
  return {
    url,
    env: Object.fromEntries(vendors.map(({ name }) => [`PROVIDER_URL_${name.toUpperCase()}`, url(name)])),
    calls: () => Object.fromEntries([...received].map(([name, calls]) => [name, [...calls]])),
    set(faults) {
      plan = faults;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whom a request is for and what it asks, as that vendor would see it; `asked` is null for what none answers. */
async function read(request: IncomingMessage, vendors: ReadonlyMap<string, Vendor>) {
  const { url = "/", method, headers } = request;
  const { pathname, search, searchParams } = new URL(url, "http://127.0.0.1");
  const [, name = "", rest = ""] = /^\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
  const given = Object.entries(headers).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)] as [string, string]],
  );
  const own = { path: decodeURIComponent(rest), query: searchParams, headers: new Headers(given) };
  const sent = method === "POST" ? await sentBy(request) : undefined;
  const asked: VendorRequest | null = method === "GET" ? own : sent === undefined ? null : { ...own, sent };
  return { vendor: vendors.get(name), path: `${rest}${search}`, asked };
}

/** The JSON that a POST carries; undefined where it is none. */
async function sentBy(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const part of request) text += part;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
