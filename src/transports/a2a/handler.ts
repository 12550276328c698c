import { setTimeout as sleep } from "node:timers/promises";
import type { AgentCard, ListTasksRequest, SendMessageRequest, Task } from "@a2a-js/sdk";
import {
  A2AError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import {
  type A2ARequestHandler,
  DefaultRequestHandler,
  type ServerCallContext,
  type TaskStore,
} from "@a2a-js/sdk/server";
import { inMessageSlot } from "../../access/admission.ts";
import { noPeers } from "../../domain/peers-port.ts";
import type { TaskLeases } from "../../domain/task-leases-port.ts";
import { type ErrorCode, ToolError } from "../../kernel/errors.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { textPart } from "./answer.ts";
import { configNotFound, isConfigNotFound, pushNotSupported, taskNotFound } from "./errors.ts";
import type { Executor } from "./executor.ts";
import { followStored } from "./follow-stored.ts";
import { checkCounts, checkIds, checkTaskId } from "./ids.ts";
import {
  type A2aPushDeps,
  checkConfigLimit,
  hasEnded,
  type PushSender,
  redactConfig,
  validateConfig,
} from "./push.ts";
import { createReplyReader } from "./reply-reader.ts";
import { type A2aRequestState, requestStateOf } from "./request-state.ts";
import { mentionsSecret, parseSkillCall } from "./skill-call.ts";
import { isAtRest, type TaskEnds } from "./task-ends.ts";

/** Maximum number of running tasks of one account. */
const MAX_RUNNING_TASKS = 50;
/** Text that is stored in place of a message with a secret. */
const REDACTED_MESSAGE = "The message contains a secret and is not stored.";
/** Interval and maximum wait for the stored end of a task that another process cancels, in milliseconds. */
const POLL_MS = 20;
const MAX_POLL_MS = 2_000;
/** Errors of a caller that may not do what it requests, or not now. */
const REFUSAL_CODES: ReadonlySet<ErrorCode> = new Set(["PLAN_REQUIRED", "SCOPE_REQUIRED", "RATE_LIMITED"]);

const textOf = ({ message, hint }: ToolError): string => [message, hint].filter(Boolean).join(". ");

interface RequestHandlerDeps {
  readonly server: Pick<HttpServerDeps, "registry" | "ports" | "peers">;
  readonly card: AgentCard;
  /** Returns the card with the skills that the caller may use. */
  readonly extendedCard: (caller: Pick<A2aRequestState, "principal">) => Promise<AgentCard>;
  readonly tasks: TaskStore;
  readonly ends: Pick<TaskEnds, "stored">;
  readonly leases: TaskLeases;
  readonly executor: Executor;
  /** Null when push notifications are disabled. */
  readonly push: (A2aPushDeps & { readonly sender: PushSender }) | null;
}

/**
 * Wraps the SDK's request handler for all bindings and versions. A message starts a task, or replies to the question of
 * one. Throws only protocol errors: any other error is logged and replaced by a protocol error without details.
 */
export function requestHandler({
  server: { registry, ports, peers = noPeers },
  card,
  extendedCard,
  tasks,
  ends,
  leases,
  executor,
  push,
}: RequestHandlerDeps): A2ARequestHandler {
  const inner = new DefaultRequestHandler(
    card,
    tasks,
    executor,
    undefined,
    push?.configs,
    push?.sender,
    (context) => extendedCard(requestStateOf(context)),
    undefined,
    // a task may wait for a reply for ever: the reply opens a new event bus
    { keepBusAliveStates: [] },
  );
  peers.onRequest("cancel_task", async (id: string) => {
    if (!executor.isRunning(id)) return null;
    await executor.cancelTask(id, undefined as never);
    return true;
  });
  const skills = [...registry.tools, ...registry.unavailable];
  const replies = createReplyReader({ tasks, leases, executor, skills });

  /** Validates a message, parses its skill call and checks its push notification config. */
  async function validated(
    params: SendMessageRequest,
    context: ServerCallContext,
  ): Promise<SendMessageRequest> {
    const state = requestStateOf(context);
    const { message, configuration } = params;
    if (message === undefined) throw new RequestMalformedError("The request has no message.");
    if (message.messageId === "")
      throw new RequestMalformedError("The message has no messageId. Use a UUID.");
    if (message.taskId === "") state.skillCall = parseSkillCall(message, skills, state.routed);
    else await replies.read(message, context);
    const { account } = state.principal;
    if (executor.running(account) + (await leases.elsewhere(account)) >= MAX_RUNNING_TASKS)
      throw new UnsupportedOperationError(
        `This account has ${MAX_RUNNING_TASKS} running tasks. Wait until one has ended, or cancel one.`,
      );
    // referenced tasks are not used, and the SDK would log each one that it does not find
    const { tool } = (typeof state.reply === "object" ? state.reply.call : state.skillCall) ?? {};
    state.isSecret = tool?.secrets?.input !== undefined || mentionsSecret(JSON.stringify(message.parts));
    // the library saves the message with its task
    const parts = state.isSecret ? [textPart(REDACTED_MESSAGE)] : message.parts;
    const request = { ...params, message: { ...message, parts, referenceTaskIds: [] } };
    const config = configuration?.taskPushNotificationConfig;
    checkCounts({ historyLength: configuration?.historyLength });
    if (configuration === undefined || config === undefined) return taken(request, context);
    if (push === null) throw pushNotSupported();
    const taskPushNotificationConfig = await validateConfig(config, context, push);
    return taken({ ...request, configuration: { ...configuration, taskPushNotificationConfig } }, context);
  }

  /** Returns a valid request, once the task that it replies to is leased to this process. */
  async function taken(request: SendMessageRequest, context: ServerCallContext): Promise<SendMessageRequest> {
    await replies.take(context);
    return request;
  }

  /** Returns a task that another process has cancelled, once its end is stored. */
  async function endedTask(id: string, context: ServerCallContext): Promise<Task> {
    for (let waited = 0; ; waited += POLL_MS) {
      const task = await tasks.load(id, context);
      if (task === undefined) throw taskNotFound();
      if (waited >= MAX_POLL_MS || hasEnded(task)) return task;
      await sleep(POLL_MS);
    }
  }

  function withValidId<P extends { readonly id: string }>(params: P): P {
    checkTaskId(params.id);
    return params;
  }

  const requirePush = () => {
    if (push === null) throw pushNotSupported();
    return push;
  };

  /** Checks that push notifications are enabled, the ids are valid and the caller owns the task. Returns the request. */
  async function ownTask<P extends { readonly taskId: string; readonly id?: string }>(
    params: P,
    context: ServerCallContext,
  ): Promise<P> {
    requirePush();
    checkTaskId(params.taskId);
    checkIds({ id: params.id });
    if ((await tasks.load(params.taskId, context)) === undefined) throw taskNotFound();
    return params;
  }

  /** Rejects an invalid page token, which the store would read as the end of the list. */
  function withValidPageToken(params: ListTasksRequest): ListTasksRequest {
    const [time = ""] = Buffer.from(params.pageToken, "base64").toString("latin1").split("|");
    if (params.pageToken !== "" && Number.isNaN(Date.parse(time)))
      throw new RequestMalformedError("The pageToken is invalid. Omit it to get the first page.");
    return params;
  }

  function toProtocolError(thrown: unknown, context: ServerCallContext): A2AError {
    if (thrown instanceof TaskNotFoundError && !isConfigNotFound(thrown)) return taskNotFound();
    if (thrown instanceof TaskNotCancelableError)
      return new TaskNotCancelableError("The task has already ended. GetTask returns its result.");
    if (thrown instanceof A2AError) return thrown;
    if (thrown instanceof ToolError && REFUSAL_CODES.has(thrown.code))
      return new UnsupportedOperationError(textOf(thrown));
    // such as a database that does not answer
    if (thrown instanceof ToolError && thrown.code !== "INTERNAL") return new A2AError(textOf(thrown));
    ports.log.error("a2a", { request_id: requestStateOf(context).requestId, cause: thrown });
    return new A2AError("The server failed unexpectedly. Retry once.");
  }
  const guarded =
    <P, R>(work: (params: P, context: ServerCallContext) => Promise<R>) =>
    async (params: P, context: ServerCallContext): Promise<R> => {
      requestStateOf(context).understood = true;
      try {
        return await work(params, context);
      } catch (thrown) {
        throw toProtocolError(thrown, context);
      }
    };
  /** Guards a request that calls no skill: it runs in a slot for messages. */
  const slotted = <P, R>(work: (params: P, context: ServerCallContext) => Promise<R>) =>
    guarded<P, R>((params, context) =>
      inMessageSlot(ports.meters, requestStateOf(context).principal, () => work(params, context)),
    );
  const streamed = <P, E>(
    work: (params: P, context: ServerCallContext) => AsyncGenerator<E, void, undefined>,
  ) =>
    async function* (params: P, context: ServerCallContext): AsyncGenerator<E, void, undefined> {
      requestStateOf(context).understood = true;
      try {
        yield* work(params, context);
      } catch (thrown) {
        throw toProtocolError(thrown, context);
      }
    };

  return {
    getAgentCard: () => inner.getAgentCard(),
    getAuthenticatedExtendedAgentCard: slotted((params, context) =>
      inner.getAuthenticatedExtendedAgentCard(params, context),
    ),
    sendMessage: guarded(async (params, context) => {
      try {
        return await inner.sendMessage(await validated(params, context), context);
      } finally {
        await replies.release(context);
      }
    }),
    sendMessageStream: streamed(async function* (params, context) {
      try {
        yield* inner.sendMessageStream(await validated(params, context), context);
      } finally {
        await replies.release(context);
      }
    }),
    getTask: slotted((params, context) => {
      checkCounts({ historyLength: params.historyLength });
      return inner.getTask(withValidId(params), context);
    }),
    listTasks: slotted((params, context) => {
      checkCounts({ historyLength: params.historyLength, pageSize: params.pageSize });
      return inner.listTasks(withValidPageToken(params), context);
    }),
    cancelTask: slotted(async (params, context) => {
      const { id } = withValidId(params);
      const task = executor.isRunning(id) ? undefined : await tasks.load(id, context);
      if (task !== undefined) replies.authorizeEnd(task, context);
      const isElsewhere = task !== undefined;
      const isCancelled = isElsewhere && (await peers.request("cancel_task", id)).length > 0;
      return isCancelled ? endedTask(id, context) : inner.cancelTask(params, context);
    }),
    resubscribe: streamed(async function* (params, context) {
      const { id } = withValidId(params);
      // the lease does not show this: it is stored only a second after the task has begun
      const task = executor.isRunning(id) ? undefined : await tasks.load(id, context);
      if (task !== undefined && !isAtRest(task)) return yield* followStored(tasks, id, context);
      for await (const event of inner.resubscribe(params, context)) {
        const { payload } = event;
        if (payload?.$case === "statusUpdate" && hasEnded(payload.value)) await ends.stored(params.id);
        yield event;
      }
    }),
    createTaskPushNotificationConfig: slotted(async (params, context) => {
      const { taskId } = await ownTask(params, context);
      const config = await validateConfig(params, context, requirePush());
      await checkConfigLimit(config, context, requirePush());
      return redactConfig(await inner.createTaskPushNotificationConfig({ ...config, taskId }, context));
    }),
    getTaskPushNotificationConfig: slotted(async (params, context) => {
      await ownTask(params, context);
      const configs = await requirePush().configs.load(params.taskId, context);
      // a 0.3 client may omit the id to get the first config
      const found = configs.find(({ id }) => params.id === "" || id === params.id);
      if (found === undefined) throw configNotFound();
      return redactConfig(found);
    }),
    listTaskPushNotificationConfigs: slotted(async (params, context) => {
      checkCounts({ pageSize: params.pageSize });
      await ownTask(params, context);
      const { configs, ...rest } = await inner.listTaskPushNotificationConfigs(params, context);
      return { ...rest, configs: configs.map(redactConfig) };
    }),
    deleteTaskPushNotificationConfig: slotted(async (params, context) => {
      await ownTask(params, context);
      await inner.deleteTaskPushNotificationConfig(params, context);
    }),
  };
}
