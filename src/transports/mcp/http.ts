import {
  type AuthInfo,
  createMcpHandler,
  isJsonContentType,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { continueAs, yieldToEventLoop } from "../../lib/event-loop.ts";
import { jsonValue } from "../http/body.ts";
import { SSE_HEADERS } from "../http/event-stream.ts";
import { principalRefresher } from "../http/middleware.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { createStreamRegistry, type OpenStream } from "../http/stream-registry.ts";
import { resolveCall } from "./call-tool.ts";
import { type ConnectionTools, connectionToolsOf, parseToolsetFilter } from "./connection-tools.ts";
import { createDirectCalls } from "./direct.ts";
import { hasPlainHeaders, serveDirect } from "./direct-http.ts";
import { type Caller, type McpServerDeps, mcpServer } from "./server.ts";
import { createSseStreams, SSE_LIMITS, type SseLimits } from "./sse.ts";
import { createSubscriptions } from "./subscribe.ts";
import { LISTEN_METHOD, serveListen } from "./subscribe-http.ts";

/**
 * Deadline in milliseconds above which a tool responds as a stream with keep-alives, because a proxy may cut an idle
 * response after a minute.
 */
const SLOW_MS = 30_000;
/** Limits of listen streams at `/api/mcp`. */
const LISTENER_LIMITS = { maxStreams: 200, maxPerAccount: 20 } as const;
/** Maximum number of messages in one request; only revision 2025-03-26 has batches. */
const MAX_BATCH = 10;
/** Methods that are counted where they are handled. */
const COUNTED_LATER: ReadonlySet<unknown> = new Set([
  ...["tools/call", "resources/read", "resources/subscribe", LISTEN_METHOD],
]);
const STREAM = "/api/mcp/sse";
const MESSAGES = `${STREAM}/messages`;

export interface McpHttpTransport {
  readonly route: Hono<HttpEnv>;
  /** Returns the number of open HTTP+SSE and listen streams. */
  streams(): number;
  /** Ends all streams, cancels all running calls and refuses new ones. */
  close(): Promise<void>;
}

/**
 * Serves MCP over HTTP: `/api/mcp` supports every revision since 2025-03-26 without sessions, `/api/mcp/sse` the older
 * HTTP+SSE. Both require the plan "pro". A refused request throws a ToolError, which the application renders.
 */
export function createMcpHttpTransport(
  server: HttpServerDeps,
  options: Partial<SseLimits> = {},
): McpHttpTransport {
  const { registry, ports, settings } = server;
  const deps: McpServerDeps = {
    registry,
    ports,
    version: settings.version,
    toolsFor: connectionToolsOf(registry),
    running: new Set(),
  };
  const limits = { ...SSE_LIMITS, ...options };
  const handler = (responseMode: "auto" | "sse", bus?: ServerEventBus) =>
    createMcpHandler(
      ({ authInfo, era }) =>
        mcpServer(deps, {
          tools: requestInfoOf(authInfo).tools,
          transport: "mcp",
          resolveCaller: callerOf,
          canListen: era === "modern", // older revisions have no stream for updates
        }),
      {
        responseMode,
        keepAliveMs: limits.keepAliveMs,
        onerror: ({ message }) => ports.log.info("mcp", { refused: message }),
        ...(bus && { bus }),
      },
    );
  const direct = createDirectCalls(deps);
  const [quick, slow] = [handler("auto"), handler("sse")];
  const streams = createSseStreams(limits, server.peers);
  const listeners = createStreamRegistry<OpenStream>(
    { ...limits, ...LISTENER_LIMITS, ...options },
    "subscribe to more resources on one stream",
  );
  const messagesUrl = `${new URL(settings.publicUrl).pathname.replace(/\/$/, "")}${MESSAGES}`;
  let closed = false;

  const route = new Hono<HttpEnv>();
  route.use("/api/mcp/*", async (c, next) => {
    if (closed) throw new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down");
    authorizePlan("MCP", "pro", c.get("principal"));
    await next();
  });

  const toolsOf = (url: string) =>
    deps.toolsFor(url.includes("?") ? parseToolsetFilter(new URL(url).searchParams) : {});

  const serveMcp = async (c: Context<HttpEnv>) => {
    const tools = toolsOf(c.req.url);
    const request = c.req.raw;
    if (!isJsonContentType(request.headers.get("content-type"))) return quick.fetch(request);
    const parsedBody = await bodyOf(request);
    if (parsedBody === undefined) return parseErrorResponse();
    if (Array.isArray(parsedBody) && parsedBody.length > MAX_BATCH) return batchErrorResponse();
    if (!COUNTED_LATER.has(methodOf(parsedBody))) await countMessages(c, parsedBody);
    if (methodOf(parsedBody) === LISTEN_METHOD) return listen(c, tools, parsedBody);
    const isSlow = isSlowCall(parsedBody, tools);
    const plain = isSlow ? null : direct.parse(parsedBody, tools);
    if (plain !== null && hasPlainHeaders(plain, request)) {
      c.set("headed", true);
      return serveDirect(direct, plain, request, {
        tools,
        caller: callerOfRequest(c),
        headers: c.get("headers"),
        ...limits,
      });
    }
    await waitForTurn(c, parsedBody);
    const { fetch } = isSlow ? slow : quick;
    return fetch(request, { authInfo: authInfoFor(c, tools), parsedBody });
  };

  /** Waits for the turn of the account before the SDK handles messages. A batch always waits, because it takes long. */
  const waitForTurn = async (c: Context<HttpEnv>, body: unknown) => {
    const { account } = c.get("principal");
    const turn = Array.isArray(body) ? yieldToEventLoop(account) : continueAs(account);
    if (turn !== undefined) await turn;
  };

  /** Counts messages in the burst window like calls of tools. Rejects with RATE_LIMITED. */
  const countMessages = async (c: Context<HttpEnv>, body: unknown) => {
    for (const message of Array.isArray(body) ? body : [body])
      if (!COUNTED_LATER.has(methodOf(message))) await ports.meters.countBurst(c.get("principal"));
  };

  /** Returns a function that resolves the current principal and checks its plan. */
  const refresherOf = (c: Context<HttpEnv>) => {
    const refresh = principalRefresher(server, c);
    return async () => {
      const principal = await refresh();
      authorizePlan("MCP", "pro", principal);
      return principal;
    };
  };

  const listen = (c: Context<HttpEnv>, tools: ConnectionTools, parsedBody: unknown) =>
    serveListen(
      c.req.raw,
      { authInfo: authInfoFor(c, tools), parsedBody },
      {
        id: ports.ids.uuid(),
        principal: c.get("principal"),
        refreshPrincipal: refresherOf(c),
        streams: listeners,
        subscriptions: createSubscriptions({ registry, ports, tools }),
        handler: (bus) => handler("auto", bus),
        bufferBytes: limits.bufferBytes,
      },
    );

  const serveStream = async (c: Context<HttpEnv>) => {
    const tools = toolsOf(c.req.url);
    if (c.req.raw.method === "HEAD") return c.body(null, 200, SSE_HEADERS);
    const { account } = c.get("principal");
    const [id, refresh] = [ports.ids.uuid(), refresherOf(c)];
    const subscriptions = createSubscriptions({ registry, ports, tools });
    return streams.open({
      id,
      messageUrl: `${messagesUrl}?sessionId=${id}`,
      account,
      busy: () => subscriptions.count() > 0,
      recheck: async () => subscriptions.recheck(await refresh()),
      serve: (stream) =>
        mcpServer(deps, {
          tools,
          transport: "mcp-sse",
          resolveCaller: callerOf,
          subscriptions,
        }).connect(stream),
    });
  };

  const serveMessage = async (c: Context<HttpEnv>) => {
    const body = await bodyOf(c.req.raw);
    if (body === undefined) throw new ToolError("INVALID_INPUT", "The body is not JSON in UTF-8");
    await countMessages(c, body);
    await waitForTurn(c, body);
    const id = c.req.query("sessionId") ?? "";
    const { account } = c.get("principal");
    await streams.post({ id, body, account, extra: { authInfo: authInfoFor(c) } });
    return c.text("Accepted", 202);
  };

  const routes = [
    ["/api/mcp", "POST", serveMcp],
    [STREAM, "GET", serveStream],
    [MESSAGES, "POST", serveMessage],
  ] as const;
  // other verbs are refused only after the key check: a 405 without a key would suggest that no key is needed
  for (const [path, verb, serve] of routes)
    for (const url of [path, `${path}/`])
      route.on(verb, url, serve).all(url, (c) => methodNotAllowed(c, [verb]));

  return {
    route,
    streams: () => streams.count() + listeners.count(),
    async close() {
      closed = true;
      for (const call of deps.running) call.abort();
      await Promise.all([streams.close(), listeners.close(), quick.close(), slow.close()]);
    },
  };
}

/** Parses the JSON body; undefined if it is not JSON in UTF-8. Rejects with BODY_TOO_LARGE, DEADLINE or CANCELLED. */
async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await jsonValue(request);
  } catch (cause) {
    if (cause instanceof ToolError && cause.code === "INVALID_INPUT") return undefined;
    throw cause;
  }
}

