import { setTimeout as sleep } from "node:timers/promises";
import { type Context, Hono } from "hono";
import { type Market, SAMPLE_LABEL } from "../../domain/market/market.ts";
import { asToolError, hintWithCommand, ToolError } from "../../kernel/errors.ts";
import { createSharedPages, type FollowStep, follow } from "../../kernel/follow.ts";
import { followQuotes, type QuoteStep } from "../../kernel/follow-quotes.ts";
import { AFTER_FIELD, SINCE_FIELD, type StreamDef } from "../../kernel/followable.ts";
import { authorize } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import { carriesPrices, isSimulated } from "../../kernel/sample-label.ts";
import type { Tool } from "../../kernel/tool.ts";
import {
  type EventStream,
  type EventStreamOptions,
  eventStream,
  formatEvent,
  SSE_HEADERS,
} from "../http/event-stream.ts";
import { principalRefresher } from "../http/middleware.ts";
import { STREAM_TOKEN_PARAMETER } from "../http/paths.ts";
import { routeGet } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { createStreamRegistry, type OpenStream, type StreamLimits } from "../http/stream-registry.ts";
import { parseInput } from "./input.ts";

/** Request header with the cursor from which a reconnecting client resumes. */
export const LAST_EVENT_ID = "Last-Event-ID";

export interface RestStreamLimits extends StreamLimits, Omit<EventStreamOptions, "onClose"> {
  readonly keepAliveMs: number;
  /** Interval at which followed lists are evaluated again, in milliseconds. */
  readonly refreshMs: number;
  /** Interval at which prices without a provider stream are requested, in milliseconds, by market. */
  readonly quotePollMs: Readonly<Record<Market["mode"], number>>;
  /** Minimum interval between the prices of a stream, in milliseconds. */
  readonly quoteIntervalMs: number;
}

export const STREAM_LIMITS: RestStreamLimits = {
  keepAliveMs: 15_000,
  bufferBytes: 64 << 10,
  maxStreams: 1_000,
  maxPerAccount: 20,
  recheckMs: 500,
  refreshMs: 60_000,
  // 20 live symbols take 80 requests a minute, fewer than the providers allow; simulated prices change every 5 seconds
  quotePollMs: { live: 15_000, files: 60_000, sample: 5_000 },
  quoteIntervalMs: 500,
};

/** Reconnection delay sent to clients, in milliseconds. */
const RETRY_MS = 3_000;

export interface RestStreamTransport {
  readonly route: Hono<HttpEnv>;
  /** Returns the number of open streams. */
  count(): number;
  /** Ends every stream with a shutdown event and rejects new ones. */
  close(): Promise<void>;
}

/**
 * Serves every tool that has a stream route as server-sent events: `hello` with the watched symbols, one `change` per
 * change, `watching` when a followed list changes, and `end` with the reason when the server ends the stream. The `id` of
 * an event is the cursor to resume from. A stream of quotes sends one `quote` per new price instead, and `unavailable`
 * at the beginning of an outage. Failures before the first event are thrown as ToolError.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createRestStreamTransport(
  server: HttpServerDeps,
  options: Partial<RestStreamLimits> = {},
): RestStreamTransport {
  const { registry, ports } = server;
  const limits = { ...STREAM_LIMITS, ...options };
  const open = createStreamRegistry<OpenStream>(
    limits,
    `poll the route without a stream, with ${AFTER_FIELD}`,
  );
  const route = new Hono<HttpEnv>({ strict: false });
  const pages = createSharedPages();
  let closed = false;

  async function serve(
    c: Context<HttpEnv>,
    tool: Tool,
    { path, of }: { readonly path: string } & Required<Pick<StreamDef, "of">>,
  ): Promise<Response> {
    const principal = c.get("principal");
    const refreshPrincipal = principalRefresher(c);
    authorize(tool, principal);
    if (c.req.raw.method === "HEAD") return c.body(null, 200, SSE_HEADERS);
    if (closed) throw shuttingDown();
    const { changes, quoteStreams, symbols, market, clock } = ports;
    const id = ports.ids.uuid();
    const stop = new AbortController();
    const wake: { timer?: NodeJS.Timeout } = {};
    const events = eventStream({
      ...limits,
      onClose() {
        stop.abort();
        clearInterval(wake.timer);
        open.remove(id);
      },
    });
    const end = (reason: ToolError) => {
      try {
        events.write(formatEnd(reason, { requestId: c.get("requestId"), of }));
      } catch {} // the client disconnected or stopped reading
      events.close();
    };
    const call = {
      principal,
      admitted: c.get("admitted"),
      refreshPrincipal,
      transport: "rest-stream",
      detail: "full",
      requestId: c.get("requestId"),
      signal: stop.signal,
      registerWake(evaluate: () => void) {
        const interval = of === "quotes" ? limits.quotePollMs[market.mode] : limits.refreshMs;
        wake.timer = setInterval(evaluate, interval).unref();
      },
    } as const;
    const begin = () => {
      if (of === "quotes") {
        if (quoteStreams === undefined || symbols === undefined)
          throw new ToolError("NOT_CONNECTED", "This server has no prices");
        const input = () => readFields(c, tool, path);
        return followQuotes(tool, input, { ...call, ports: { ...ports, quoteStreams, symbols } });
      }
      if (changes === undefined) throw new ToolError("NOT_CONNECTED", "This server stores no changes");
      return follow(tool, () => readInput(c, tool, path), { ...call, pages, ports: { ...ports, changes } });
    };
    try {
      const steps: AsyncGenerator<FollowStep | QuoteStep, void> = begin();
      open.add({
        id,
        account: principal.account,
        recheck: async () => authorize(tool, await refreshPrincipal()),
        close: (reason = shuttingDown()) => end(reason),
      });
      const first = await steps.next();
      const label = isSimulated(tool, market) ? SAMPLE_LABEL : null;
      const context = { market: market.mode, label, now: () => clock.now() };
      const { signal } = stop;
      const pause = () => sleep(limits.quoteIntervalMs, undefined, { signal, ref: false });
      void pump(steps, first, { events, context, signal, pause }).catch((cause: unknown) => {
        if (stop.signal.aborted) return;
        const error = asToolError(cause);
        // stream steps are not logged as calls, so internal errors are logged here
        if (error.code === "INTERNAL")
          ports.log.error("stream", { request_id: c.get("requestId"), cause: error.cause });
        end(error);
      });
    } catch (cause) {
      events.close();
      throw cause;
    }
    c.set("headed", true);
    return new Response(events.body, { headers: await headersOf(c, tool) });
  }

  const headersOf = async (c: Context<HttpEnv>, tool: Tool): Promise<Record<string, string>> => ({
    ...c.get("headers"),
    ...SSE_HEADERS,
    ...(carriesPrices(tool) && { "Market-Data": ports.market.mode }),
    ...(await rateLimitHeaders(ports.meters, c.get("principal"))),
  });

  for (const tool of [...registry.tools, ...registry.unavailable]) {
    const stream = tool.http?.stream;
    if (stream === undefined) continue;
    const { of = "changes" } = stream;
    const [, path] = stream.route.split(" ") as [string, string];
    routeGet(route, path, (c) => serve(c, tool, { path, of }));
  }
  return {
    route,
    count: open.count,
    async close() {
      closed = true;
      await open.close();
    },
  };
}

/** Parses the query of a stream, without its token. */
const readFields = (c: Context<HttpEnv>, { input }: Tool, path: string): Promise<Record<string, unknown>> =>
  parseInput(c.req.raw, jsonSchemaOf(input, "input"), path, { reservedParameters: [STREAM_TOKEN_PARAMETER] });

