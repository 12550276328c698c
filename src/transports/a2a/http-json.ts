import {
  AgentCard,
  HTTP_EXTENSION_HEADER,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { A2AError, RequestMalformedError, restStatusFor, toRestErrorBody } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv, HttpServerDeps } from "../http/server-deps.ts";
import { BodyError, readJsonBody } from "./body.ts";
import { A2A_REST_PATH } from "./card.ts";
import { taskNotFound, versionNotSupported } from "./errors.ts";
import { callContextOf, versionOf } from "./request-state.ts";
import { eventStream } from "./stream.ts";

const MEDIA_TYPE = "application/a2a+json";
type C = Context<HttpEnv>;
type RouteHandler = (c: C, context: ServerCallContext) => Promise<Response>;

/** The HTTP+JSON binding of protocol 1.0; errors are the protocol's own. */
export function httpJson(
  handler: A2ARequestHandler,
  { ports }: Pick<HttpServerDeps, "ports">,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const told = (thrown: unknown) => toRestErrorBody(thrown, restStatusFor(thrown));
  const json = (c: C, value: unknown, status: ContentfulStatusCode = 200) =>
    c.body(JSON.stringify(value), status, { "content-type": MEDIA_TYPE });

  /** Joins a route to the handler: the version first, the burst window for all but messages, errors in the protocol's shape. */
  const route =
    (work: RouteHandler, counted = true) =>
    async (c: C): Promise<Response> => {
      try {
        const version = versionOf(c);
        if (version !== "1.0") throw versionNotSupported(version, "1.0, the one of HTTP+JSON");
        if (counted) await ports.meters.burst(c.get("principal"));
        const caller = { principal: c.get("principal"), requestId: c.get("requestId") };
        return await work(
          c,
          callContextOf(caller, { version, extensions: c.req.header(HTTP_EXTENSION_HEADER) }),
        );
      } catch (thrown) {
        if (thrown instanceof BodyError && thrown.reason === "size")
          return json(c, toRestErrorBody(new RequestMalformedError(thrown.message), 413), 413);
        const error = thrown instanceof BodyError ? new RequestMalformedError(thrown.message) : thrown;
        if (!(error instanceof A2AError)) throw error;
        return json(c, told(error), restStatusFor(error) as ContentfulStatusCode);
      }
    };
  const sent: RouteHandler = async (c, context) => {
    const result = await handler.sendMessage(await parseMessage(c), context);
    const payload =
      "status" in result
        ? ({ $case: "task", value: result } as const)
        : ({ $case: "message", value: result } as const);
    return json(c, SendMessageResponse.toJSON({ payload }));
  };
  const streamed: RouteHandler = async (c, context) =>
    streamEvents(handler.sendMessageStream(await parseMessage(c), context), told);
  const listed: RouteHandler = async (c, context) => {
    const {
      tasks = [],
      nextPageToken = "",
      totalSize = 0,
      ...rest
    } = ListTasksResponse.toJSON(await handler.listTasks(parseListRequest(c.req.query()), context)) as Record<
      string,
      unknown
    >;
    return json(c, { ...rest, tasks, nextPageToken, totalSize });
  };
  /** `{id}`, `{id}:cancel` and `{id}:subscribe`: Hono has no suffix of a parameter. */
  const one: RouteHandler = async (c, context) => {
    const [, id = "", verb] = /^(.*?)(?::(cancel|subscribe))?$/s.exec(c.req.param("id") ?? "") ?? [];
    if (id.includes(":")) throw taskNotFound();
    const method = c.req.raw.method;
    if (verb === "cancel" && method === "POST")
      return json(c, Task.toJSON(await handler.cancelTask({ id, tenant: "", metadata: {} }, context)));
    if (verb === "subscribe") return streamEvents(handler.resubscribe({ id, tenant: "" }, context), told);
    if (verb !== undefined || method !== "GET")
      return methodNotAllowed(c, [verb === undefined ? "GET" : "POST"]);
    const historyLength = parseNumber(c.req.query("historyLength"), "historyLength");
    return json(c, Task.toJSON(await handler.getTask({ id, tenant: "", historyLength }, context)));
  };
  /** The notifications of a task: one more, or all there are. */
  const configs: RouteHandler = async (c, context) => {
    const taskId = c.req.param("id") ?? "";
    if (c.req.method !== "POST") {
      const params = { tenant: "", taskId, pageSize: 0, pageToken: "" };
      const all = await handler.listTaskPushNotificationConfigs(params, context);
      return json(c, { configs: [], ...(ListTaskPushNotificationConfigsResponse.toJSON(all) as object) });
    }
    const made = await handler.createTaskPushNotificationConfig(
      { ...(await parseConfig(c)), taskId },
      context,
    );
    return json(c, TaskPushNotificationConfig.toJSON(made), 201);
  };
  const config: RouteHandler = async (c, context) => {
    const params = { tenant: "", taskId: c.req.param("id") ?? "", id: c.req.param("config") ?? "" };
    if (c.req.method !== "DELETE")
      return json(
        c,
        TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(params, context)),
      );
    await handler.deleteTaskPushNotificationConfig(params, context);
    return c.body(null, 204);
  };
  const ownCard: RouteHandler = async (c, context) =>
    json(c, AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: "" }, context)));

  const at = (path: string) => `${A2A_REST_PATH}${path}`;
  const only = (path: string, verb: "GET" | "POST", work: RouteHandler, counted = true) =>
    app.on(verb, at(path), route(work, counted)).all(at(path), (c) => methodNotAllowed(c, [verb]));
  only("/message:send", "POST", sent, false);
  only("/message:stream", "POST", streamed, false);
  only("/tasks", "GET", listed);
  only("/extendedAgentCard", "GET", ownCard);
  app
    .on(["GET", "POST"], at("/tasks/:id"), route(one))
    .all(at("/tasks/:id"), (c) => methodNotAllowed(c, ["GET", "POST"]));
  const ofTask = at("/tasks/:id/pushNotificationConfigs");
  app.on(["GET", "POST"], ofTask, route(configs)).all(ofTask, (c) => methodNotAllowed(c, ["GET", "POST"]));
  const single = `${ofTask}/:config`;
  app.on(["GET", "DELETE"], single, route(config)).all(single, (c) => methodNotAllowed(c, ["GET", "DELETE"]));
  return app;
}

