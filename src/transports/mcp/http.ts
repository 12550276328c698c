import { createMcpHandler, isJsonContentType, type ServerEventBus } from "@modelcontextprotocol/server";
import { type Context, Hono } from "hono";
import { createAdmission } from "../../access/admission.ts";
import { ToolError } from "../../kernel/errors.ts";
import { continueAs, yieldToEventLoop } from "../../lib/event-loop.ts";
import { authorizeMcp } from "../http/challenge.ts";
import { SSE_HEADERS } from "../http/event-stream.ts";
import { principalRefresher } from "../http/middleware.ts";
import { MESSAGE_PATHS } from "../http/paths.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { createStreamRegistry, type OpenStream } from "../http/stream-registry.ts";
import { resolveCall } from "./call-tool.ts";
import { type ConnectionTools, connectionToolsOf, parseToolsetFilter } from "./connection-tools.ts";
import { createDirectCalls } from "./direct.ts";
import { emptyStream, hasPlainHeaders, refusedCall, serveDirect } from "./direct-http.ts";
import { createExchanges } from "./exchange.ts";
import {
  batchErrorResponse,
  bodyOf,
  CALL_METHOD,
  isLargeBatch,
  methodOf,
  parseErrorResponse,
} from "./http-body.ts";
import {
  authInfoFor,
  callerOf,
  callerOfRequest,
  type RequestFacts,
  requestFactsOf,
} from "./request-facts.ts";
import {
  noResponse,
  notAcceptableResponse,
  type ResponseForm,
  respondInForm,
  responseFormOf,
} from "./response-form.ts";
import { mcpServer } from "./server.ts";
import type { McpServerDeps } from "./server-deps.ts";
import { requestIdOf } from "./session.ts";
import { createSseStreams, SSE_LIMITS, type SseLimits } from "./sse.ts";
import { stepUpResponse } from "./step-up.ts";
import { createSubscriptions } from "./subscribe.ts";
import { LISTEN_METHOD, serveListen } from "./subscribe-http.ts";

/**
 * Deadline in milliseconds above which a tool responds as a stream with keep-alives, because a proxy may cut an idle
 * response after a minute.
 */
const SLOW_MS = 30_000;
/** Limits of listen streams at `/api/mcp`. */
const LISTENER_LIMITS = { maxStreams: 200, maxPerAccount: 20 } as const;
const STREAM = "/api/mcp/sse";

