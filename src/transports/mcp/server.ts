import {
  type CallToolRequest,
  type CallToolResult,
  type CompleteRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/accounts/access.ts";
import { SAMPLE_LABEL } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { invoke, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry, ToolFilter } from "../../kernel/registry.ts";
import type { Progress, Tool } from "../../kernel/tool.ts";
import { plainText } from "../../lib/plain-text.ts";
import { nearestNames } from "../nearest-names.ts";
import { CALL_TOOL, resolveCall } from "./call-tool.ts";
import type { ConnectionTools } from "./connection-tools.ts";
import { createProgressReporter } from "./progress.ts";
import { completePrompt, getPrompt, listPrompts } from "./prompts.ts";
import { toCallResult, toErrorResult } from "./render.ts";
import { completeResource, protocolError, RESOURCES, readResource, resourceTemplates } from "./resources.ts";
import { StrictServer } from "./strict-server.ts";
import { canSubscribe, type Subscriptions } from "./subscribe.ts";

/** Dependencies shared by all MCP server objects of a process. */
export interface McpServerDeps {
  readonly registry: Registry;
  readonly ports: RuntimePorts & Pick<Ports, "market">;
  readonly version: string;
  readonly toolsFor: (filter: ToolFilter) => ConnectionTools;
  /** Running calls; aborting one cancels it. */
  readonly running: Set<AbortController>;
}

export interface Caller {
  readonly principal: Principal;
  readonly requestId?: string;
}

interface McpSession {
  readonly tools: ConnectionTools;
  readonly transport: "mcp" | "mcp-sse" | "stdio";
  /** Subscriptions of the connection. Default: none, for a transport without a lasting connection. */
  readonly subscriptions?: Subscriptions;
  /** true if clients may subscribe to changes. Default: true if there are `subscriptions`. */
  readonly canListen?: boolean;
  resolveCaller(ctx: ServerContext): Caller;
}

/** Identity of this server. */
export const serverInfoOf = (version: string) => ({ name: "market-signal", title: "Market Signal", version });

/** How long clients may cache lists. */
export const LIST_CACHE_HINT = { ttlMs: 60_000, cacheScope: "private" } as const;

/** Creates an MCP server object: for one request of a stateless revision, or for one connection. */
export function mcpServer(deps: McpServerDeps, session: McpSession): Server {
  const { registry, ports, version } = deps;
  const { tools, resolveCaller, subscriptions, canListen = subscriptions !== undefined } = session;
  const scope = { registry, tools };
  const subscribe = canListen && canSubscribe({ ...scope, ports });
  const server = new StrictServer(serverInfoOf(version), {
    capabilities: {
      tools: {},
      resources: subscribe ? { subscribe } : {},
      prompts: {},
      completions: {},
      logging: {},
    },
    instructions: instructionsOf(deps, tools),
    cacheHints: {
      "server/discover": LIST_CACHE_HINT,
      "tools/list": LIST_CACHE_HINT,
      "prompts/list": LIST_CACHE_HINT,
      "resources/list": LIST_CACHE_HINT,
      "resources/templates/list": LIST_CACHE_HINT,
      "resources/read": { ttlMs: 0, cacheScope: "private" },
    },
  });
  const on: Server["setRequestHandler"] = (method: string, handler: any) =>
    server.setRequestHandler(
      method as "ping",
      ((request: unknown, ctx: ServerContext) =>
        withProtocolErrors(ports, method, () => handler(request, ctx))) as never,
    );

  on("tools/list", () => ({ tools: [...tools.listed] }));
  on("tools/call", ({ params }, ctx) =>
    callTool(deps, { ...session, takesData: () => takesData(server, ctx) }, params, ctx),
  );
  on("resources/list", () => ({ resources: [...RESOURCES] }));
  on("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates(scope)] }));
  on("resources/read", ({ params: { uri } }, ctx) =>
    readResource(
      uri,
      scope,
      { meters: ports.meters, run: (tool, input) => run(deps, session, { tool, input, ctx }) },
      resolveCaller(ctx).principal,
    ),
  );
  if (subscribe && subscriptions !== undefined) {
    subscriptions.setSender((updated) => server.sendResourceUpdated(updated));
    server.onclose = subscriptions.clear;
    on("resources/subscribe", async ({ params: { uri } }, ctx) => {
      await subscriptions.add([uri], resolveCaller(ctx).principal);
      return {};
    });
    on("resources/unsubscribe", ({ params: { uri } }) => {
      subscriptions.remove([uri]);
      return {};
    });
  }
  on("prompts/list", () => ({ prompts: listPrompts() }));
  on("prompts/get", ({ params }) => getPrompt(params.name, params.arguments));
  on("completion/complete", ({ params }) => complete(deps, tools, params));
  return server;
}

async function callTool(
  deps: McpServerDeps,
  { takesData, ...session }: McpSession & { takesData(): boolean },
  params: CallToolRequest["params"],
  ctx: ServerContext,
): Promise<CallToolResult> {
  const { tools } = session;
  const call = resolveCall(params, tools.callable);
  if (call === null) return unknownTool(params, tools);
  const { tool, input } = call;
  const progress = createProgressReporter(ctx.mcpReq);
  try {
    const data = await run(deps, session, { tool, input, ctx, progress: progress.report });
    await progress.flushed();
    return toCallResult(tool, data, { market: deps.ports.market, takesData: takesData() });
  } catch (cause) {
    return toErrorResult(asToolError(cause));
  }
}

/** Answers `call_tool` for an unknown tool with an error result; throws the protocol error for any other request. */
function unknownTool(
  { name, arguments: input }: CallToolRequest["params"],
  { callable, readonly, finder }: ConnectionTools,
): CallToolResult {
  const isInner = name === CALL_TOOL;
  const wanted = isInner ? String(input?.name ?? "") : name;
  const nearest = nearestNames(wanted, [...callable.keys()]).join(", ");
  const limits = readonly ? " This connection has only tools that change nothing." : "";
  const message = `Unknown tool "${plainText(wanted, 64)}". Nearest: ${nearest}. ${finder} finds a tool by what it does.${limits}`;
  if (!isInner) throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
  return toErrorResult(new ToolError("INVALID_INPUT", message));
}

interface ToolRequest {
  readonly tool: Tool;
  readonly input: unknown;
  readonly ctx: ServerContext;
  readonly progress?: (step: Progress) => void;
}

/** Runs a tool for the caller of a request. The client or the server can cancel the call. */
async function run(
  { ports, running }: McpServerDeps,
  { transport, tools, resolveCaller }: McpSession,
  { tool, input, ctx, progress }: ToolRequest,
): Promise<Record<string, unknown>> {
  const { signal } = ctx.mcpReq;
  const stop = new AbortController();
  const cancel = () => stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  running.add(stop);
  try {
    return await invoke(tool, input, {
      ...resolveCaller(ctx),
      ports,
      transport,
      detail: "concise",
      readonly: tools.readonly,
      signal: stop.signal,
      ...(progress && { progress }),
    });
  } finally {
    running.delete(stop);
    signal.removeEventListener("abort", cancel);
  }
}

/** The first revision whose clients read `structuredContent`. */
const STRUCTURED_SINCE = "2025-06-18";

/** Returns true if clients of a revision read structured content. */
export const readsData = (revision = ""): boolean => revision >= STRUCTURED_SINCE;

const takesData = (server: Server, { http }: ServerContext): boolean =>
  readsData(
    server.getNegotiatedProtocolVersion() ?? http?.req?.headers.get("mcp-protocol-version") ?? undefined,
  );

function complete(
  { registry, ports }: McpServerDeps,
  tools: ConnectionTools,
  { ref, argument }: CompleteRequest["params"],
) {
  const values =
    ref.type === "ref/prompt"
      ? completePrompt(ref.name, argument, ports.symbols)
      : completeResource(ref.uri, argument, { registry, tools }, ports.symbols);
  return {
    completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 },
  };
}

/** Converts errors to protocol errors. Unexpected errors are logged and become -32603 without details. */
async function withProtocolErrors<R>(
  { log }: RuntimePorts,
  method: string,
  work: () => R | Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ProtocolError) throw cause;
    if (cause instanceof ToolError && cause.code !== "INTERNAL") throw protocolError(cause);
    log.error("mcp", { method, cause });
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal error");
  }
}

/** Returns the instructions for a model, sent when it connects. */
function instructionsOf({ ports }: McpServerDeps, { otherToolsets, finder }: ConnectionTools): string {
  return [
    "Trading analytics for US stocks, ETFs and crypto: prices, signals and the evidence behind them.",
    "If a symbol is ambiguous, resolve the name first; a bare crypto ticker can also be a stock.",
    "A null is unknown, never zero. Cite the source and time of each result.",
    ports.market.mode === "sample"
      ? `This server uses simulated prices: such results begin with "${SAMPLE_LABEL}". Never present them as real.`
      : "",
    otherToolsets.length > 0
      ? `Not every tool is listed: ${finder} finds the others (${otherToolsets.join(", ")}), call_tool calls them.`
      : "",
    "Information, not investment advice.",
  ]
    .filter((line) => line !== "")
    .join("\n");
}
