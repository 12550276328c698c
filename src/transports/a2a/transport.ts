import type { TaskStore } from "@a2a-js/sdk/server";
import { Hono, type HonoRequest } from "hono";
import type { TaskLeases } from "../../domain/task-leases-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { endpointsOf } from "../http/paths.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { A2A_REST_PATH, agentCardOf, RPC_ENDPOINTS } from "./card.ts";
import { createExecutor } from "./executor.ts";
import { requestHandler } from "./handler.ts";
import { httpJson } from "./http-json.ts";
import { isRpcRequest, jsonRpc } from "./json-rpc.ts";
import { mayCall } from "./may-call.ts";
import { type A2aPushDeps, createPushSender } from "./push.ts";
import { createRedactingTaskStore } from "./redacting-task-store.ts";
import { rpcRefusals } from "./rpc-errors.ts";
import { createServedCards } from "./served-cards.ts";
import { trackTaskEnds } from "./task-ends.ts";

/** The stored tasks, and which process runs each. */
export interface A2aTasks extends TaskStore {
  readonly leases: TaskLeases;
}

export interface A2aTransport {
  readonly route: Hono<HttpEnv>;
  /** Registers the middleware that answers refused JSON-RPC requests; called before that of all transports. */
  registerRefusals(app: Hono<HttpEnv>): void;
  /** Returns the number of running tasks. */
  running(): number;
  /** Cancels running tasks, waits until they are stored and refuses new ones. */
  close(): Promise<void>;
}

/**
 * Serves A2A: the public agent card, JSON-RPC of both versions at `/api/a2a` and the dispatcher's path (plan "pro") and
 * at the router's path (plan "enterprise"), and HTTP+JSON. Without `push` no notifications are sent. A refused key,
 * plan or quota is thrown as a ToolError; all other errors are protocol errors.
 */
export function createA2aTransport(
  server: HttpServerDeps,
  tasks: A2aTasks,
  push: A2aPushDeps | null,
): A2aTransport {
  const pushNotifications = push !== null;
  const card = agentCardOf(server, { pushNotifications, detail: "brief" });
  const { signer, log } = server.ports;
  const cards = createServedCards({ card, signer, log, publicUrl: server.settings.publicUrl });
  const { tasks: tracked, ends } = trackTaskEnds(tasks);
  const store = createRedactingTaskStore(tracked);
  const executor = createExecutor(server, { tasks: store, ends, leases: tasks.leases });
  const pushDeps =
    push === null
      ? null
      : {
          ...push,
          sender: createPushSender(push, { tasks, clock: server.ports.clock, log: server.ports.log }),
        };
  const handler = requestHandler({
    server,
    card,
    extendedCard: ({ principal }) =>
      cards.signed(
        agentCardOf(server, {
          pushNotifications,
          tools: server.registry.tools.filter((tool) => mayCall(tool, principal)),
        }),
      ),
    tasks: store,
    ends,
    leases: tasks.leases,
    executor,
    push: pushDeps,
  });
  const tools = [...server.registry.tools, ...server.registry.unavailable];
  // clients also send messages to the route of the dispatcher, which takes plain envelopes
  const dispatcher = tools.filter(({ role }) => role === "dispatcher");
  const taskEndpoints = endpointsOf(dispatcher).map(
    ({ path }) => ({ path, plan: "pro", routed: false }) as const,
  );
  const rpcEndpoints = [...RPC_ENDPOINTS, ...taskEndpoints];
  let closed = false;

  const route = new Hono<HttpEnv>();
  for (const { path, plan } of [...rpcEndpoints, { path: `${A2A_REST_PATH}/*`, plan: "pro" } as const])
    for (const url of path.endsWith("*") ? [path] : [path, `${path}/`])
      route.use(url, async (c, next) => {
        if (closed) throw new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down");
        authorizePlan("A2A", plan, c.get("principal"));
        c.header("Cache-Control", "no-store");
        c.header("Market-Data", server.ports.market.mode);
        await next();
      });
  for (const { path, routed } of rpcEndpoints) {
    const rpc = jsonRpc(handler, server, routed);
    const takesEnvelopes = endpointsOf(tools).some((endpoint) => endpoint.path === path);
    const isEnvelope = async ({ raw }: HonoRequest) => takesEnvelopes && !(await isRpcRequest(raw));
    for (const url of [path, `${path}/`])
      route.all(url, async (c, next) => {
        if (c.req.method !== "POST") return methodNotAllowed(c, ["POST"]);
        // the REST route of the path answers a plain envelope
        return (await isEnvelope(c.req)) ? next() : rpc(c);
      });
  }
  route.route("/", httpJson(handler));

  route.route("/", cards.route);

  return {
    route,
    registerRefusals(app) {
      for (const { path } of rpcEndpoints) for (const url of [path, `${path}/`]) app.use(url, rpcRefusals);
    },
    running: () => executor.running(),
    async close() {
      closed = true;
      await executor.stop();
      await ends.allStored();
      await pushDeps?.sender.close();
    },
  };
}
