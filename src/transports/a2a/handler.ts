import type { AgentCard, ListTasksRequest, SendMessageRequest } from "@a2a-js/sdk";
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
import { ToolError } from "../../kernel/errors.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { configNotFound, isConfigNotFound, pushNotSupported, taskNotFound } from "./errors.ts";
import type { Executor } from "./executor.ts";
import { type A2aPushDeps, checkConfigLimit, type PushSender, redactConfig, validateConfig } from "./push.ts";
import { requestStateOf } from "./request-state.ts";
import { checkIds, parseSkillCall } from "./skill-call.ts";

/** Tasks one account may have under way. */
const MAX_RUNNING_TASKS = 50;

interface RequestHandlerDeps {
  readonly server: Pick<HttpServerDeps, "registry" | "ports">;
  readonly card: AgentCard;
  readonly tasks: TaskStore;
  readonly executor: Executor;
  /** Null where nobody is sent notifications. */
  readonly push: (A2aPushDeps & { readonly pushes: PushSender }) | null;
}

/**
 * The SDK's request handler behind our own questions: every binding and version comes through here. Each message is a
 * task of its own. Only errors of the protocol leave; whatever else is thrown is logged and becomes a bare one.
 */
export function requestHandler({
  server: { registry, ports },
  card,
  tasks,
  executor,
  push,
}: RequestHandlerDeps): A2ARequestHandler {
  const inner = new DefaultRequestHandler(card, tasks, executor, undefined, push?.configs, push?.pushes);
  const skills = [...registry.tools, ...registry.unavailable];

  async function asked(params: SendMessageRequest, context: ServerCallContext): Promise<SendMessageRequest> {
    const seat = requestStateOf(context);
    const { message, configuration } = params;
    if (message === undefined) throw new RequestMalformedError("There is no message in the request.");
    if (message.messageId === "")
      throw new RequestMalformedError("The message has no messageId. Give it one, such as a UUID.");
    if (message.taskId !== "")
      throw new UnsupportedOperationError(
        "A task takes one message. Send the next one without taskId; contextId may tie them together.",
      );
    seat.skillCall = parseSkillCall(message, skills, seat.routed);
    if (executor.running(seat.principal.account) >= MAX_RUNNING_TASKS)
      throw new UnsupportedOperationError(
        `${MAX_RUNNING_TASKS} tasks of this account are under way. Wait until one has ended, or cancel one.`,
      );
    // other tasks are not read, and the SDK would log every one it does not find
    const alone = { ...params, message: { ...message, referenceTaskIds: [] } };
    const wanted = configuration?.taskPushNotificationConfig;
    if (configuration === undefined || wanted === undefined) return alone;
    if (push === null) throw pushNotSupported();
    // its host is looked up, which a message that is refused for it would have for nothing
    await ports.meters.burst(seat.principal);
    const taskPushNotificationConfig = await validateConfig(wanted, context, push);
    return { ...alone, configuration: { ...configuration, taskPushNotificationConfig } };
  }

  function known<P extends { readonly id: string }>(params: P): P {
    checkIds({ id: params.id });
    return params;
  }

  const sending = () => {
    if (push === null) throw pushNotSupported();
    return push;
  };

  /** What is asked of the notifications of a task, once it is known that the task is the caller's. */
  async function ofTask<P extends { readonly taskId: string; readonly id?: string }>(
    params: P,
    context: ServerCallContext,
  ): Promise<P> {
    sending();
    checkIds({ taskId: params.taskId, id: params.id });
    if ((await tasks.load(params.taskId, context)) === undefined) throw taskNotFound();
    return params;
  }

  /** A token that holds no time would be read as the end of the list. */
  function paged(params: ListTasksRequest): ListTasksRequest {
    const [time = ""] = Buffer.from(params.pageToken, "base64").toString("latin1").split("|");
    if (params.pageToken !== "" && Number.isNaN(Date.parse(time)))
      throw new RequestMalformedError("The pageToken is none that was given out here. Start without one.");
    return params;
  }

  function guard(thrown: unknown, context: ServerCallContext): A2AError {
    if (thrown instanceof TaskNotFoundError && !isConfigNotFound(thrown)) return taskNotFound();
    if (thrown instanceof TaskNotCancelableError)
      return new TaskNotCancelableError("The task has ended already. GetTask shows what it came to.");
    if (thrown instanceof A2AError) return thrown;
    if (thrown instanceof ToolError && thrown.code === "RATE_LIMITED")
      return new UnsupportedOperationError([thrown.message, thrown.hint].filter(Boolean).join(". "));
    ports.log.error("a2a", { request_id: requestStateOf(context).requestId, cause: thrown });
    return new A2AError("The server failed unexpectedly. Try once more.");
  }
  const guarded =
    <P, R>(work: (params: P, context: ServerCallContext) => Promise<R>) =>
    async (params: P, context: ServerCallContext): Promise<R> => {
      requestStateOf(context).understood = true;
      try {
        return await work(params, context);
      } catch (thrown) {
        throw guard(thrown, context);
      }
    };
  const streamed = <P, E>(
    work: (params: P, context: ServerCallContext) => AsyncGenerator<E, void, undefined>,
  ) =>
    async function* (params: P, context: ServerCallContext): AsyncGenerator<E, void, undefined> {
      requestStateOf(context).understood = true;
      try {
        yield* work(params, context);
      } catch (thrown) {
        throw guard(thrown, context);
      }
    };

  return {
    getAgentCard: () => inner.getAgentCard(),
    getAuthenticatedExtendedAgentCard: guarded((params, context) =>
      inner.getAuthenticatedExtendedAgentCard(params, context),
    ),
    sendMessage: guarded(async (params, context) => inner.sendMessage(await asked(params, context), context)),
    sendMessageStream: streamed(async function* (params, context) {
      yield* inner.sendMessageStream(await asked(params, context), context);
    }),
    getTask: guarded((params, context) => inner.getTask(known(params), context)),
    listTasks: guarded((params, context) => inner.listTasks(paged(params), context)),
    cancelTask: guarded((params, context) => inner.cancelTask(known(params), context)),
    resubscribe: streamed((params, context) => inner.resubscribe(known(params), context)),
    createTaskPushNotificationConfig: guarded(async (params, context) => {
      const { taskId } = await ofTask(params, context);
      const config = await validateConfig(params, context, sending());
      await checkConfigLimit(config, context, sending());
      return redactConfig(await inner.createTaskPushNotificationConfig({ ...config, taskId }, context));
    }),
    getTaskPushNotificationConfig: guarded(async (params, context) => {
      await ofTask(params, context);
      const configs = await sending().configs.load(params.taskId, context);
      // who speaks 0.3 may name none and means the first
      const found = configs.find(({ id }) => params.id === "" || id === params.id);
      if (found === undefined) throw configNotFound();
      return redactConfig(found);
    }),
    listTaskPushNotificationConfigs: guarded(async (params, context) => {
      await ofTask(params, context);
      const { configs, ...rest } = await inner.listTaskPushNotificationConfigs(params, context);
      return { ...rest, configs: configs.map(redactConfig) };
    }),
    deleteTaskPushNotificationConfig: guarded(async (params, context) => {
      await ofTask(params, context);
      await inner.deleteTaskPushNotificationConfig(params, context);
    }),
  };
}
