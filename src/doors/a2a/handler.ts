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
import type { HttpDoor } from "../http/door.ts";
import type { Executor } from "./executor.ts";
import { checkIds, questionOf } from "./question.ts";
import { noPush, noTask } from "./refusals.ts";
import { seatOf } from "./seat.ts";

/** Tasks one account may have under way. */
const MOST_RUNNING = 50;

interface Given {
  readonly door: Pick<HttpDoor, "registry" | "ports">;
  readonly card: AgentCard;
  readonly tasks: TaskStore;
  readonly executor: Executor;
}

/**
 * The SDK's request handler behind our own questions: every binding and version comes through here. Each message is a
 * task of its own. Only errors of the protocol leave; whatever else is thrown is logged and becomes a bare one.
 */
export function requestHandler({
  door: { registry, ports },
  card,
  tasks,
  executor,
}: Given): A2ARequestHandler {
  const inner = new DefaultRequestHandler(card, tasks, executor);
  const skills = [...registry.tools, ...registry.absent];

  function asked(params: SendMessageRequest, context: ServerCallContext): SendMessageRequest {
    const seat = seatOf(context);
    const { message, configuration } = params;
    if (message === undefined) throw new RequestMalformedError("There is no message in the request.");
    if (message.messageId === "")
      throw new RequestMalformedError("The message has no messageId. Give it one, such as a UUID.");
    if (message.taskId !== "")
      throw new UnsupportedOperationError(
        "A task takes one message. Send the next one without taskId; contextId may tie them together.",
      );
    if (configuration?.taskPushNotificationConfig !== undefined) throw noPush();
    seat.question = questionOf(message, skills);
    if (executor.running(seat.principal.account) >= MOST_RUNNING)
      throw new UnsupportedOperationError(
        `${MOST_RUNNING} tasks of this account are under way. Wait until one has ended, or cancel one.`,
      );
    // other tasks are not read, and the SDK would log every one it does not find
    return { ...params, message: { ...message, referenceTaskIds: [] } };
  }

  function known<P extends { readonly id: string }>(params: P): P {
    checkIds({ id: params.id });
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
    if (thrown instanceof TaskNotFoundError) return noTask();
    if (thrown instanceof TaskNotCancelableError)
      return new TaskNotCancelableError("The task has ended already. GetTask shows what it came to.");
    if (thrown instanceof A2AError) return thrown;
    ports.log.error("a2a", { request_id: seatOf(context).requestId, cause: thrown });
    return new A2AError("The server failed unexpectedly. Try once more.");
  }
  const guarded =
    <P, R>(work: (params: P, context: ServerCallContext) => Promise<R>) =>
    async (params: P, context: ServerCallContext): Promise<R> => {
      seatOf(context).understood = true;
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
      seatOf(context).understood = true;
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
    sendMessage: guarded((params, context) => inner.sendMessage(asked(params, context), context)),
    sendMessageStream: streamed((params, context) =>
      inner.sendMessageStream(asked(params, context), context),
    ),
    getTask: guarded((params, context) => inner.getTask(known(params), context)),
    listTasks: guarded((params, context) => inner.listTasks(paged(params), context)),
    cancelTask: guarded((params, context) => inner.cancelTask(known(params), context)),
    resubscribe: streamed((params, context) => inner.resubscribe(known(params), context)),
    createTaskPushNotificationConfig: guarded((params, context) =>
      inner.createTaskPushNotificationConfig(params, context),
    ),
    getTaskPushNotificationConfig: guarded((params, context) =>
      inner.getTaskPushNotificationConfig(params, context),
    ),
    listTaskPushNotificationConfigs: guarded((params, context) =>
      inner.listTaskPushNotificationConfigs(params, context),
    ),
    deleteTaskPushNotificationConfig: guarded((params, context) =>
      inner.deleteTaskPushNotificationConfig(params, context),
    ),
  };
}
