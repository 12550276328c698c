import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asToolError, type ErrorCode, ToolError } from "../../kernel/errors.ts";
import { pathOf } from "./paths.ts";
import type { HttpEnv } from "./server-deps.ts";

/** HTTP status of each error code. */
export const STATUS = {
  INVALID_INPUT: 400,
  UNAUTHENTICATED: 401,
  PLAN_REQUIRED: 403,
  SCOPE_REQUIRED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  BODY_TOO_LARGE: 413,
  UNKNOWN_SYMBOL: 422,
  NO_PRICE: 422,
  NOT_ENOUGH_DATA: 422,
  REFUSED: 422,
  RATE_LIMITED: 429,
  CANCELLED: 499,
  INTERNAL: 500,
  UPSTREAM_UNAVAILABLE: 503,
  NOT_CONNECTED: 503,
  DEADLINE: 504,
  STORAGE_FULL: 507,
} as const satisfies Record<ErrorCode, number>;

/** Problem title of each error code. */
export const TITLE = {
  INVALID_INPUT: "The input is invalid",
  UNAUTHENTICATED: "A valid API key is required",
  PLAN_REQUIRED: "The account's plan does not include this",
  SCOPE_REQUIRED: "The key lacks a required scope",
  FORBIDDEN: "Requests from this origin or for this host are not allowed",
  NOT_FOUND: "Not found",
  METHOD_NOT_ALLOWED: "The path does not support this method",
  CONFLICT: "The object is in another state, or a call is still running",
  BODY_TOO_LARGE: "The request body is too large",
  UNKNOWN_SYMBOL: "Unknown symbol",
  NO_PRICE: "There is no price for this symbol",
  NOT_ENOUGH_DATA: "Too little data",
  REFUSED: "The action was refused",
  RATE_LIMITED: "Too many requests",
  CANCELLED: "The call was cancelled",
  INTERNAL: "The server failed unexpectedly",
  UPSTREAM_UNAVAILABLE: "A provider is unavailable",
  NOT_CONNECTED: "The tool is not connected to a provider",
  DEADLINE: "The call exceeded its deadline",
  STORAGE_FULL: "The server has no storage left",
} as const satisfies Record<ErrorCode, string>;

/** Error codes of failures that a retry may resolve. */
export const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  "RATE_LIMITED",
  "UPSTREAM_UNAVAILABLE",
  "DEADLINE",
  "CANCELLED",
]);

/** Default Retry-After in seconds, if the error has no `retry_after`. */
const DEFAULT_RETRY_AFTER_SECONDS: Partial<Record<ErrorCode, number>> = {
  RATE_LIMITED: 60,
  UPSTREAM_UNAVAILABLE: 5,
  NOT_CONNECTED: 3600,
};

/** Returns the RFC 9457 body of a failure. The members of `data` are added but cannot replace the reserved members. */
export function problemBody(error: ToolError, instance: string, requestId: string): Record<string, unknown> {
  const { code, message, hint, data } = error;
  const reserved = {
    type: `/docs#${code}`,
    title: TITLE[code],
    status: STATUS[code],
    detail: message,
    instance,
    ok: false,
    code,
    request_id: requestId,
    retryable: RETRYABLE.has(code),
    ...(hint !== undefined && { hint }),
  };
  return { ...reserved, ...data, ...reserved };
}

/** Responds with `application/problem+json`; any error that is not a ToolError becomes INTERNAL. */
export function problem(c: Context<HttpEnv>, thrown: unknown): Response {
  const error = asToolError(thrown);
  const { code, data } = error;
  c.header("Cache-Control", "no-store");
  if (code === "UNAUTHENTICATED") c.header("WWW-Authenticate", 'Bearer realm="market-signal"');
  const retryAfter = data?.retry_after;
  const wait =
    typeof retryAfter === "number" && Number.isFinite(retryAfter)
      ? retryAfter
      : DEFAULT_RETRY_AFTER_SECONDS[code];
  if (wait !== undefined && (code in DEFAULT_RETRY_AFTER_SECONDS || code === "CONFLICT"))
    c.header("Retry-After", String(Math.max(1, Math.ceil(wait))));
  const body = problemBody(error, pathOf(c.req.url), c.get("requestId"));
  return c.body(JSON.stringify(body), STATUS[code] as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

/** Registers a GET route; other methods receive METHOD_NOT_ALLOWED. */
export const routeGet = (
  app: Hono<HttpEnv>,
  path: string,
  handler: (c: Context<HttpEnv>) => Response | Promise<Response>,
) => app.get(path, handler).all(path, (c) => methodNotAllowed(c, ["GET"]));

/** Responds with METHOD_NOT_ALLOWED and an Allow header; answers OPTIONS with 204. */
export function methodNotAllowed(c: Context<HttpEnv>, verbs: readonly string[]): Response {
  const allow = [...new Set([...verbs, ...(verbs.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].join(", ");
  c.header("Allow", allow);
  if (c.req.method === "OPTIONS") return c.body(null, 204, { "cache-control": "no-store" });
  return problem(
    c,
    new ToolError("METHOD_NOT_ALLOWED", `This path does not support ${c.req.method}`, {
      hint: `Use ${allow}.`,
    }),
  );
}
