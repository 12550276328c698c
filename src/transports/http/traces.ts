import type { MiddlewareHandler } from "hono";
import { parseTraceparent } from "../../domain/trace.ts";
import type { HttpEnv } from "./server-deps.ts";

/** Reads the trace that a client follows from its header `traceparent`. */
export const followTraces: MiddlewareHandler<HttpEnv> = (c, next) => {
  const header = c.req.header("traceparent");
  if (header !== undefined) c.set("trace", parseTraceparent(header));
  return next();
};
