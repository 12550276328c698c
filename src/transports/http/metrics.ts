import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import { AggregatorRegistry, Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";
import { noPeers, type Peers } from "../../domain/peers-port.ts";
import type { Log } from "../../domain/ports.ts";
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

/** Creates metrics named `market_signal_*`, in base units; labels contain no symbols or accounts. */
export function createMetrics(peers: Peers = noPeers, streams: StreamPorts | null = null): Metrics {
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
    labelNames: ["tool"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "market_signal_http_request_duration_seconds",
    help: "Time from an HTTP request to the start of its response.",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers: [registry],
  });
  if (streams !== null) registerStreamMetrics([registry], streams);
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
        if (ms !== null) callSeconds.observe({ tool }, ms / 1000);
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
