import { Hono } from "hono";
import { expect, it } from "vitest";
import type { QuoteStreams } from "../../../src/domain/market/quote-streams-port.ts";
import { createMetrics } from "../../../src/transports/http/metrics.ts";
import { applyMiddleware } from "../../../src/transports/http/middleware.ts";
import type { HttpEnv } from "../../../src/transports/http/server-deps.ts";
import { restRoutes } from "../../../src/transports/rest/rest.ts";
import { collectingLog } from "../../support/context.ts";
import { asPro, httpServerDeps } from "../../support/http.ts";
import { HTTP_TOOLS } from "../../support/http-tools.ts";

function measured() {
  const metrics = createMetrics();
  const { log, lines } = collectingLog();
  const deps = httpServerDeps(HTTP_TOOLS, { ports: { log: metrics.meteredLog(log) } });
  const app = applyMiddleware(
    new Hono<HttpEnv>({ strict: false }).use("*", metrics.requestTimer),
    deps,
  ).route("/", restRoutes(deps));
  return { app, lines, deps, ...metrics };
}

it("counts every tool call by outcome over any transport, and forwards log entries", async () => {
  const { app, lines, deps, read } = measured();
  await app.request("/api/v1/health");
  await app.request("/api/v1/health");
  await app.request("/api/v1/echo/A");
  await app.request("/api/v1/failure/crash", { headers: asPro });
  deps.ports.log.info("call", { tool: "get_echo", transport: "mcp", code: "OK", ms: 1500, account: "a" });
  deps.ports.log.info("started", { tool: "get_echo", transport: "mcp", code: "OK" });
  deps.ports.log.warn("call", { tool: "get_echo" });
  const { text } = await read();
  const calls = text.split("\n").filter((line) => line.startsWith("market_signal_tool_calls_total{"));
  expect(calls.sort()).toEqual([
    'market_signal_tool_calls_total{tool="get_echo",transport="mcp",code="OK"} 1',
    'market_signal_tool_calls_total{tool="get_echo",transport="rest",code="UNAUTHENTICATED"} 1',
    'market_signal_tool_calls_total{tool="get_failure",transport="rest",code="INTERNAL"} 1',
    'market_signal_tool_calls_total{tool="get_health",transport="rest",code="OK"} 2',
  ]);
  expect(text).toContain('market_signal_tool_call_duration_seconds_sum{tool="get_echo",transport="mcp"} 1.5');
  expect(lines.map(({ level }) => level)).toEqual(["info", "info", "info", "error", "info", "info", "warn"]);
});

it("measures requests by route template, never by path", async () => {
  const { app, read } = measured();
  for (const path of ["/api/v1/echo/AAPL", "/api/v1/echo/BTC/USD", "/secret-path", "/api/options-flow/tide"])
    await app.request(path, { headers: asPro });
  await app.request("/api/v1/echo/TSLA", { method: "PATCH", headers: asPro });
  const { text } = await read();
  const counted = text
    .split("\n")
    .filter((line) => line.startsWith("market_signal_http_request_duration_seconds_count"));
  expect(counted.map((line) => line.slice(line.indexOf("{")))).toEqual([
    '{method="GET",route="/api/v1/echo/:symbol",status="200"} 1',
    '{method="GET",route="/api/v1/echo/:symbol/:quote",status="200"} 1',
    '{method="GET",route="unmatched",status="404"} 1',
    '{method="GET",route="/api/options-flow/tide",status="200"} 1',
    '{method="PATCH",route="/api/v1/echo/:symbol",status="405"} 1',
  ]);
  expect(text).not.toMatch(/AAPL|BTC|TSLA|secret/);
});

it("prefixes all metrics with market_signal_, process metrics too, and shares none between apps", async () => {
  const [one, two] = [createMetrics(), createMetrics()];
  const { text } = await one.read();
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
  expect(names.filter((name) => !name.startsWith("market_signal_"))).toEqual([]);
  expect(names).toContain("market_signal_process_cpu_seconds_total");
  one.meteredLog(collectingLog().log).info("call", { tool: "t", transport: "d", code: "OK" });
  expect((await two.read()).text).not.toContain('tool="t"');
});

it("shows the connections to providers that stream prices", async () => {
  const clock = { now: () => new Date("2026-01-15T15:00:10.500Z") };
  const at = "2026-01-15T15:00:00.000Z";
  const quoteStreams: QuoteStreams = {
    subscribe: () => () => {},
    status: () => [
      { provider: "kraken", state: "open", symbols: 2, last_message_at: at, losses: 3 },
      { provider: "binance", state: "down", symbols: 0, last_message_at: at, losses: 4 },
    ],
  };
  const { read } = createMetrics({ streams: { clock, quoteStreams } });
  await read();
  const { text } = await read();
  expect(text.split("\n").filter((line) => line.startsWith("market_signal_stream_"))).toEqual([
    'market_signal_stream_connections{provider="kraken"} 1',
    'market_signal_stream_connections{provider="binance"} 0',
    'market_signal_stream_down{provider="kraken"} 0',
    'market_signal_stream_down{provider="binance"} 1',
    'market_signal_stream_subscriptions{provider="kraken"} 2',
    'market_signal_stream_subscriptions{provider="binance"} 0',
    'market_signal_stream_last_message_age_seconds{provider="kraken"} 10.5',
    'market_signal_stream_reconnects_total{provider="kraken"} 3',
    'market_signal_stream_reconnects_total{provider="binance"} 4',
  ]);
});
