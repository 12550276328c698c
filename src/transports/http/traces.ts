import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { parseTraceparent } from "../../domain/trace.ts";
import type { Tracer } from "../../domain/tracing-port.ts";
import type { HttpEnv } from "./server-deps.ts";

/**
 * Reads the trace context of a client from the header `traceparent`, and records a span for each request until its response
 * begins. Without a tracer, no span is recorded.
 */
export const followTraces =
  (tracer: Tracer | undefined): MiddlewareHandler<HttpEnv> =>
  (c, next) => {
    const header = c.req.header("traceparent");
    const parent = header === undefined ? undefined : parseTraceparent(header);
    if (tracer === undefined) {
      if (parent !== undefined) c.set("trace", parent);
      return next();
    }
    const { method } = c.req;
    const facts = { kind: "server", parent, attributes: { "http.request.method": method } } as const;
    return tracer.span(method, facts, async (span) => {
      c.set("trace", span.context);
      await next();
      const route = routePath(c);
      const { status } = c.res;
      const isKnown = !route.endsWith("*");
      span.update({
        ...(isKnown && { name: `${method} ${route}` }),
        attributes: { "http.response.status_code": status, ...(isKnown && { "http.route": route }) },
      });
      span.end(status < 500 ? undefined : String(status));
    });
  };
