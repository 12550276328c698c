import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  RequestId,
  Result,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import { inMessageSlot } from "../../access/admission.ts";
import type { Principal } from "../../domain/accounts/access.ts";
import type { AdmittedMessage, Ports } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { invoke, type RuntimePorts } from "../../kernel/invoke.ts";
import type { Registry, ToolFilter } from "../../kernel/registry.ts";
import type { Progress, Tool } from "../../kernel/tool.ts";
import { resolveCall, unknownTool } from "./call-tool.ts";
import { callWithChoice, canAskUser } from "./choice.ts";
import { createSettings, type SettingsStore, supportsForms } from "./client-settings.ts";
import { complete } from "./completion.ts";
import { type ConnectionTools, listedWith } from "./connection-tools.ts";
import { listFoundTools, withCallHint } from "./found-tools.ts";
import { instructionsOf } from "./instructions.ts";
import { type ClientLog, createClientLog, levelOf } from "./log-messages.ts";
import { createProgressReporter } from "./progress.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { cursorError, sessionError, withProtocolErrors } from "./protocol-errors.ts";
import { toCallResult, toErrorResult } from "./render.ts";
import {
  RESOURCES,
  type ResourceScope,
  readResource,
  resolveResource,
  resourceTemplates,
} from "./resources.ts";
import { CACHE_HINTS, cacheHintFor, readsData, revisionOf } from "./revisions.ts";
import { getSkill, listSkills, readSkill, SKILLS_EXTENSION, skillResources } from "./skills.ts";
import { type Handler, StrictServer } from "./strict-server.ts";
import { canSubscribe, type Subscriptions } from "./subscribe.ts";
import { resultForView } from "./view-call.ts";
import { clientShowsViews, readView, VIEW_MIME, VIEWS_EXTENSION, viewResources } from "./views.ts";

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
  /** The admission of the message. */
  readonly admitted?: AdmittedMessage | undefined;
  readonly requestId?: string;
  /** Lets another message cancel the request with this id. Returns a function that ends this. */
  readonly onRun?: (id: RequestId, cancel: () => void) => () => void;
}

interface McpSession {
  readonly tools: ConnectionTools;
  readonly transport: "mcp" | "mcp-sse" | "stdio";
  /** Subscriptions of the connection. Default: none, for a transport without a lasting connection. */
  readonly subscriptions?: Subscriptions;
  /** true if clients may subscribe to changes. Default: true if there are `subscriptions`. */
  readonly canListen?: boolean;
  /** true: the response to a call may contain a question to the user. Default: true. */
  readonly mayAsk?: boolean;
  /**
   * true: tools that a client finds are added to its list. Default: true. A client of 2026-07-28 has no session, so its
   * list never changes.
   */
  readonly listChanges?: boolean;
  /** Returns the settings of the client of a request; null if it cannot be recognized. Default: those of the connection. */
  readonly settingsOf?: (ctx: ServerContext) => SettingsStore | null;
  resolveCaller(ctx: ServerContext): Caller;
}

/** Identity of this server. */
export const serverInfoOf = (version: string) => ({ name: "market-signal", title: "Market Signal", version });

/** Creates an MCP server object: for one request of a stateless revision, or for one connection. */
export function mcpServer(deps: McpServerDeps, session: McpSession): Server {
  const { registry, ports, version } = deps;
  const { tools, resolveCaller, subscriptions, canListen = subscriptions !== undefined } = session;
  const { listChanges = true } = session;
  const scope = { registry, tools };
  const skills = ports.skills?.all() ?? [];
  const views = viewResources(registry, ports.dashboard);
  const connection = createSettings();
  const { settingsOf = () => connection } = session;
  const clientList = (ctx: ServerContext) => (listChanges ? settingsOf(ctx) : null);
  const clientLog = (ctx: ServerContext) => createClientLog(ctx, () => settingsOf(ctx)?.get().logLevel);
  const subscribe = canListen && canSubscribe({ ...scope, ports });
  const server = new StrictServer(serverInfoOf(version), {
    capabilities: {
      tools: listChanges ? { listChanged: true } : {},
      resources: subscribe ? { subscribe } : {},
      prompts: {},
      completions: {},
      logging: {},
      extensions: { [SKILLS_EXTENSION]: {}, [VIEWS_EXTENSION]: { mimeTypes: [VIEW_MIME] } },
    },
    instructions: instructionsOf(ports, tools),
    cacheHints: CACHE_HINTS,
  });
  const onAny = (method: string, handler: Handler) =>
    server.handle(method, (request, ctx) =>
      withProtocolErrors(ports, method, () =>
        callsTool(method, request, scope)
          ? handler(request, ctx)
          : inMessageSlot(
              ports.meters,
              resolveCaller(ctx).principal,
              () => handler(request, ctx),
              ctx.mcpReq.signal,
            ),
      ),
    );
  const on: Server["setRequestHandler"] = onAny as never;

  /** Handles a list that has one page. */
  const onList = (method: string, list: (ctx: ServerContext) => Result) =>
    onAny(method, ({ params }, ctx) => {
      if (params?.cursor !== undefined) throw cursorError(method);
      return list(ctx);
    });

  onList("tools/list", (ctx) => ({ tools: listedWith(tools, clientList(ctx)?.get().found) }));
  on("tools/call", ({ params }, ctx) =>
    callTool(
      deps,
      {
        ...session,
        log: clientLog(ctx),
        clientList: clientList(ctx),
        takesData: () => readsData(revisionOf(server, ctx)),
        showsViews: () => clientShowsViews(ctx, server, settingsOf(ctx)),
        canAsk: () =>
          session.mayAsk !== false &&
          canAskUser(
            ctx,
            () => settingsOf(ctx)?.get().canAsk ?? supportsForms(server.getClientCapabilities()),
          ),
      },
      params,
      ctx,
    ),
  );
  onList("resources/list", () => ({ resources: [...RESOURCES, ...skillResources(skills), ...views] }));
  onList("resources/templates/list", () => ({ resourceTemplates: [...resourceTemplates(scope)] }));
  const read = async (uri: string, ctx: ServerContext) =>
    readSkill(uri, skills) ??
    readView(uri, registry, ports.dashboard) ??
    readResource(
      uri,
      scope,
      {
        meters: ports.meters,
        run: (tool, input) => run(deps, session, { tool, input, ctx, log: clientLog(ctx) }),
      },
      resolveCaller(ctx).principal,
    );
  on("resources/read", ({ params: { uri } }, ctx) => read(uri, ctx));
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
  on("logging/setLevel", ({ params: { level } }, ctx) => {
    const settings = settingsOf(ctx);
    if (settings === null) throw sessionError();
    settings.set({ logLevel: level });
    return {};
  });
  onList("prompts/list", () => ({ prompts: listPrompts(skills) }));
  on("prompts/get", ({ params }, ctx) =>
    getPrompt(params.name, params.arguments, {
      skills,
      read: async (uri) => (await read(uri, ctx)).contents,
    }),
  );
  const hint = () => cacheHintFor(server.getNegotiatedProtocolVersion());
  onList("skills/list", () => ({ ...listSkills(skills), ...hint() }));
  onAny("skills/get", ({ params }) => ({ ...getSkill(params.uri, skills), ...hint() }));
  on("completion/complete", ({ params }) => complete(params, scope, ports));
  return server;
}

