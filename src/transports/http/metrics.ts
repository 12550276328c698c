import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import type { Operation } from "../../domain/operation-port.ts";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
import { registerOperationMetrics } from "./operation-metrics.ts";
import type { HttpEnv } from "./server-deps.ts";
import { registerStreamMetrics, type StreamPorts } from "./stream-metrics.ts";
import { observeToolCalls } from "./tool-call-log.ts";

/** Prometheus metrics of one server. */
export interface Metrics {
  /** Returns the metrics of all processes in the text format of Prometheus, with its content type. */
  read(): Promise<{ readonly text: string; readonly contentType: string }>;
  /** Wraps a log: forwards every entry and counts the tool calls of all transports. */
  meteredLog(log: Log): Log;
  /** Measures request duration by method, route template and status. */
  readonly requestTimer: MiddlewareHandler<HttpEnv>;
}

interface MetricsOptions {
  /** The other processes of the server, whose metrics are added. Default: none. */
  readonly peers?: Peers | undefined;
  /** Default: no metrics of streams. */
  readonly streams?: StreamPorts;
  /** Default: no metrics of dependencies. */
  readonly operation?: Operation | undefined;
}

/** Bounds of the durations of calls and requests in seconds, few because each series of a tool has all of them. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 2.5, 30];

/** Creates metrics named `market_signal_*`, in base units; labels contain no symbols or accounts. */
export function createMetrics({ peers = noPeers, streams, operation }: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "market_signal_" });
  const calls = new Counter({
    name: "market_signal_tool_calls_total",
    help: "Tool calls on all transports, by outcome.",
    labelNames: ["tool", "transport", "code"],
    registers: [registry],
  });
  const callSeconds = new Histogram({
    name: "market_signal_tool_call_duration_seconds",
    help: "Duration of a tool call.",
    labelNames: ["tool", "transport"],
    buckets: BUCKETS,
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "market_signal_http_request_duration_seconds",
    help: "Time from an HTTP request to the start of its response.",
    labelNames: ["method", "route", "status"],
    buckets: BUCKETS,
    registers: [registry],
  });
  if (streams !== undefined) registerStreamMetrics([registry], streams);
  if (operation !== undefined) registerOperationMetrics([registry], operation);
  peers.onRequest("metrics", () => registry.getMetricsAsJSON());
  return {
    async read() {
      const others = (await peers.request("metrics", null)) as object[];
      const merged =
        others.length === 0
          ? registry
          : AggregatorRegistry.aggregate([await registry.getMetricsAsJSON(), ...others]);
      return { text: await merged.metrics(), contentType: registry.contentType };
    },
    meteredLog: (log) =>
      observeToolCalls(log, ({ tool, transport, code, ms }) => {
        calls.inc({ tool, transport, code });
        if (ms !== null) callSeconds.observe({ tool, transport }, ms / 1000);
      }),
    requestTimer: async (c, next) => {
      const started = performance.now();
      await next();
      const route = routePath(c);
      seconds.observe(
        { method: c.req.method, route: route.endsWith("*") ? "unmatched" : route, status: c.res.status },
        (performance.now() - started) / 1000,
      );
    },
  };
}
