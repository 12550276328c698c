import type { Tracer } from "../../domain/tracing-port.ts";

/**
 * Returns a fetch function that records a span for each request to a provider, by its name. Nothing of the trace is sent
 * to the provider, and neither the address nor the body of a request is recorded. Without a tracer, returns the function
 * itself.
 */
export const tracedFetch = (
  nameOf: () => string,
  fetch: typeof globalThis.fetch,
  tracer: Tracer | undefined,
): typeof globalThis.fetch =>
  tracer === undefined
    ? fetch
    : (input, init) =>
        tracer.span(
          "provider fetch",
          { kind: "client", attributes: { provider: nameOf() } },
          async (span) => {
            const response = await fetch(input, init).catch((cause: unknown) => {
              span.end(cause instanceof Error ? cause.name : "UNKNOWN");
              throw cause;
            });
            span.update({ attributes: { "http.response.status_code": response.status } });
            span.end(response.status < 400 ? undefined : String(response.status));
            return response;
          },
        );
