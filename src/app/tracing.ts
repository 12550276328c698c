import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "../domain/ports.ts";
import type { TraceContext } from "../domain/trace.ts";
import type { Span, SpanFacts, Tracer } from "../domain/tracing-port.ts";
import { asToolError } from "../kernel/errors.ts";
import { version } from "../lib/version.ts";
import type { Config } from "./config.ts";

/** Path of traces below the address of an OTLP receiver. */
const TRACES_PATH = "/v1/traces";
/** Timeout of one request to the receiver, also at shutdown. */
const SEND_TIMEOUT_MS = 3_000;

interface TracingOptions {
  readonly log: Pick<Log, "warn">;
  /** Interval at which spans are sent. Default: 5 s. */
  readonly sendEveryMs?: number;
}

/**
 * Opens the tracer that sends spans to OTEL_EXPORTER_OTLP_ENDPOINT as JSON; null without that setting. The libraries are
 * loaded only then. No global tracer is registered, so that other packages record nothing.
 */
export async function openTracing(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Pick<Config, "OTEL_EXPORTER_OTLP_ENDPOINT">,
  { log, sendEveryMs = 5_000 }: TracingOptions,
): Promise<(Tracer & { close(): Promise<void> }) | null> {
  if (endpoint === undefined) return null;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import("@opentelemetry/api");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { BatchSpanProcessor, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const url = `${endpoint.replace(/\/$/, "")}${TRACES_PATH}`;
  const sender = new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS });
  let isFailing = false;
  const exporter: typeof sender = Object.assign(Object.create(sender) as typeof sender, {
    export(...[spans, onSent]: Parameters<typeof sender.export>) {
      sender.export(spans, (result) => {
        // one warning until a request succeeds again
        if (result.code !== 0 && !isFailing) log.warn("traces_not_sent", { url, cause: result.error });
        isFailing = result.code !== 0;
        onSent(result);
      });
    },
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "market-signal",
      "service.version": version(),
      "service.instance.id": String(process.pid),
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        scheduledDelayMillis: sendEveryMs,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("market-signal");
  const current = new AsyncLocalStorage<typeof ROOT_CONTEXT>();
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

  const remote = ({ traceId, spanId, isSampled }: TraceContext) =>
    trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true });

  /** Begins a span, as a child of the current one or of `parent`; it is then linked to the current one. */
  function begin(name: string, { kind = "internal", attributes = {}, parent }: SpanFacts) {
    const active = current.getStore() ?? ROOT_CONTEXT;
    const within = trace.getSpanContext(active);
    const isElsewhere = parent !== undefined && parent.spanId !== within?.spanId;
    const context = isElsewhere ? remote(parent) : active;
    const links = isElsewhere && within !== undefined ? [{ context: within }] : [];
    const recorded = tracer.startSpan(name, { kind: kinds[kind], attributes, links }, context);
    const { traceId, spanId, traceFlags } = recorded.spanContext();
    let hasEnded = false;
    const span: Span = {
      context: { traceId, spanId, isSampled: (traceFlags & 1) === 1 },
      update({ name: changed, attributes: more }) {
        if (changed !== undefined) recorded.updateName(changed);
        if (more !== undefined) recorded.setAttributes(more);
      },
      end(error) {
        if (hasEnded) return;
        hasEnded = true;
        if (error !== undefined)
          recorded.setAttributes({ "error.type": error }).setStatus({ code: SpanStatusCode.ERROR });
        recorded.end();
      },
    };
    return { span, inside: trace.setSpan(context, recorded) };
  }

  return {
    start: (name, facts) => begin(name, facts).span,
    async span(name, facts, work) {
      const { span, inside } = begin(name, facts);
      try {
        return await current.run(inside, () => work(span));
      } catch (cause) {
        span.end(asToolError(cause).code);
        throw cause;
      } finally {
        span.end();
      }
    },
    // spans that the receiver does not accept are lost
    close: () => provider.shutdown().catch(() => {}),
  };
}
