import type { Context } from "hono";
import { lazy } from "../../lib/lazy.ts";
import {
  acceptedEncoding,
  compress,
  type Encoding,
  MIN_COMPRESSED_BYTES,
  SMALLEST_FIRST,
} from "./compression.ts";
import { tagOfContent } from "./conditional.ts";
import type { HttpEnv } from "./server-deps.ts";

/** Time for which clients may reuse a static text without a request, in seconds. */
const MAX_AGE_S = 300;

/**
 * Returns a handler that serves a file which stays the same while the server runs, with an ETag. It is made at the first
 * request, and compressed once per encoding, unless its format is `compressed` already. `cacheControl` default: public,
 * for 300 s.
 */
export function serveStatic(
  contentType: string,
  make: () => string | Buffer | Promise<string>,
  {
    cacheControl = `public, max-age=${MAX_AGE_S}`,
    compressed = false,
  }: { readonly cacheControl?: string; readonly compressed?: boolean } = {},
): (c: Context<HttpEnv>) => Promise<Response> {
  const content = lazy(async () => {
    const made = await make();
    const bytes = typeof made === "string" ? Buffer.from(made, "utf8") : made;
    const encoded = new Map<Encoding, Promise<Uint8Array>>();
    const bodyFor = (encoding: Encoding): Promise<Uint8Array> => {
      const body = encoded.get(encoding) ?? compress(bytes, encoding, "often");
      encoded.set(encoding, body);
      return body;
    };
    return { bytes, tag: tagOfContent(bytes), bodyFor };
  });
  return async (c) => {
    const { bytes, tag, bodyFor } = await content();
    const headers = {
      "content-type": contentType,
      "cache-control": cacheControl,
      etag: tag,
    };
    const encoding =
      compressed || bytes.length < MIN_COMPRESSED_BYTES
        ? null
        : acceptedEncoding(c.req.header("accept-encoding"), SMALLEST_FIRST);
    if (encoding === null) return c.body(bytes as Uint8Array<ArrayBuffer>, 200, headers);
    return c.body((await bodyFor(encoding)) as Uint8Array<ArrayBuffer>, 200, {
      ...headers,
      "content-encoding": encoding,
    });
  };
}
