import { Hono } from "hono";
import { ToolError } from "../../kernel/errors.ts";
import { jsonBody } from "../http/body.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";

/** Path at which callers create stream tokens. */
export const STREAM_TOKENS_PATH = "/api/v1/stream-tokens";

/** Serves the creation of stream tokens to callers with a key. */
export function streamTokenRoutes({
  streamTokens,
  ports,
}: Pick<HttpServerDeps, "streamTokens" | "ports">): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>({ strict: false });
  if (streamTokens === undefined) return app;
  return app
    .post(STREAM_TOKENS_PATH, async (c) => {
      const principal = c.get("principal");
      const [field] = Object.keys(await jsonBody(c.req.raw));
      if (field !== undefined)
        throw new ToolError("INVALID_INPUT", "A stream token takes no fields", {
          hint: "Send no body: the token has the account, plan and scopes of the key.",
        });
      return c.json(await streamTokens.issue(principal), 200, {
        "cache-control": "no-store",
        ...(await rateLimitHeaders(ports.meters, principal)),
      });
    })
    .all(STREAM_TOKENS_PATH, (c) => methodNotAllowed(c, ["POST"]));
}
