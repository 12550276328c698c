import { type Context, Hono } from "hono";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { type FollowStep, follow } from "../../kernel/follow.ts";
import { AFTER_FIELD, SINCE_FIELD } from "../../kernel/followable.ts";
import { authorize } from "../../kernel/invoke.ts";
import { jsonSchemaOf } from "../../kernel/publish.ts";
import type { Tool } from "../../kernel/tool.ts";
import {
  type EventStream,
  type EventStreamOptions,
  eventStream,
  formatEvent,
  SSE_HEADERS,
} from "../http/event-stream.ts";
import { bearerOf } from "../http/middleware.ts";
import { methodNotAllowed } from "../http/problem.ts";
import { rateLimitHeaders } from "../http/rate-limit-headers.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { createStreamRegistry, type OpenStream, type StreamLimits } from "../http/stream-registry.ts";
import { carriesPrices, isSimulated } from "../label.ts";
import { parseInput } from "./input.ts";

/** The header by which a reader that was cut off says where to go on. */
export const LAST_EVENT_ID = "Last-Event-ID";

export interface RestStreamLimits extends StreamLimits, Omit<EventStreamOptions, "onClose"> {
  readonly keepAliveMs: number;
  /** How often a list that is followed is looked at again. */
  readonly refreshMs: number;
}

export const STREAM_LIMITS: RestStreamLimits = {
  keepAliveMs: 15_000,
  bufferBytes: 256 << 10,
  maxStreams: 200,
  maxPerAccount: 20,
  recheckMs: 500,
  refreshMs: 60_000,
};

/** Milliseconds after which a reader that was cut off comes again. */
const RETRY_MS = 3_000;

export interface RestStreamTransport {
  readonly route: Hono<HttpEnv>;
  /** Streams that are open. */
  count(): number;
  /** Ends every stream, telling its reader that the server stops; refuses new ones. */
  close(): Promise<void>;
}

/**
 * Every tool with a stream at its route, as server-sent events: `hello` with what is watched, then a `change` each, `watching` where
 * a list became another, and `end` with the reason where the server ends it. The `id` of an event is where to go on after it.
 * What is refused before the first event is thrown as ToolError.
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
    `ask the route without a stream from time to time with ${AFTER_FIELD}`,
  );
  const route = new Hono<HttpEnv>({ strict: false });
  let closed = false;

  /** Who asks, and how it stands later. */
  function asker(c: Context<HttpEnv>) {
    const { account } = c.get("principal");
    const [bearer, address] = [bearerOf(c.req.header("authorization")), c.get("address")];
    const again = async () => {
      const now = await server.identify(bearer, address);
      if (now.account !== account) throw new ToolError("UNAUTHENTICATED", "The key changed hands");
      return now;
    };
    return { principal: c.get("principal"), again };
  }

  async function serve(c: Context<HttpEnv>, tool: Tool, path: string): Promise<Response> {
    const { principal, again } = asker(c);
    authorize(tool, principal);
    if (c.req.raw.method === "HEAD") return c.body(null, 200, SSE_HEADERS);
    if (closed) throw shuttingDown();
    const { changes } = ports;
    if (changes === undefined) throw new ToolError("NOT_CONNECTED", "Changes are not kept here");
    const id = ports.ids.uuid();
    const stop = new AbortController();
    const stir: { timer?: NodeJS.Timeout } = {};
    const events = eventStream({
      ...limits,
      onClose() {
        stop.abort();
        clearInterval(stir.timer);
        open.remove(id);
      },
    });
    const end = (why: ToolError) => {
      try {
        events.write(formatEnd(why, c.get("requestId")));
      } catch {} // the reader has left, or reads no more
      events.close();
    };
    const steps = follow(tool, () => readInput(c, tool, path), {
      ports: { ...ports, changes },
      principal,
      refreshPrincipal: again,
      transport: "rest-stream",
      detail: "full",
      requestId: c.get("requestId"),
      signal: stop.signal,
      registerWake(look) {
        stir.timer = setInterval(look, limits.refreshMs).unref();
      },
    });
    try {
      open.add({
        id,
        account: principal.account,
        recheck: async () => authorize(tool, await again()),
        close: (lost = shuttingDown()) => end(lost),
      });
      const first = await steps.next();
      const { market, clock } = ports;
      const label = isSimulated(tool, market) ? SAMPLE_LABEL : null;
      const told = { market: market.mode, label, now: () => clock.now() };
      void pump(steps, first, { events, told, signal: stop.signal }).catch((cause: unknown) => {
        if (stop.signal.aborted) return;
        const error = asToolError(cause);
        // a step of a stream is no call of its own, which would be logged
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
    const [, path] = stream.route.split(" ") as [string, string];
    route.get(path, (c) => serve(c, tool, path)).all(path, (c) => methodNotAllowed(c, ["GET"]));
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

/** The input of a stream: the query, and the place at which a reader that comes again was cut off. */
async function readInput(
  c: Context<HttpEnv>,
  { input }: Tool,
  path: string,
): Promise<Record<string, unknown>> {
  const given = await parseInput(c.req.raw, jsonSchemaOf(input, "input"), path);
  const last = c.req.header(LAST_EVENT_ID) ?? "";
  if (last === "") return given;
  const { [SINCE_FIELD]: _, ...rest } = given;
  return { ...rest, [AFTER_FIELD]: last };
}

/** Writes what arrives, no faster than it is read, until either end has enough. */
async function pump(
  steps: AsyncGenerator<FollowStep, void>,
  first: IteratorResult<FollowStep, void>,
  { events, told, signal }: { events: EventStream; told: HelloContext; signal: AbortSignal },
): Promise<void> {
  try {
    let event = "hello";
    for (let step = first; !step.done; step = await steps.next()) {
      await events.waitUntilWritable();
      if (signal.aborted) return;
      events.write(formatStep(step.value, event, told));
      event = "watching";
    }
  } finally {
    await steps.return();
  }
}

/** What the first event says besides what is watched. */
interface HelloContext {
  readonly market: string;
  /** What prices are marked with where they are simulated. */
  readonly label: string | null;
  now(): Date;
}

function formatStep(step: FollowStep, event: string, { market, label, now }: HelloContext): string {
  const { cursor: id } = step;
  if (step.kind === "change") return formatEvent("change", step.change, { id });
  const { watching } = step;
  const data = { watching, market, label, cursor: id, server_time: now().toISOString() };
  return formatEvent(event, data, { id, retryMs: RETRY_MS });
}

/** The last event: why the server ends the stream, and what to do. */
const formatEnd = ({ code, message, hint }: ToolError, requestId: string): string =>
  formatEvent("end", {
    code,
    detail: message,
    hint: hint ?? `Connect again with ${LAST_EVENT_ID} to go on without loss.`,
    request_id: requestId,
  });

const shuttingDown = (): ToolError =>
  new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down", {
    hint: `Connect again in a moment, with ${LAST_EVENT_ID} to go on without loss.`,
  });