export interface McpHttpTransport {
  readonly route: Hono<HttpEnv>;
  /** Returns the number of open HTTP+SSE and listen streams. */
  streams(): number;
  /** Returns the number of running calls. */
  running(): number;
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
      ({ authInfo, era }) => {
        const { tools, exchange, form } = requestFactsOf(authInfo);
        const server = mcpServer(deps, {
          tools,
          transport: "mcp",
          resolveCaller: callerOf,
          canListen: era === "modern", // older revisions have no stream for updates
          settingsOf: () => exchange.settings,
          // a question of an older revision is an event of the response
          mayAsk: era === "modern" || form !== "json",
          listChanges: era === "legacy",
        });
        exchange.handleBy(server);
        return server;
      },
      {
        responseMode,
        keepAliveMs: limits.keepAliveMs,
        onerror: ({ message }) => ports.log.info("mcp", { refused: message }),
        ...(bus && { bus }),
      },
    );
  const admit = createAdmission(ports.meters);
  const direct = createDirectCalls(deps);
  const exchanges = createExchanges(ports, server);
  const [quick, slow] = [handler("auto"), handler("sse")];
  const streams = createSseStreams(limits, server.peers);
  const listeners = createStreamRegistry<OpenStream>(
    { ...limits, ...LISTENER_LIMITS, ...options },
    "subscribe to more resources on one stream",
  );
  const messagesUrl = `${new URL(settings.publicUrl).pathname.replace(/\/$/, "")}${MESSAGE_PATHS.sse}`;
  let closed = false;

  const route = new Hono<HttpEnv>();
  route.use("/api/mcp/*", async (c, next) => {
    if (closed) throw new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down");
    authorizeMcp(c.get("principal"), server);
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
    if (isLargeBatch(parsedBody)) return batchErrorResponse();
    const { account } = c.get("principal");
    // not counted, because it ends what is counted: the call that it cancels, or the question that it answers
    if (exchanges.receive(request, account, parsedBody)) {
      c.set("isCounted", true);
      return new Response(null, { status: 202 });
    }
    const form = responseFormOf(request.headers.get("accept"), parsedBody);
    await exchanges.load(request, account);
    const exchange = exchanges.begin(request, account, parsedBody);
    try {
      const response = await respond(c, { tools, parsedBody, exchange, form });
      return await exchanges.withSession(response, account, parsedBody);
    } finally {
      exchange.endUnhandled();
    }
  };

  const respond = async (
    c: Context<HttpEnv>,
    { tools, parsedBody, exchange, form }: Omit<ParsedRequest, "form"> & { form: ResponseForm | null },
  ) => {
    const request = c.req.raw;
    const refused = await countMessages(c, parsedBody).catch((cause: unknown) =>
      refusedCall(direct, cause, request, { parsedBody, form }),
    );
    const refusal = refused ?? stepUpResponse(c, parsedBody, tools, server);
    if (refusal !== null) return refusal;
    if (form === null)
      return notAcceptableResponse(parsedBody, requestIdOf((parsedBody as { id?: unknown } | null)?.id));
    await exchanges.forward(request, c.get("principal").account, parsedBody);
    if (methodOf(parsedBody) === LISTEN_METHOD) return listen(c, { tools, parsedBody, exchange, form });
    const isStream = form === "stream" || (form === "either" && isSlowCall(parsedBody, tools));
    const plain = isStream ? null : direct.parse(parsedBody, tools, exchange.settings?.get());
    if (plain !== null && hasPlainHeaders(plain, request)) {
      c.set("headed", true);
      return serveDirect(direct, plain, request, {
        tools,
        caller: callerOfRequest(c),
        headers: c.get("headers"),
        exchange,
        form,
        ...limits,
      });
    }
    await waitForTurn(c, parsedBody);
    if (exchange.isCancelled()) return form === "json" ? noResponse() : emptyStream();
    const { fetch } = isStream ? slow : quick;
    const authInfo = authInfoFor(c, { tools, exchange, form });
    return respondInForm(form, request, Array.isArray(parsedBody), (accepting) =>
      fetch(accepting, { authInfo, parsedBody }),
    );
  };

  /** Waits for the turn of the account before the SDK handles messages. A batch always waits, because it takes long. */
  const waitForTurn = async (c: Context<HttpEnv>, body: unknown) => {
    const { account } = c.get("principal");
    const turn = Array.isArray(body) ? yieldToEventLoop(account) : continueAs(account);
    if (turn !== undefined) await turn;
  };

  /** Counts the messages of a body. Rejects with RATE_LIMITED. */
  const countMessages = async (c: Context<HttpEnv>, body: unknown): Promise<void> => {
    c.set("isCounted", true);
    const messages = Array.isArray(body) ? Math.max(1, body.length) : 1;
    c.set("admitted", await admit({ from: c.get("principal"), messages }));
  };

  /** Returns a function that resolves the current principal and checks its plan. */
  const refresherOf = (c: Context<HttpEnv>) => {
    const refresh = principalRefresher(c);
    return async () => {
      const principal = await refresh();
      authorizeMcp(principal, server);
      return principal;
    };
  };

  const listen = (c: Context<HttpEnv>, { tools, parsedBody, exchange, form }: ParsedRequest) => {
    exchange.end(); // only its client's disconnect ends it
    return serveListen(
      c.req.raw,
      { authInfo: authInfoFor(c, { tools, exchange, form }), parsedBody },
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
  };

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
    await countMessages(c, null); // a batch is refused as one message
    await waitForTurn(c, body);
    const id = c.req.query("sessionId") ?? "";
    const { account } = c.get("principal");
    await streams.post({ id, body, account, extra: { authInfo: authInfoFor(c) } });
    return c.text("Accepted", 202);
  };

  const routes = [
    [MESSAGE_PATHS.mcp, "POST", serveMcp],
    [STREAM, "GET", serveStream],
    [MESSAGE_PATHS.sse, "POST", serveMessage],
  ] as const;
  // other verbs are refused only after the key check: a 405 without a key would suggest that no key is needed
  for (const [path, verb, serve] of routes)
    for (const url of [path, `${path}/`])
      route.on(verb, url, serve).all(url, (c) => methodNotAllowed(c, [verb]));

  return {
    route,
    streams: () => streams.count() + listeners.count(),
    running: () => deps.running.size,
    async close() {
      closed = true;
      for (const call of deps.running) call.abort();
      await Promise.all([streams.close(), listeners.close(), quick.close(), slow.close()]);
    },
  };
}

function isSlowCall(body: unknown, tools: ConnectionTools): boolean {
  const { params } = (body ?? {}) as { params?: { name?: unknown; arguments?: unknown } };
  if (methodOf(body) !== CALL_METHOD) return false;
  return (
    (resolveCall({ name: params?.name, arguments: params?.arguments }, tools)?.tool.deadlineMs ?? 0) > SLOW_MS
  );
}

interface ParsedRequest extends RequestFacts {
  readonly parsedBody: unknown;
}