/** Returns true for a request that runs a tool, which takes a running slot itself. */
function callsTool(method: string, request: unknown, scope: ResourceScope): boolean {
  if (method !== "resources/read") return method === "tools/call";
  const { params } = request as { readonly params?: { readonly uri?: unknown } };
  return resolveResource(String(params?.uri), scope) !== null;
}

interface ToolSession extends McpSession {
  readonly log: ClientLog;
  /** Settings with the tools that the client has found; null if its list does not change. */
  readonly clientList: SettingsStore | null;
  takesData(): boolean;
  /** Returns true if the client can ask its user. */
  canAsk(): boolean;
  /** Returns true if the client draws views. */
  showsViews(): boolean;
}

async function callTool(
  deps: McpServerDeps,
  { takesData, log, clientList, canAsk, showsViews, ...session }: ToolSession,
  params: CallToolRequest["params"],
  ctx: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { tools } = session;
  const resolved = resolveCall(params, tools);
  if (resolved === null) return unknownTool(params, tools);
  const { tool, input, refusal } = resolved;
  if (refusal !== undefined) return toErrorResult(refusal);
  const progress = createProgressReporter(ctx.mcpReq, { log });
  const call = async (given: unknown) => {
    const data = await run(deps, session, { tool, input: given, ctx, log, progress: progress.report });
    await progress.flushed();
    if (listFoundTools(tool, data, tools, clientList))
      await ctx.mcpReq.notify({ method: "notifications/tools/list_changed" });
    const answer = withCallHint(tool, data, tools);
    const result = toCallResult(tool, answer, { market: deps.ports.market, takesData: takesData() });
    if (tool.view === undefined || !showsViews()) return result;
    return resultForView(tool, result, data, { deps, session, ctx });
  };
  try {
    return canAsk()
      ? await callWithChoice(tool, input, ctx, { running: deps.running, call })
      : await call(input);
  } catch (cause) {
    return toErrorResult(asToolError(cause));
  }
}

interface ToolRequest {
  readonly tool: Tool;
  readonly input: unknown;
  readonly ctx: ServerContext;
  readonly log: ClientLog;
  readonly progress?: (step: Progress) => void;
}

/** Runs a tool for the caller of a request. The client or the server can cancel the call. */
async function run(
  { ports, running }: McpServerDeps,
  { transport, tools, resolveCaller }: McpSession,
  { tool, input, ctx, log, progress }: ToolRequest,
): Promise<Record<string, unknown>> {
  const { signal, id } = ctx.mcpReq;
  const { onRun, ...caller } = resolveCaller(ctx);
  const started = ports.clock.now().getTime();
  const stop = new AbortController();
  const cancel = () => stop.abort();
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  running.add(stop);
  const release = onRun?.(id, cancel);
  try {
    await log.write("debug", `${tool.name} started`);
    const data = await invoke(tool, input, {
      ...caller,
      ports,
      transport,
      detail: "concise",
      readonly: tools.readonly,
      signal: stop.signal,
      ...(progress && { progress }),
    });
    await log.write("info", `${tool.name} succeeded in ${ports.clock.now().getTime() - started} ms`);
    return data;
  } catch (cause) {
    const { code, message } = asToolError(cause);
    await log.write(levelOf(code), `${tool.name} failed: ${code}: ${message}`);
    throw cause;
  } finally {
    release?.();
    running.delete(stop);
    signal.removeEventListener("abort", cancel);
  }
}
