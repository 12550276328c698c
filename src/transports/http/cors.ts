import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import type { HttpEnv } from "./server-deps.ts";

/** Setting value that allows every origin. */
const ANY_ORIGIN = "*";
/** Seconds for which a browser may reuse the answer to a preflight request. */
const PREFLIGHT_MAX_AGE_S = 86_400;

/** Request headers of REST, MCP and A2A that pages may send. */
export const ALLOWED_HEADERS = [
  ...["Accept", "Authorization", "Content-Type", "If-None-Match", "Last-Event-ID", "X-Request-Id"],
  ...["Idempotency-Key", "A2A-Version", "A2A-Extensions"],
  ...["Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name"],
] as const;

/** Response headers of REST, MCP and A2A that pages may read. */
export const EXPOSED_HEADERS = [
  ...["Request-Id", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate"],
  ...["Allow", "Content-Disposition", "ETag", "Idempotency-Replayed", "Market-Data", "Mcp-Session-Id"],
] as const;

/** Access of pages from other origins. */
export interface CrossOrigin {
  /** Returns true if pages of this origin may call the API. */
  allows(origin: string | undefined): boolean;
  /** true: answers depend on the Origin header. */
  readonly varies: boolean;
  /** Answers preflight requests and adds the CORS headers to all other responses; for allowed origins. */
  readonly respond: MiddlewareHandler<HttpEnv>;
}

/**
 * Creates the access of these origins, or of all for `*`. Credentials of the browser, such as cookies, are never
 * allowed: a page sends its key in the Authorization header.
 */
export function createCrossOrigin(origins: readonly string[]): CrossOrigin {
  const anyOrigin = origins.includes(ANY_ORIGIN);
  const allowed: ReadonlySet<string> = new Set(origins);
  return {
    allows: (origin) => origin !== undefined && (anyOrigin || allowed.has(origin)),
    varies: origins.length > 0 && !anyOrigin,
    respond: cors({
      origin: anyOrigin ? ANY_ORIGIN : [...origins],
      allowMethods: ["GET", "HEAD", "POST", "PUT", "DELETE"],
      allowHeaders: [...ALLOWED_HEADERS],
      exposeHeaders: [...EXPOSED_HEADERS],
      maxAge: PREFLIGHT_MAX_AGE_S,
    }),
  };
}

/** Returns true for the API and its descriptions; pages of other origins read nothing else. */
export const isCrossOriginPath = (path: string): boolean =>
  path.startsWith("/api/") ||
  path.startsWith("/.well-known/") ||
  ["/openapi.json", "/llms.txt", "/widgets.json", "/apps.json"].includes(path);