/** Parses the input of a stream: the query, and the cursor of a reconnecting client. */
async function readInput(c: Context<HttpEnv>, tool: Tool, path: string): Promise<Record<string, unknown>> {
  const given = await readFields(c, tool, path);
  const last = c.req.header(LAST_EVENT_ID) ?? "";
  if (last === "") return given;
  const { [SINCE_FIELD]: _, ...rest } = given;
  return { ...rest, [AFTER_FIELD]: last };
}

interface Pump {
  readonly events: EventStream;
  readonly context: HelloContext;
  readonly signal: AbortSignal;
  /** Resolves when the next prices may be sent. */
  readonly pause: () => Promise<void>;
}

/** Writes steps as fast as the client reads them, until they end or `signal` aborts. */
async function pump(
  steps: AsyncGenerator<FollowStep | QuoteStep, void>,
  first: IteratorResult<FollowStep | QuoteStep, void>,
  { events, context, signal, pause }: Pump,
): Promise<void> {
  try {
    let event = "hello";
    for (let step = first; !step.done; step = await steps.next()) {
      for (const text of formatStep(step.value, event, context)) {
        await events.waitUntilWritable();
        if (signal.aborted) return;
        events.write(text);
      }
      if (step.value.kind === "quotes") await pause();
      event = "watching";
    }
  } finally {
    await steps.return();
  }
}

/** Fields of the `hello` event in addition to the watched symbols. */
interface HelloContext {
  readonly market: string;
  /** Label for simulated prices; null for real ones. */
  readonly label: string | null;
  now(): Date;
}

function formatStep(
  step: FollowStep | QuoteStep,
  event: string,
  { market, label, now }: HelloContext,
): readonly string[] {
  if (step.kind === "change") return [formatEvent("change", step.change, { id: step.cursor })];
  if (step.kind === "quotes")
    return step.quotes.map((quote) => {
      const id = quote.timestamp === null ? null : `${quote.symbol}@${quote.timestamp}`;
      return formatEvent("quote", quote, { id });
    });
  if (step.kind === "unavailable") {
    const { code, message } = step.error;
    return [formatEvent("unavailable", { code, detail: message, hint: hintWithCommand(step.error) ?? null })];
  }
  const cursor = "cursor" in step ? { cursor: step.cursor } : {};
  const data = { watching: step.watching, market, label, ...cursor, server_time: now().toISOString() };
  return [formatEvent(event, data, { id: cursor.cursor ?? null, retryMs: RETRY_MS })];
}

/** Formats the final event, with the reason for the end and a hint. */
const formatEnd = (
  error: ToolError,
  { requestId, of }: { readonly requestId: string } & Required<Pick<StreamDef, "of">>,
): string =>
  formatEvent("end", {
    code: error.code,
    detail: error.message,
    hint: hintWithCommand(error) ?? RECONNECT_HINTS[of],
    request_id: requestId,
  });

const RECONNECT_HINTS = {
  changes: `Reconnect with ${LAST_EVENT_ID} to resume without loss.`,
  quotes: "Reconnect in a moment: the newest price of each symbol is sent first.",
} as const;

const shuttingDown = (): ToolError =>
  new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down", {
    hint: `Reconnect in a moment; a stream of changes resumes without loss with ${LAST_EVENT_ID}.`,
  });
