import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, type FaultPlan, faultOf, latencyOf, replyUnder } from "./faults.ts";
import { parseSent, type Reply, type Vendor, type VendorRequest } from "./vendor.ts";
import type { World } from "./world.ts";

export interface ReplayOptions {
  readonly world: World;
  readonly vendors: readonly Vendor[];
  readonly faults?: FaultPlan;
  /** Delays every response by the vendor's own latency. Default: false. */
  readonly latency?: boolean;
  /** Seed of the faults and latencies. Default: 1. */
  readonly seed?: number;
  /** How far the vendors' clocks are ahead of the world's, ms. Default: 0. */
  readonly skewMs?: number;
  /** Delay of a slow response, ms. Default: 3,000. */
  readonly slowMs?: number;
  /** Time until a request without a response is dropped, ms. Default: 30,000. */
  readonly holdMs?: number;
}

/** A request received by a vendor. */
export interface ReceivedRequest {
  /** Epoch ms by the world's clock. */
  readonly at: number;
  /** Path and query below the vendor's address. */
  readonly path: string;
  /** `off` when the vendor was unreachable. */
  readonly fault: Fault | "off" | null;
}

/** A response to be sent: its headers, its bytes and how many of them arrive before the connection breaks. */
export interface WireResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer<ArrayBuffer>;
  /** Null if all bytes arrive. */
  readonly brokenAfter: number | null;
}

/** The replayed vendors, over HTTP or in process. */
export interface Vendors {
  /** Requests received so far by vendor, oldest first. */
  calls(): Readonly<Record<string, readonly ReceivedRequest[]>>;
  /** Replaces the fault plan from the next request on. */
  set(faults: FaultPlan): void;
  /**
   * Responds to one request; null if the connection breaks before the first byte. Rejects when `signal` aborts a wait.
   */
  respond(
    vendor: string,
    path: string,
    request: VendorRequest | null,
    signal: AbortSignal,
  ): Promise<WireResponse | null>;
  /** Settings that point the program at these vendors below one origin. */
  env(origin: string): Readonly<Record<string, string>>;
}

export const NOTICE = "This is a replay: simulated prices, not a market.";
const MARK = { "x-replay": "simulated prices" } as const;
const NOTHING: Reply = { status: 404, headers: { "content-type": "text/plain" }, body: NOTICE };

/** Responds to requests as the vendors would, with the planned faults and delays, and records each request. */
export function createVendors({
  world,
  vendors,
  faults = {},
  latency = false,
  seed = 1,
  skewMs = 0,
  slowMs = 3_000,
  holdMs = 30_000,
}: ReplayOptions): Vendors {
  const byName = new Map(vendors.map((vendor) => [vendor.name, vendor]));
  const received = new Map<string, ReceivedRequest[]>(vendors.map(({ name }) => [name, []]));
  let plan = faults;

  const wired = ({ status, headers = {}, body, encoding }: Reply, truncated = false): WireResponse => {
    const bytes = Buffer.from(body, encoding);
    return {
      status,
      headers: {
        date: new Date(world.now() + skewMs).toUTCString(),
        ...headers,
        "content-length": String(bytes.length),
        ...MARK,
      },
      bytes,
      brokenAfter: truncated ? Math.floor(bytes.length / 2) : null,
    };
  };

  return {
    calls: () => Object.fromEntries([...received].map(([name, calls]) => [name, [...calls]])),
    set(next) {
      plan = next;
    },
    async respond(name, path, request, signal) {
      const vendor = byName.get(name);
      if (vendor === undefined || request === null) return wired(NOTHING);
      const calls = received.get(name)!;
      const nth = calls.length;
      const off = plan.off?.has(name) === true;
      const fault = off ? "off" : faultOf(plan, { vendor: name, path, nth }, seed);
      calls.push({ at: world.now(), path, fault });
      if (fault === "off" || fault === "reset") return null;
      const wait = (ms: number) => sleep(ms, undefined, { signal });
      if (latency) await wait(latencyOf(vendor, nth, seed));
      if (fault === "timeout") return wait(holdMs).then(() => null);
      if (fault === "slow") await wait(slowMs);
      return wired(replyUnder(fault, { vendor, request, world, nth }), fault === "truncated");
    },
    env: (origin) =>
      Object.fromEntries(
        vendors.map(({ name }) => [`PROVIDER_URL_${name.toUpperCase()}`, `${origin}/${name}`]),
      ),
  };
}

/** Vendor name and vendor path of a URL path below the replay's origin. */
export function vendorPath(pathname: string): { readonly name: string; readonly path: string } {
  const [, name = "", path = ""] = /^\/([^/]+)(\/.*)?$/.exec(pathname) ?? [];
  return { name, path };
}

const ORIGIN = "http://replay.test";

/** Replayed vendors in this process, reached by a fetch function instead of sockets. */
export interface InProcessReplay extends Pick<Vendors, "calls" | "set"> {
  readonly fetch: typeof globalThis.fetch;
  readonly env: Readonly<Record<string, string>>;
  url(vendor: string): string;
}

/**
 * Replays vendors without sockets: `fetch` responds in the same event-loop iteration, so no timer of the program can
 * fire before a response. Requests to other hosts go to the network.
 */
export function replayInProcess(options: ReplayOptions): InProcessReplay {
  const vendors = createVendors(options);
  return {
    calls: vendors.calls,
    set: vendors.set,
    env: vendors.env(ORIGIN),
    url: (vendor) => `${ORIGIN}/${vendor}`,
    async fetch(input, init) {
      const request = input instanceof Request ? input : null;
      const url = new URL(request?.url ?? String(input));
      if (url.origin !== ORIGIN) return globalThis.fetch(input, init);
      const signal = init?.signal ?? request?.signal ?? new AbortController().signal;
      signal.throwIfAborted();
      const { name, path } = vendorPath(url.pathname);
      const method = init?.method ?? request?.method ?? "GET";
      const text = init?.body ?? (request === null ? null : await request.text());
      const vendorRequest: VendorRequest = {
        path: decodeURIComponent(path),
        query: url.searchParams,
        headers: new Headers(init?.headers ?? request?.headers),
        host: null,
        ...(text !== null && String(text) !== "" && { sent: parseSent(String(text)) }),
      };
      const answerable = method === "GET" || vendorRequest.sent !== undefined;
      const wire = await vendors
        .respond(name, `${path}${url.search}`, answerable ? vendorRequest : null, signal)
        .catch((cause: unknown) => {
          throw signal.aborted ? signal.reason : cause;
        });
      if (wire === null) throw new TypeError("fetch failed");
      const { status, headers, bytes, brokenAfter } = wire;
      const empty = status === 204 || status === 304;
      const body = brokenAfter === null ? bytes : brokenBody(bytes.subarray(0, brokenAfter));
      return new Response(empty ? null : body, { status, headers });
    },
  };
}

/** A body whose connection breaks after the given bytes. */
const brokenBody = (bytes: Uint8Array<ArrayBuffer>): ReadableStream =>
  new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.error(new TypeError("terminated"));
    },
  });
