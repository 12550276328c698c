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
import { jsonValue } from "../http/body.ts";
import { SSE_HEADERS } from "../http/event-stream.ts";
import { bearerOf } from "../http/middleware.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { createStreamRegistry, type OpenStream } from "../http/stream-registry.ts";
import { type ConnectionTools, connectionToolsOf, parseToolsetFilter } from "./connection-tools.ts";
import { type Caller, type McpServerDeps, mcpServer } from "./server.ts";
import { createSseStreams, SSE_LIMITS, type SseLimits } from "./sse.ts";
import { createSubscriptions } from "./subscribe.ts";
import { LISTEN_METHOD, serveListen } from "./subscribe-http.ts";

/** A proxy may cut a silent answer after a minute: slower tools answer as a stream with keep-alives. */
const SLOW_MS = 30_000;
/** How many may listen for changes at `/api/mcp`. */
const LISTENER_LIMITS = { maxStreams: 200, maxPerAccount: 20 } as const;
const STREAM = "/api/mcp/sse";
const MESSAGES = `${STREAM}/messages`;

export interface McpHttpTransport {
  readonly route: Hono<HttpEnv>;
  /** Open HTTP+SSE streams, and those on which clients listen for changes. */
  streams(): number;
  /** Ends every stream and cancels every running call; refuses new ones. */
  close(): Promise<void>;
}

/**
 * MCP over HTTP: `/api/mcp` speaks every revision since 2025-03-26 without sessions, `/api/mcp/sse` the older HTTP+SSE.
 * Both need the plan "pro"; refusals are thrown as ToolError for the application to render.
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
          canListen: era === "modern", // the others have no stream on which they could be told
        }),
      {
        responseMode,
        keepAliveMs: limits.keepAliveMs,
        onerror: ({ message }) => ports.log.info("mcp", { refused: message }),
        ...(bus && { bus }),
      },
    );
  const [quick, slow] = [handler("auto"), handler("sse")];
  const streams = createSseStreams(limits);
  const listeners = createStreamRegistry<OpenStream>(
    { ...limits, ...LISTENER_LIMITS, ...options },
    "listen for more on one",
  );
  const messagesUrl = `${new URL(settings.publicUrl).pathname.replace(/\/$/, "")}${MESSAGES}`;
  let closed = false;

  const route = new Hono<HttpEnv>();
  route.use("/api/mcp/*", async (c, next) => {
    if (closed) throw new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down");
    authorizePlan("MCP", "pro", c.get("principal"));
    await next();
  });

  const serveMcp = async (c: Context<HttpEnv>) => {
    const tools = deps.toolsFor(parseToolsetFilter(new URL(c.req.url).searchParams));
    const request = c.req.raw;
    if (!isJsonContentType(request.headers.get("content-type"))) return quick.fetch(request);
    const parsedBody = await bodyOf(request);
    if (parsedBody === undefined) return parseErrorResponse();
    if (methodOf(parsedBody) === LISTEN_METHOD) return listen(c, tools, parsedBody);
    const { fetch } = isSlow(parsedBody, tools) ? slow : quick;
    return fetch(request, { authInfo: authInfoFor(c, tools), parsedBody });
  };

  /** Who asks, and that it still may. */
  const asker = (c: Context<HttpEnv>) => {
    const { account } = c.get("principal");
    const [bearer, address] = [bearerOf(c.req.header("authorization")), c.get("address")];
    return async () => {
      const now = await server.identify(bearer, address);
      authorizePlan("MCP", "pro", now);
      if (now.account !== account) throw new ToolError("UNAUTHENTICATED", "The key changed hands");
      return now;
    };
  };

  const listen = (c: Context<HttpEnv>, tools: ConnectionTools, parsedBody: unknown) =>
    serveListen(
      c.req.raw,
      { authInfo: authInfoFor(c, tools), parsedBody },
      {
        id: ports.ids.uuid(),
        principal: c.get("principal"),
        reauthenticate: asker(c),
        streams: listeners,
        subscriptions: createSubscriptions({ registry, ports, tools }),
        handler: (bus) => handler("auto", bus),
        bufferBytes: limits.bufferBytes,
      },
    );

  const serveStream = async (c: Context<HttpEnv>) => {
    const tools = deps.toolsFor(parseToolsetFilter(new URL(c.req.url).searchParams));
    if (c.req.raw.method === "HEAD") return c.body(null, 200, SSE_HEADERS);
    const { account } = c.get("principal");
    const [id, again] = [ports.ids.uuid(), asker(c)];
    const subscribed = createSubscriptions({ registry, ports, tools });
    return streams.open({
      id,
      messageUrl: `${messagesUrl}?sessionId=${id}`,
      account,
      busy: () => subscribed.count() > 0,
      recheck: async () => subscribed.recheck(await again()),
      serve: (stream) =>
        mcpServer(deps, {
          tools,
          transport: "mcp-sse",
          resolveCaller: callerOf,
          subscriptions: subscribed,
        }).connect(stream),
    });
  };

  const takeMessage = async (c: Context<HttpEnv>) => {
    const body = await bodyOf(c.req.raw);
    if (body === undefined) throw new ToolError("INVALID_INPUT", "The body is not JSON in UTF-8");
    streams.post(c.req.query("sessionId") ?? "", body, c.get("principal"), { authInfo: authInfoFor(c) });
    return c.text("Accepted", 202);
  };

  const serves = [
    ["/api/mcp", "POST", serveMcp],
    [STREAM, "GET", serveStream],
    [MESSAGES, "POST", takeMessage],
  ] as const;
  // other verbs are refused after the key was looked at: a 405 before it would read as "nothing here"
  for (const [path, verb, serve] of serves)
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

/** The parsed JSON body, undefined where it is not JSON in UTF-8. Rejects with BODY_TOO_LARGE, DEADLINE or CANCELLED. */
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

const methodOf = (body: unknown): unknown => ((body ?? {}) as { method?: unknown }).method;

function isSlow(body: unknown, { callable }: ConnectionTools): boolean {
  const { params } = (body ?? {}) as { params?: { name?: unknown } };
  if (methodOf(body) !== "tools/call") return false;
  return (callable.get(String(params?.name))?.deadlineMs ?? 0) > SLOW_MS;
}

/** Carries the caller of one request through the SDK; the key itself stays outside. */
function authInfoFor(c: Context<HttpEnv>, tools?: ConnectionTools): AuthInfo {
  const principal = c.get("principal");
  return {
    token: "",
    clientId: principal.account,
    scopes: [...principal.scopes],
    extra: { principal, requestId: c.get("requestId"), tools },
  };
}

/** What `ticket` put in. */
const requestInfoOf = (authInfo: AuthInfo | undefined) =>
  authInfo?.extra as unknown as Caller & { tools: ConnectionTools };
const callerOf = ({ http }: ServerContext): Caller => requestInfoOf(http?.authInfo);
