import type { Result, Server, ServerContext } from "@modelcontextprotocol/server";
import { inMessageSlot } from "../../access/admission.ts";
import { canAskUser } from "./choice.ts";
import { createSettings, supportsForms, supportsPages } from "./client-settings.ts";
import { complete } from "./completion.ts";
import { listedWith } from "./connection-tools.ts";
import { instructionsOf } from "./instructions.ts";
import { createClientLog } from "./log-messages.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { cursorError, sessionError, withProtocolErrors } from "./protocol-errors.ts";
import {
  RESOURCES,
  type ResourceScope,
  readResource,
  resolveResource,
  resourceTemplates,
} from "./resources.ts";
import { CACHE_HINTS, cacheHintFor, readsData, revisionOf } from "./revisions.ts";
import { callTool, run } from "./run-call.ts";
import type { McpServerDeps, McpSession } from "./server-deps.ts";
import { getSkill, listSkills, readSkill, SKILLS_EXTENSION, skillResources } from "./skills.ts";
import { type Handler, StrictServer } from "./strict-server.ts";
import { canSubscribe } from "./subscribe.ts";
import { clientShowsViews, readView, VIEW_MIME, VIEWS_EXTENSION, viewResources } from "./views.ts";

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
            supportsForms,
            () => settingsOf(ctx)?.get().canAsk ?? supportsForms(server.getClientCapabilities()),
          ),
        canOpen: () =>
          session.mayAsk !== false &&
          canAskUser(
            ctx,
            supportsPages,
            () => settingsOf(ctx)?.get().canOpen ?? supportsPages(server.getClientCapabilities()),
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
  on("logging/setLevel", async ({ params: { level } }, ctx) => {
    const settings = settingsOf(ctx);
    if (settings === null) throw sessionError();
    await settings.set({ logLevel: level });
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
