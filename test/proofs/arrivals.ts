import { isLegacyJsonRpcMethod, isV1JsonRpcMethod, v1MethodToLegacyJsonRpc } from "@a2a-js/sdk/compat/v0_3";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { connectionToolsOf } from "../../src/transports/mcp/connection-tools.ts";
import { MODERN_REVISION } from "../../src/transports/mcp/revisions.ts";
import { mcpServer } from "../../src/transports/mcp/server.ts";
import { createSubscriptions } from "../../src/transports/mcp/subscribe.ts";
import { LISTEN_METHOD } from "../../src/transports/mcp/subscribe-http.ts";
import { ACCEPT, type ProofServer, type SiteRequest } from "./proof-server.ts";

/** A request, and the number of messages that it costs its sender. */
export interface Arrival {
  readonly request: SiteRequest;
  /** Window that is charged: of the account, or of the network for health checks or for pages. */
  readonly window: "burst" | "probe" | "page" | "file";
  readonly cost: number;
}

/** A method, route or endpoint with the requests that are sent to it in turn. */
export interface ArrivalCase {
  readonly name: string;
  readonly arrivals: readonly Arrival[];
}

const UNKNOWN_METHODS = ["no/such", "tools/nope", "__proto__", "notifications/nope", ""] as const;
const A2A_ENDPOINTS = ["/api/a2a", "/api/v1/a2a", "/api/v1/a2a/route"] as const;
const DEEP = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
/** Bodies that are no message, and those at and beyond the bounds. */
const BODIES: readonly (readonly [name: string, raw: string])[] = [
  ["an empty body", ""],
  ["no JSON", "{"],
  ["a number", "7"],
  ["null", "null"],
  ["an empty list", "[]"],
  ["30,000 levels", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${DEEP}}`],
  ["60,000 values", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${"1,".repeat(60_000)}1]}}`],
  ["39,000 values", `{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"a":[${"1,".repeat(39_000)}1]}}`],
  ["2 MB", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${"x".repeat(2_000_000)}"}}`],
];

/** Params that each method gets: none, of a wrong type, unknown members, and those that some method understands. */
const PARAMS: readonly unknown[] = [
  undefined,
  {},
  [],
  "text",
  { cursor: 5, name: 7, uri: {}, x: "y" },
  { name: "get_quota", arguments: {} },
  { name: "no_such_tool", arguments: {} },
  { name: "call_tool", arguments: { name: "get_quota" } },
  { name: "call_tool", arguments: { name: "no_such_tool" } },
  { name: "get_signal", arguments: { symbol: 5 } },
  { uri: "market-signal://tools" },
  { uri: "market-signal://tools/get_signal" },
  { uri: "quota://me" },
  { uri: "skill://morning/SKILL.md" },
  { uri: "no://such" },
  { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "proof", version: "1" } },
  { requestId: 99 },
  { level: "info" },
  { ref: { type: "ref/prompt", name: "analyse_symbol" }, argument: { name: "symbol", value: "a" } },
];

/** A method of MCP, and messages that name it, as JSON text. */
export interface McpMethod {
  readonly method: string;
  readonly texts: readonly string[];
}

/** Every method for which an MCP server has a handler, and unknown ones, each in requests and in notifications. */
export function mcpMethods({ app }: ProofServer): readonly McpMethod[] {
  const { registry, ports } = app;
  const tools = connectionToolsOf(registry)({});
  const deps = { registry, ports, version: "0", toolsFor: () => tools, running: new Set<AbortController>() };
  const subscriptions = createSubscriptions({ registry, ports, tools });
  const resolveCaller = () => ({ principal: app.owner });
  const server = mcpServer(deps, { tools, transport: "mcp", subscriptions, resolveCaller });
  const handlers = server as unknown as Record<
    "_requestHandlers" | "_notificationHandlers",
    ReadonlyMap<string, unknown>
  >;
  const methods = new Set([
    ...handlers._requestHandlers.keys(),
    ...handlers._notificationHandlers.keys(),
    ...["server/discover", LISTEN_METHOD, "notifications/initialized"],
    ...UNKNOWN_METHODS,
  ]);
  for (const known of ["tools/call", "resources/read", "initialize"])
    if (!handlers._requestHandlers.has(known)) throw new Error(`no handler of ${known} was found`);
  const textOf = (method: string, id: object, params: unknown) =>
    JSON.stringify({ jsonrpc: "2.0", ...id, method, ...(params !== undefined && { params }) });
  return [...methods].map((method) => ({
    method,
    texts: [{ id: 1 }, {}].flatMap((id) => PARAMS.map((params) => textOf(method, id, params))),
  }));
}

const JSON_TYPE = { "content-type": "application/json" } as const;
const counted = (request: SiteRequest, cost = 1): Arrival => ({ request, window: "burst", cost });

