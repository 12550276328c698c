import type { World } from "./world.ts";

export interface VendorRequest {
  /** Path below the base URL, decoded: `/v8/finance/chart/BRK-B`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** JSON that came with a POST. */
  readonly sent?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** How `body` holds bytes, where they are no text. */
  readonly encoding?: "latin1";
}

/** One vendor's side of the wire: the world in its shapes, with its own refusals. Written from recorded and documented answers. */
export interface Vendor {
  readonly name: string;
  /** Key or token that it accepts; null where it wants none. */
  readonly key: string | null;
  /** Median and 95th percentile of its answers as measured by others, ms. */
  readonly latency: { readonly p50: number; readonly p95: number };
  /** Its true answer, unknown symbols and wrong keys included; 404 for a path it does not have. */
  answer(request: VendorRequest, world: World): Reply;
  /** Every way it says "too many calls", also inside a 200. */
  readonly limits: readonly Reply[];
  /** What it answers to a wrong key; empty where it wants none. */
  readonly unauthorised: readonly Reply[];
  /** What it, or the network before it, answers to those it does not like. */
  readonly blocks: readonly Reply[];
}

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** A fetch that asks a vendor in this process. */
export const fetchFrom =
  (vendor: Vendor, world: World): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { status, headers, body, encoding } = vendor.answer(
      {
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: new Headers(init?.headers),
        ...(typeof init?.body === "string" && { sent: JSON.parse(init.body) as unknown }),
      },
      world,
    );
    return new Response(Buffer.from(body, encoding), { status, ...(headers && { headers }) });
  };
