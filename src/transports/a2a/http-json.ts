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
import {
  A2AError,
  ContentTypeNotSupportedError,
  RequestMalformedError,
  restStatusFor,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { methodNotAllowed } from "../http/problem.ts";
import type { HttpEnv } from "../http/server-deps.ts";
import { BodyError, readJsonBody } from "./body.ts";
import { A2A_REST_PATH } from "./card.ts";
import { taskNotFound, versionNotSupported } from "./errors.ts";
import { callContextOf, versionOf } from "./request-state.ts";
import { eventStream } from "./stream.ts";

const MEDIA_TYPE = "application/a2a+json";
type C = Context<HttpEnv>;
type RouteHandler = (c: C, context: ServerCallContext) => Promise<Response>;

/** Serves the HTTP+JSON binding of protocol 1.0. Errors are protocol errors. */
export function httpJson(handler: A2ARequestHandler): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const errorBody = (thrown: unknown) => toRestErrorBody(thrown, restStatusFor(thrown));
  const json = (c: C, value: unknown, status: ContentfulStatusCode = 200) =>
    c.body(JSON.stringify(value), status, { "content-type": MEDIA_TYPE });

  /** Wraps a route: checks the version and converts errors. */
  const route =
    (work: RouteHandler) =>
    async (c: C): Promise<Response> => {
      try {
        const version = versionOf(c);
        if (version !== "1.0") throw versionNotSupported(version, "1.0 for HTTP+JSON");
        return await work(c, callContextOf(c, { version, extensions: c.req.header(HTTP_EXTENSION_HEADER) }));
      } catch (thrown) {
        if (thrown instanceof BodyError) {
          const status = BODY_STATUS[thrown.reason];
          return json(c, toRestErrorBody(bodyErrorOf(thrown), status), status);
        }
        if (!(thrown instanceof A2AError)) throw thrown;
        return json(c, errorBody(thrown), restStatusFor(thrown) as ContentfulStatusCode);
      }
    };
  const sendMessage: RouteHandler = async (c, context) => {
    const result = await handler.sendMessage(await parseMessage(c), context);
    const payload =
      "status" in result
        ? ({ $case: "task", value: result } as const)
        : ({ $case: "message", value: result } as const);
    return json(c, SendMessageResponse.toJSON({ payload }));
  };
  const streamMessage: RouteHandler = async (c, context) =>
    streamEvents(handler.sendMessageStream(await parseMessage(c), context), errorBody);
  const listTasks: RouteHandler = async (c, context) => {
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
  /**
   * Serves `{id}`, `{id}:cancel` and `{id}:subscribe` in one route, because Hono does not support a suffix after a
   * parameter.
   */
  const singleTask: RouteHandler = async (c, context) => {
    const [, id = "", verb] = /^(.*?)(?::(cancel|subscribe))?$/s.exec(c.req.param("id") ?? "") ?? [];
    if (id.includes(":")) throw taskNotFound();
    const method = c.req.raw.method;
    if (verb === "cancel" && method === "POST")
      return json(c, Task.toJSON(await handler.cancelTask({ id, tenant: "", metadata: {} }, context)));
    if (verb === "subscribe")
      return streamEvents(handler.resubscribe({ id, tenant: "" }, context), errorBody);
    if (verb !== undefined || method !== "GET")
      return methodNotAllowed(c, [verb === undefined ? "GET" : "POST"]);
    const historyLength = parseNumber(c.req.query("historyLength"), "historyLength");
    return json(c, Task.toJSON(await handler.getTask({ id, tenant: "", historyLength }, context)));
  };
  /** Creates or lists the push notification configs of a task. */
  const configs: RouteHandler = async (c, context) => {
    const taskId = c.req.param("id") ?? "";
    if (c.req.method !== "POST") {
      const params = { tenant: "", taskId, pageSize: 0, pageToken: "" };
      const listed = await handler.listTaskPushNotificationConfigs(params, context);
      return json(c, { configs: [], ...(ListTaskPushNotificationConfigsResponse.toJSON(listed) as object) });
    }
    const created = await handler.createTaskPushNotificationConfig(
      { ...(await parseConfig(c)), taskId },
      context,
    );
    return json(c, TaskPushNotificationConfig.toJSON(created), 201);
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
  const extendedCard: RouteHandler = async (c, context) =>
    json(c, AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: "" }, context)));

  const urlOf = (path: string) => `${A2A_REST_PATH}${path}`;
  const only = (path: string, verb: "GET" | "POST", work: RouteHandler) =>
    app.on(verb, urlOf(path), route(work)).all(urlOf(path), (c) => methodNotAllowed(c, [verb]));
  only("/message:send", "POST", sendMessage);
  only("/message:stream", "POST", streamMessage);
  only("/tasks", "GET", listTasks);
  only("/extendedAgentCard", "GET", extendedCard);
  app
    .on(["GET", "POST"], urlOf("/tasks/:id"), route(singleTask))
    .all(urlOf("/tasks/:id"), (c) => methodNotAllowed(c, ["GET", "POST"]));
  const all = urlOf("/tasks/:id/pushNotificationConfigs");
  app.on(["GET", "POST"], all, route(configs)).all(all, (c) => methodNotAllowed(c, ["GET", "POST"]));
  const single = `${all}/:config`;
  app.on(["GET", "DELETE"], single, route(config)).all(single, (c) => methodNotAllowed(c, ["GET", "DELETE"]));
  return app;
}

/** HTTP status of each kind of invalid body. */
const BODY_STATUS = { parse: 400, size: 413, "media type": 415 } as const;

const bodyErrorOf = ({ reason, message }: BodyError): A2AError =>
  reason === "media type" ? new ContentTypeNotSupportedError(message) : new RequestMalformedError(message);

async function parseBody<T>(c: C, parse: (body: unknown) => T, message: string): Promise<T> {
  const body = await readJsonBody(c.req.raw);
  try {
    return parse(body);
  } catch {
    throw new RequestMalformedError(message);
  }
}

const parseMessage = (c: C): Promise<SendMessageRequest> =>
  parseBody(
    c,
    SendMessageRequest.fromJSON,
    'The body is not a message. Send {"message": {"messageId": ..., "role": "ROLE_USER", "parts": [...]}}.',
  );

const parseConfig = (c: C): Promise<TaskPushNotificationConfig> =>
  parseBody(
    c,
    TaskPushNotificationConfig.fromJSON,
    'The body is not a push notification config. Send {"url": "https://...", "token": "..."}.',
  );

/** Streams the events of a task as server-sent events. Rejects when the task fails before its first event. */
async function streamEvents(
  responses: AsyncGenerator<StreamResponse, void, undefined>,
  errorBody: (thrown: unknown) => unknown,
): Promise<Response> {
  const events = (async function* () {
    for await (const response of responses) yield StreamResponse.toJSON(response);
  })();
  return eventStream(events, await events.next(), errorBody);
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
  if (!/^\d{1,6}$/.test(text)) throw new RequestMalformedError(`${name} must be a whole number.`);
  return Number(text);
}