const parseErrorResponse = () =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32700, message: "Parse error: the body is not JSON in UTF-8" },
    },
    { status: 400 },
  );

const batchErrorResponse = () =>
  Response.json(
    {
      jsonrpc: "2.0",
      id: null,
      error: { code: -32600, message: `Invalid request: a batch may have at most ${MAX_BATCH} messages` },
    },
    { status: 400 },
  );

const methodOf = (body: unknown): unknown => ((body ?? {}) as { method?: unknown }).method;

function isSlowCall(body: unknown, { callable }: ConnectionTools): boolean {
  const { params } = (body ?? {}) as { params?: { name?: unknown; arguments?: unknown } };
  if (methodOf(body) !== "tools/call") return false;
  return (
    (resolveCall({ name: params?.name, arguments: params?.arguments }, callable)?.tool.deadlineMs ?? 0) >
    SLOW_MS
  );
}

/** Carries the principal of a request through the SDK, without its key. */
function authInfoFor(c: Context<HttpEnv>, tools?: ConnectionTools): AuthInfo {
  const principal = c.get("principal");
  return {
    token: "",
    clientId: principal.account,
    scopes: [...principal.scopes],
    extra: { ...callerOfRequest(c), tools },
  };
}

const callerOfRequest = (c: Context<HttpEnv>): Caller => ({
  principal: c.get("principal"),
  requestId: c.get("requestId"),
});

/** Reads the values of `authInfoFor`. */
const requestInfoOf = (authInfo: AuthInfo | undefined) =>
  authInfo?.extra as unknown as Caller & { tools: ConnectionTools };
const callerOf = ({ http }: ServerContext): Caller => requestInfoOf(http?.authInfo);
