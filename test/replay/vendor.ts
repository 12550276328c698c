import type { World } from "./world.ts";

export interface VendorRequest {
  /** Path below the base URL, decoded: `/v8/finance/chart/BRK-B`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** JSON body of a POST. */
  readonly sent?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Encoding of a `body` that holds bytes. Default: UTF-8 text. */
  readonly encoding?: "latin1";
}

/** One vendor's side of the wire: the world in its format, with its own refusals, written from recorded and documented responses. */
export interface Vendor {
  readonly name: string;
  /** Key or token that it accepts; null if it needs none. */
  readonly key: string | null;
  /** Published measurements of its response time, ms. */
  readonly latency: { readonly p50: number; readonly p95: number };
  /** Its true response, also to unknown symbols and wrong keys; 404 for a path it does not have. */
  answer(request: VendorRequest, world: World): Reply;
  /** Its "too many requests" responses, also inside a 200. */
  readonly limits: readonly Reply[];
  /** Its responses to a wrong key; empty if it needs none. */
  readonly unauthorised: readonly Reply[];
  /** Responses of the vendor, or of the network before it, to unwanted clients. */
  readonly blocks: readonly Reply[];
}

export const json = (body: unknown, status = 200): Reply => ({
  status,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** An HTML page instead of data. */
export const page = (status: number, title = "Access Denied"): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=UTF-8" },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body></body></html>`,
});

/** A response without a body. */
export const empty = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers,
  body: "",
});

/** A fetch that is answered by a vendor in this process. */
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
