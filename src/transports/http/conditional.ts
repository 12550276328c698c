import { createHash } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { HttpEnv } from "./server-deps.ts";

/** Headers that describe the body, which a 304 does not have. */
const BODY_HEADERS = ["content-type", "content-length", "content-encoding", "content-disposition"] as const;

/** Returns the entity tag of a content. It is weak: the same content may be sent in several encodings. */
export const tagOfContent = (content: string | Uint8Array): string =>
  `W/"${createHash("sha256").update(content).digest("base64url").slice(0, 22)}"`;

/**
 * Returns the tag of the same content in a content encoding. A strong tag names one sequence of bytes, so it gets the
 * encoding as its end; a weak one stays as it is.
 */
export const encodedTag = (tag: string, encoding: string): string =>
  tag.startsWith("W/") ? tag : tag.replace(/"$/, `-${encoding}"`);

/** Returns the text of a tag without what differs between its forms: weakness and content encoding. */
const contentOf = (tag: string): string => tag.replace(/^W\//, "").replace(/-(?:br|gzip)"$/, '"');

/**
 * Returns true if an If-None-Match header names the tag, or is `*`. Weak and strong tags with the same text match, as
 * does the tag of another encoding.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export function matchesTag(header: string, tag: string): boolean {
  if (header.trim() === "*") return true;
  const known = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return known.some((each) => contentOf(each) === contentOf(tag));
}

/** Answers a GET or HEAD with 304 and without a body if If-None-Match names the ETag of the response. */
export const notModifiedResponses: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  const known = c.req.header("if-none-match");
  if (known === undefined || (c.req.method !== "GET" && c.req.method !== "HEAD")) return;
  if (c.res.status !== 200) return;
  const { headers } = c.res;
  const tag = headers.get("etag");
  if (tag === null || !matchesTag(known, tag)) return;
  for (const name of BODY_HEADERS) headers.delete(name);
  c.res = undefined; // otherwise Hono would add the headers of the response that is replaced
  c.res = new Response(null, { status: 304, headers });
};