/** MCP over HTTP: every method at each revision, batches, and bodies that are no message. */
export function mcpArrivals(server: ProofServer): readonly ArrivalCase[] {
  const post = (
    raw: string,
    headers: Readonly<Record<string, string>> = {},
    path = "/api/mcp",
  ): SiteRequest => ({ method: "POST", path, headers: { ...JSON_TYPE, ...ACCEPT, ...headers }, raw });
  const messages = "/api/mcp/sse/messages?sessionId=x";
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const text = JSON.stringify(ping);
  const batch = (count: number) =>
    post(JSON.stringify(Array.from({ length: count }, (_, id) => ({ ...ping, id }))));
  const methods = mcpMethods(server);
  return [
    ...[...SUPPORTED_PROTOCOL_VERSIONS, MODERN_REVISION, "1999-01-01"].flatMap((revision) =>
      methods.map(({ method, texts }) => ({
        name: `MCP ${revision} ${method}`,
        arrivals: texts.map((one) =>
          counted(post(one, { "mcp-protocol-version": revision, "mcp-method": method || "x" })),
        ),
      })),
    ),
    { name: "MCP batches", arrivals: [counted(batch(3), 3), counted(batch(10), 10), counted(batch(11), 1)] },
    {
      name: "MCP bodies",
      arrivals: [
        ...BODIES.map(([, raw]) => counted(post(raw))),
        ...BODIES.map(([, raw]) => counted(post(raw, {}, messages))),
        counted(post(text, { "content-type": "text/plain" })),
        counted(post(text, { accept: "image/png" })),
        counted(post(text, {}, "/api/mcp?toolsets=no_such")),
        counted(post(text, {}, messages)),
      ],
    },
  ];
}

/** A2A over JSON-RPC: every method of the request handler in both versions, and unknown ones. */
export function a2aArrivals(): readonly ArrivalCase[] {
  const handled: Readonly<Record<keyof A2ARequestHandler, string | null>> = {
    getAgentCard: null,
    getAuthenticatedExtendedAgentCard: "GetExtendedAgentCard",
    sendMessage: "SendMessage",
    sendMessageStream: "SendStreamingMessage",
    getTask: "GetTask",
    listTasks: "ListTasks",
    cancelTask: "CancelTask",
    resubscribe: "SubscribeToTask",
    createTaskPushNotificationConfig: "CreateTaskPushNotificationConfig",
    getTaskPushNotificationConfig: "GetTaskPushNotificationConfig",
    listTaskPushNotificationConfigs: "ListTaskPushNotificationConfigs",
    deleteTaskPushNotificationConfig: "DeleteTaskPushNotificationConfig",
  };
  const current = Object.values(handled).filter((name) => name !== null);
  const legacy = current.filter((name) => name !== "ListTasks").map(v1MethodToLegacyJsonRpc);
  if (!current.every(isV1JsonRpcMethod) || !legacy.every(isLegacyJsonRpcMethod))
    throw new Error("the library names a method otherwise");
  const message = (data: unknown) => ({
    message: { messageId: "m", role: "ROLE_USER", parts: [{ data, mediaType: "application/json" }] },
  });
  const params: readonly unknown[] = [
    ...PARAMS.slice(0, 5),
    { id: "no-such-task", taskId: "no-such-task" },
    message({ skill: "get_quota", input: {} }),
    message({ skill: "no_such_skill" }),
    message({ skill: "get_signal", input: { symbol: 5 } }),
    message(7),
  ];
  const post = (path: string, raw: string, version = "1.0"): SiteRequest => ({
    method: "POST",
    path,
    headers: { ...JSON_TYPE, "a2a-version": version },
    raw,
  });
  const http = ["send", "stream"].map((verb) => ({
    name: `A2A HTTP+JSON message:${verb}`,
    arrivals: [...params.map((given) => JSON.stringify(given) ?? ""), ...BODIES.map(([, raw]) => raw)].map(
      (raw) => counted(post(`/api/a2a/rest/message:${verb}`, raw)),
    ),
  }));
  const rpc = A2A_ENDPOINTS.flatMap((path) => [
    ...[...current, ...legacy, ...UNKNOWN_METHODS].map((method) => ({
      name: `A2A ${path} ${method}`,
      arrivals: params.map((given) =>
        counted(
          post(
            path,
            JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: given }),
            isLegacyJsonRpcMethod(method) ? "0.3" : "1.0",
          ),
        ),
      ),
    })),
    { name: `A2A ${path} bodies`, arrivals: BODIES.map(([, raw]) => counted(post(path, raw))) },
  ]);
  return [...rpc, ...http];
}

const VERBS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const PROBES = ["/livez", "/readyz", "/health", "/metrics"];
const UNKNOWN_PATHS = [
  "/nothing",
  "/health",
  "/api",
  "/api/nothing",
  "/api/v1/nothing/at/all",
  "/api/mcp/nope",
];

/** Every registered route and unknown paths with every verb, with a key and without one. */
export function routeArrivals({ site }: ProofServer, key: string): readonly ArrivalCase[] {
  const paths = site.routes.map(({ path }) => path).filter((path) => !path.endsWith("*"));
  return [...new Set([...paths, ...UNKNOWN_PATHS])].flatMap((template) => {
    const path = template.replaceAll(/:\w+(\{[^}]*\})?/g, "x");
    const isApi = path === "/api" || path.startsWith("/api/");
    return [null, key].map((given) => {
      const isHealth = given === null && /^\/api\/v1\/health\/?$/.test(path);
      const window =
        isHealth || PROBES.includes(path.replace(/(?<=.)\/$/, ""))
          ? "probe"
          : isApi
            ? "burst"
            : path.startsWith("/assets/")
              ? "file"
              : "page";
      return {
        name: `${path} ${given === null ? "without a key" : "with a key"}`,
        arrivals: VERBS.map(
          (method): Arrival => ({
            request: { method, path, ...(given !== null && { authorization: `Bearer ${given}` }) },
            window: window === "burst" && method === "OPTIONS" ? "page" : window,
            cost: 1,
          }),
        ),
      };
    });
  });
}
