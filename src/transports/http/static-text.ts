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
 * Returns a handler that serves a text which stays the same while the server runs, with an ETag. The text is made at
 * the first request, and compressed once per encoding.
 */
export function serveStaticText(
  contentType: string,
  make: () => string | Promise<string>,
): (c: Context<HttpEnv>) => Promise<Response> {
  const content = lazy(async () => {
    const bytes = Buffer.from(await make(), "utf8");
    const encoded = new Map<Encoding, Promise<Uint8Array>>();
    const bodyFor = (encoding: Encoding): Promise<Uint8Array> => {
      const body = encoded.get(encoding) ?? compress(bytes, encoding);
      encoded.set(encoding, body);
      return body;
    };
    return { bytes, tag: tagOfContent(bytes), bodyFor };
  });
  return async (c) => {
    const { bytes, tag, bodyFor } = await content();
    const headers = {
      "content-type": contentType,
      "cache-control": `public, max-age=${MAX_AGE_S}`,
      etag: tag,
    };
    const encoding =
      bytes.length < MIN_COMPRESSED_BYTES
        ? null
        : acceptedEncoding(c.req.header("accept-encoding"), SMALLEST_FIRST);
    if (encoding === null) return c.body(bytes, 200, headers);
    return c.body((await bodyFor(encoding)) as Uint8Array<ArrayBuffer>, 200, {
      ...headers,
      "content-encoding": encoding,
    });
  };
}
