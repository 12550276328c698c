import { A2A_VERSION_HEADER } from "@a2a-js/sdk";
import type { TaskStore } from "@a2a-js/sdk/server";
import { Hono } from "hono";
import { ToolError } from "../../kernel/errors.ts";
import { authorizePlan } from "../../kernel/invoke.ts";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { A2A_REST_PATH, agentCardsOf, CARD_PATH, RPC_ENDPOINTS } from "./card.ts";
import { createExecutor } from "./executor.ts";
import { requestHandler } from "./handler.ts";
import { httpJson } from "./http-json.ts";
import { jsonRpc } from "./json-rpc.ts";
import { type A2aPushDeps, createPushSender } from "./push.ts";
import { createRedactingTaskStore } from "./redacting-task-store.ts";

export interface A2aTransport {
  readonly route: Hono<HttpEnv>;
  /** Tasks under way. */
  running(): number;
  /** Cancels the tasks under way and waits until they are written down; refuses new ones. */
  close(): Promise<void>;
}

/**
 * A2A: the open agent card, JSON-RPC of both versions at `/api/a2a` (plan "pro") and behind the plan "enterprise", and
 * HTTP+JSON beside it. Without `push` nobody is sent notifications. Refusals of key, plan and quota are thrown as ToolError, everything after is the protocol's own.
 */
export function createA2aTransport(
  server: HttpServerDeps,
  tasks: TaskStore,
  push: A2aPushDeps | null,
): A2aTransport {
  const cards = agentCardsOf(server, { pushNotifications: push !== null });
  const kept = createRedactingTaskStore(tasks);
  const executor = createExecutor(server, kept);
  const pushes = push === null ? null : createPushSender(push, server.ports);
  const pushing = push === null || pushes === null ? null : { ...push, pushes };
  const handler = requestHandler({ server: server, card: cards.card, tasks: kept, executor, push: pushing });
  let closed = false;

  const route = new Hono<HttpEnv>();
  for (const { path, plan } of [...RPC_ENDPOINTS, { path: `${A2A_REST_PATH}/*`, plan: "pro" } as const])
    for (const url of path.endsWith("*") ? [path] : [path, `${path}/`])
      route.use(url, async (c, next) => {
        if (closed) throw new ToolError("UPSTREAM_UNAVAILABLE", "The server is shutting down");
        authorizePlan("A2A", plan, c.get("principal"));
        c.header("Cache-Control", "no-store");
        c.header("Market-Data", server.ports.market.mode);
        await next();
      });
  for (const { path, routed } of RPC_ENDPOINTS) {
    const rpc = jsonRpc(handler, server, routed);
    for (const url of [path, `${path}/`]) route.post(url, rpc).all(url, (c) => methodNotAllowed(c, ["POST"]));
  }
  route.route("/", httpJson(handler, server));

  route.get(CARD_PATH, (c) => {
    const isCurrent = c.req.header(A2A_VERSION_HEADER) === "1.0";
    const { text, etag } = isCurrent ? cards.current : cards.legacy;
    const headers = { "cache-control": "public, max-age=300", vary: A2A_VERSION_HEADER, etag };
    if (c.req.header("if-none-match") === etag) return c.body(null, 304, headers);
    return c.body(text, 200, { ...headers, "content-type": "application/json" });
  });
  route.all(CARD_PATH, (c) => methodNotAllowed(c, ["GET"]));

  return {
    route,
    running: () => executor.running(),
    async close() {
      closed = true;
      await executor.stop();
      await pushes?.close();
    },
  };
}