async function parseMessage(c: C): Promise<SendMessageRequest> {
  const body = await readJsonBody(c.req.raw, [MEDIA_TYPE, "application/json"]);
  try {
    return SendMessageRequest.fromJSON(body);
  } catch {
    throw new RequestMalformedError(
      'The body does not have the shape of a message. Send {"message": {"messageId": ..., "role": "ROLE_USER", "parts": [...]}}.',
    );
  }
}

async function parseConfig(c: C): Promise<TaskPushNotificationConfig> {
  const body = await readJsonBody(c.req.raw, [MEDIA_TYPE, "application/json"]);
  try {
    return TaskPushNotificationConfig.fromJSON(body);
  } catch {
    throw new RequestMalformedError(
      'The body is no notification. Send {"url": "https://...", "token": "..."}.',
    );
  }
}

/** The events of a task, each as the binding writes it; an early failure is a plain answer. */
async function streamEvents(
  responses: AsyncGenerator<StreamResponse, void, undefined>,
  told: (thrown: unknown) => unknown,
): Promise<Response> {
  const written = (async function* () {
    for await (const response of responses) yield StreamResponse.toJSON(response);
  })();
  return eventStream(written, await written.next(), told);
}

function parseListRequest(query: Readonly<Record<string, string>>): ListTasksRequest {
  const { pageSize, historyLength, includeArtifacts, ...rest } = query;
  return ListTasksRequest.fromJSON({
    ...rest,
    pageSize: parseNumber(pageSize, "pageSize"),
    historyLength: parseNumber(historyLength, "historyLength"),
    includeArtifacts: includeArtifacts === undefined ? undefined : includeArtifacts === "true",
  });
}

function parseNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text)) throw new RequestMalformedError(`${name} is a whole number.`);
  return Number(text);
}
