import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { MiddlewareHandler } from "hono";
import { parseAccept } from "hono/utils/accept";
import { COMPRESSIBLE_CONTENT_TYPE_REGEX } from "hono/utils/compress";
import { encodedTag } from "./conditional.ts";
import type { HttpEnv } from "./server-deps.ts";

/** Size in bytes below which a body is sent as it is: headers and connection weigh more. */
export const MIN_COMPRESSED_BYTES = 1_024;
/**
 * Brotli levels: that of a body for one response takes as long as the default of gzip and compresses better; that of a
 * body that is compressed once and sent often takes half as long again.
 */
const BROTLI_LEVELS = { once: 5, often: 8 } as const;

/** zlib compresses in its thread pool, not on the event loop. */
const ENCODERS = {
  br: (bytes: Uint8Array, sent: keyof typeof BROTLI_LEVELS) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVELS[sent],
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
} as const;
export type Encoding = keyof typeof ENCODERS;
/** Order of preference for bodies that are compressed once and sent often. */
export const SMALLEST_FIRST: readonly Encoding[] = ["br", "gzip"];
/** Order of preference for bodies that are compressed for one response: gzip starts faster, which counts for a few KB. */
const FASTEST_FIRST: readonly Encoding[] = ["gzip", "br"];

/** Compresses bytes in the thread pool of zlib, smaller if they are sent often. */
export const compress = (
  bytes: Uint8Array,
  encoding: Encoding,
  sent: keyof typeof BROTLI_LEVELS = "once",
): Promise<Uint8Array> => ENCODERS[encoding](bytes, sent);

/**
 * Returns the encoding that an Accept-Encoding header prefers, the first one of those it accepts alike; null if it
 * accepts none.
 */
export function acceptedEncoding(
  header: string | undefined,
  encodings: readonly Encoding[] = FASTEST_FIRST,
): Encoding | null {
  if (header === undefined) return null;
  const ranges = parseAccept(header);
  const qualityOf = (name: string) => ranges.find(({ type }) => type.toLowerCase() === name)?.q;
  const other = qualityOf("*") ?? 0;
  let best: { readonly encoding: Encoding; readonly quality: number } | null = null;
  for (const encoding of encodings) {
    const quality = qualityOf(encoding) ?? other;
    if (quality > (best?.quality ?? 0)) best = { encoding, quality };
  }
  return best?.encoding ?? null;
}

/**
 * Compresses the bodies of text and JSON from 1 KB, if the client accepts it. Event streams are sent as they are: each
 * event must reach the client at once.
 */
export const compressResponses: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const encoding = acceptedEncoding(c.req.header("accept-encoding"));
  if (encoding === null || c.req.method === "HEAD") return;
  const { headers, status } = c.res;
  if (headers.has("content-encoding") || headers.has("content-range") || !isCompressible(headers)) return;
  const bytes = new Uint8Array(await c.res.arrayBuffer());
  const isLarge = bytes.length >= MIN_COMPRESSED_BYTES;
  headers.delete("content-length");
  if (isLarge) {
    headers.set("content-encoding", encoding);
    const tag = headers.get("etag");
    if (tag !== null) headers.set("etag", encodedTag(tag, encoding));
  }
  const body = isLarge ? await compress(bytes, encoding) : bytes;
  c.res = undefined; // otherwise Hono would add the headers of the response that is replaced
  c.res = new Response(body as Uint8Array<ArrayBuffer>, { status, headers });
};

const isCompressible = (headers: Headers): boolean =>
  COMPRESSIBLE_CONTENT_TYPE_REGEX.test(headers.get("content-type") ?? "") &&
  !/\bno-transform\b/i.test(headers.get("cache-control") ?? "");
