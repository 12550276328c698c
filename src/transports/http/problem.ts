import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { asToolError, type ErrorCode, hintWithCommand, ToolError } from "../../kernel/errors.ts";
import { pathOf, STREAM_TOKEN_PARAMETER } from "./paths.ts";
import type { HttpEnv } from "./server-deps.ts";

interface ProblemKind {
  readonly status: number;
  readonly title: string;
  /** true: a retry may succeed. */
  readonly retryable?: true;
  /** Retry-After in seconds if the error has no `retry_after`. */
  readonly retryAfter?: number;
}

/** HTTP status and title of each error code. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = {
  INVALID_INPUT: { status: 400, title: "The input is invalid" },
  UNAUTHENTICATED: { status: 401, title: "Sign-in or a valid API key is required" },
  PLAN_REQUIRED: { status: 403, title: "The account's plan does not include this" },
  SCOPE_REQUIRED: { status: 403, title: "The key lacks a required scope" },
  FORBIDDEN: { status: 403, title: "The account, the origin or the host name of the request is not allowed" },
  NOT_FOUND: { status: 404, title: "Not found" },
  METHOD_NOT_ALLOWED: { status: 405, title: "The path does not support this method" },
  CONFLICT: {
    status: 409,
    title: "The request conflicts with the current state, or the same call is still running",
  },
  BODY_TOO_LARGE: { status: 413, title: "The request body is too large" },
  UNKNOWN_SYMBOL: { status: 422, title: "Unknown symbol" },
  NO_PRICE: { status: 422, title: "There is no price for this symbol" },
  NOT_ENOUGH_DATA: { status: 422, title: "Not enough data" },
  REFUSED: { status: 422, title: "The action was refused" },
  RATE_LIMITED: { status: 429, title: "Too many requests", retryable: true, retryAfter: 60 },
  CANCELLED: { status: 499, title: "The call was cancelled", retryable: true },
  INTERNAL: { status: 500, title: "The server failed unexpectedly" },
  UPSTREAM_UNAVAILABLE: { status: 503, title: "A provider is unavailable", retryable: true, retryAfter: 5 },
  NOT_CONNECTED: { status: 503, title: "The tool is not connected to a provider", retryAfter: 3600 },
  DEADLINE: { status: 504, title: "The call exceeded its deadline", retryable: true },
  STORAGE_FULL: { status: 507, title: "The server has no storage left" },
  STORAGE_BUSY: {
    status: 503,
    title: "The database is busy or does not answer",
    retryable: true,
    retryAfter: 1,
  },
  STORAGE_DAMAGED: { status: 500, title: "The stored data are damaged" },
};

export const isRetryable = (code: ErrorCode): boolean => PROBLEMS[code].retryable === true;

/** Returns the RFC 9457 body of a failure. The members of `data` are added but cannot replace the reserved members. */
export function problemBody(error: ToolError, instance: string, requestId: string): Record<string, unknown> {
  const { code, message, data } = error;
  const hint = hintWithCommand(error);
  const reserved = {
    type: `/docs#${code}`,
    title: PROBLEMS[code].title,
    status: PROBLEMS[code].status,
    detail: message,
    instance,
    ok: false,
    code,
    request_id: requestId,
    retryable: isRetryable(code),
    ...(hint !== undefined && { hint }),
  };
  return { ...reserved, ...data, ...reserved };
}

/** Responds with `application/problem+json`; any error that is not a ToolError becomes INTERNAL. */
export function problem(c: Context<HttpEnv>, thrown: unknown): Response {
  const error = asToolError(thrown);
  const { code, data } = error;
  c.header("Cache-Control", "no-store");
  if (code === "UNAUTHENTICATED") c.header("WWW-Authenticate", challengeOf(c));
  const retryAfter = data?.retry_after;
  const { status, retryAfter: defaultWait } = PROBLEMS[code];
  const wait = typeof retryAfter === "number" && Number.isFinite(retryAfter) ? retryAfter : defaultWait;
  if (wait !== undefined && (defaultWait !== undefined || code === "CONFLICT"))
    c.header("Retry-After", String(Math.max(1, Math.ceil(wait))));
  const body = problemBody(error, pathOf(c.req.url), c.get("requestId"));
  return c.body(JSON.stringify(body), status as ContentfulStatusCode, {
    "content-type": "application/problem+json",
  });
}

/**
 * Returns the challenge of a 401: with an error code if the request has a bearer key or a stream
 * token. @see RFC 6750 3.1
 */
function challengeOf(c: Context<HttpEnv>): string {
  const { req } = c;
  const isSent =
    /^bearer\b/i.test(req.header("authorization") ?? "") ||
    new RegExp(`[?&]${STREAM_TOKEN_PARAMETER}=`).test(req.url);
  return `Bearer realm="market-signal"${isSent ? ', error="invalid_token"' : ""}${c.get("challenge") ?? ""}`;
}

/** Registers a GET route; other methods receive METHOD_NOT_ALLOWED. */
export const routeGet = (
  app: Hono<HttpEnv>,
  path: string,
  handler: (c: Context<HttpEnv>) => Response | Promise<Response>,
) => app.get(path, handler).all(path, (c) => methodNotAllowed(c, ["GET"]));

/** Responds with METHOD_NOT_ALLOWED and an Allow header, or to OPTIONS with 204. */
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
