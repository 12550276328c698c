import type { World } from "./world.ts";

export interface VendorRequest {
  /** Path below the base URL, decoded: `/v8/finance/chart/BRK-B`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  /** Host of the vendor; null in a replay whose address replaces all of its hosts. */
  readonly host: string | null;
  /** Body of a POST: JSON, or the fields of a form. */
  readonly sent?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  /** Encoding of a `body` that holds bytes. Default: UTF-8 text. */
  readonly encoding?: "latin1";
}

/**
 * Server side of one vendor: the world in its format, with its own errors, based on recorded and documented responses.
 */
export interface Vendor {
  readonly name: string;
  /** Accepted key or token; null if none is required. */
  readonly key: string | null;
  /** Published measurements of its response time, ms. */
  readonly latency: { readonly p50: number; readonly p95: number };
  /** The correct response, also to unknown symbols and wrong keys; 404 for an unknown path. */
  answer(request: VendorRequest, world: World): Reply;
  /** Responses of the vendor to too many requests, possibly with status 200. */
  readonly limits: readonly Reply[];
  /** Responses of the vendor to a wrong key; empty if none is required. */
  readonly unauthorised: readonly Reply[];
  /** Responses of the vendor, or of its CDN or firewall, to blocked clients. */
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

/** Parses the body of a POST: JSON, or the fields of a form. */
export function parseSent(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

/** A fetch function whose requests are served by a vendor in this process. */
export const fetchFrom =
  (vendor: Vendor, world: World): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { status, headers, body, encoding } = vendor.answer(
      {
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: new Headers(init?.headers),
        host: url.host,
        ...(init?.body != null && { sent: parseSent(String(init.body)) }),
      },
      world,
    );
    return new Response(Buffer.from(body, encoding), { status, ...(headers && { headers }) });
  };
