import type { Part, Task } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import type { TaskLeases } from "../../domain/task-leases-port.ts";
import { asToolError, type ErrorCode, ToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { Progress } from "../../kernel/tool.ts";
import { redactWriteOnce } from "../../kernel/write-once.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { agentMessage, artifactOf, dataPart, FINAL_STATE, failureParts, textPart } from "./answer.ts";
import { mayCall } from "./may-call.ts";
import { formatQuestion } from "./question.text.ts";
import { QUESTION_FIELD, type Question, symbolQuestion, ticketQuestion } from "./question.ts";
import type { RedactingTaskStore } from "./redacting-task-store.ts";
import { requestStateOf } from "./request-state.ts";
import type { SkillCall } from "./skill-call.ts";
import { isAtRest, type TaskEnds } from "./task-ends.ts";

/** Minimum time between two progress reports of a task, in milliseconds; each report causes a write to the store. */
const MIN_PROGRESS_INTERVAL_MS = 250;

export interface Executor extends AgentExecutor {
  /** Returns true if this process runs the task. */
  isRunning(taskId: string): boolean;
  /** Returns the number of running tasks of an account. Default: all accounts. */
  running(account?: string): number;
  /** Cancels all running tasks and waits until they have ended. */
  stop(): Promise<void>;
}

/**
 * Executes each task through `invoke` and publishes its progress and result on the task's event bus. A task ends in a
 * question where a symbol is ambiguous or a ticket needs confirmation; the next message on it is the reply.
 */
export function createExecutor(
  { ports, registry }: Pick<HttpServerDeps, "ports" | "registry">,
  {
    tasks,
    ends,
    leases,
  }: {
    readonly tasks: Pick<RedactingTaskStore, "registerArtifact">;
    readonly ends: TaskEnds;
    readonly leases: Pick<TaskLeases, "keep" | "release">;
  },
): Executor {
  const calls = new Map<string, { readonly account: string; readonly stop: AbortController }>();
  const unfinished = new Set<Promise<void>>();

  async function run(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId } = context;
    const { principal, requestId, trace, admitted, skillCall, question, reply, isSecret } = requestStateOf(
      context.context,
    );
    const call = typeof reply === "object" ? reply.call : skillCall;
    const stop = new AbortController();
    const now = () => ports.clock.now().toISOString();
    const ids = { taskId, contextId };
    const status: PublishStatus = (state, parts, metadata = {}) => {
      const message = parts && agentMessage(parts, ids, ports.ids.uuid());
      const update = { ...ids, metadata, status: { state, timestamp: now(), message } };
      if (isAtRest(update)) ends.publish(taskId);
      bus.publish(AgentEvent.statusUpdate(update));
    };
    calls.set(taskId, { account: principal.account, stop });
    leases.keep(taskId, principal.account);
    bus.publish(AgentEvent.task(taskAtWork(context, now())));
    try {
      if (reply === "declined") return status(TaskState.TASK_STATE_CANCELED, [textPart(DECLINED)]);
      if (reply === "unclear" && question !== undefined) return ask(status, question, { message: UNCLEAR });
      if (call === undefined) throw new Error("The task has no skill call");
      const { tool } = call;
      const data = await invoke(tool, call.input, {
        ports,
        principal,
        requestId,
        trace,
        admitted,
        transport: "a2a",
        detail: "concise",
        signal: stop.signal,
        progress: throttleProgress(ports.clock, (step) =>
          status(TaskState.TASK_STATE_WORKING, [textPart(formatProgress(step))]),
        ),
      });
      publishArtifact(context, bus, call, data);
      const next = ticketQuestion(tool, data, registry.tools, (sender) => mayCall(sender, principal));
      if (next === null) status(TaskState.TASK_STATE_COMPLETED);
      else ask(status, next);
    } catch (thrown) {
      const error = asToolError(thrown);
      if (!(thrown instanceof ToolError)) ports.log.error("a2a", { request_id: requestId, cause: thrown });
      const next = isSecret || call === undefined ? null : symbolQuestion(call, error);
      // a reply that names no instrument leaves the question open
      const open = error.code === "UNKNOWN_SYMBOL" && question?.kind === "symbol" ? question : null;
      const asked = next ?? open;
      if (asked !== null) ask(status, asked, error);
      else status(FINAL_STATE[error.code], failureParts(error));
    } finally {
      calls.delete(taskId);
    }
  }

  /** Releases a task once its end or question is stored: a reply read before then would be to an earlier question. */
  async function release(taskId: string): Promise<void> {
    await ends.stored(taskId);
    // if this fails, the task counts as running here until the lease expires
    await leases.release(taskId).catch((cause: unknown) => ports.log.warn("a2a_lease", { cause }));
  }

  /** Publishes the result of a call as an artifact; what is stored of it has no secrets. */
  function publishArtifact(
    { taskId, contextId, request, context }: RequestContext,
    bus: ExecutionEventBus,
    { tool, words }: SkillCall,
    data: Record<string, unknown>,
  ): void {
    const shape = {
      market: ports.market,
      accepts: request.configuration?.acceptedOutputModes ?? [],
      id: ports.ids.uuid(),
      words: requestStateOf(context).isSecret ? undefined : words,
    };
    const artifact = artifactOf(tool, data, shape);
    if (tool.secrets?.writeOnce !== undefined)
      tasks.registerArtifact(
        { full: artifact, redacted: artifactOf(tool, redactWriteOnce(tool, data), shape) },
        context,
      );
    bus.publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        artifact,
        append: false,
        lastChunk: true,
        metadata: {},
      }),
    );
  }

  return {
    execute(context, bus) {
      const work = run(context, bus);
      const released = work.finally(() => release(context.taskId));
      unfinished.add(released);
      void released.catch(() => {}).finally(() => unfinished.delete(released));
      return work;
    },
    async cancelTask(taskId) {
      calls.get(taskId)?.stop.abort();
    },
    isRunning: (taskId) => calls.has(taskId),
    running: (account) =>
      [...calls.values()].filter((call) => account === undefined || call.account === account).length,
    async stop() {
      for (const { stop } of calls.values()) stop.abort();
      await Promise.allSettled([...unfinished]);
    },
  };
}

type PublishStatus = (state: TaskState, parts?: Part[], metadata?: Readonly<Record<string, unknown>>) => void;

const UNCLEAR = "The message does not answer the question";
const DECLINED = "The trade was declined. Nothing was sent.";

/** Publishes a question, after the reason why it is asked. The task then waits for a reply. */
function ask(
  status: PublishStatus,
  question: Question,
  reason?: { readonly message: string; readonly code?: ErrorCode },
): void {
  const { text, data } = formatQuestion(question);
  const parts =
    reason === undefined
      ? [textPart(text), dataPart(data)]
      : [textPart(`${reason.message}. ${text}`), dataPart({ ...data, ...failureOf(reason) })];
  status(TaskState.TASK_STATE_INPUT_REQUIRED, parts, { [QUESTION_FIELD]: question });
}

const failureOf = ({ code, message }: { readonly message: string; readonly code?: ErrorCode }) =>
  code === undefined ? {} : { ok: false, code, message };

/** Returns a new task, or the task that the message replies to, in the state `working`. */
function taskAtWork({ taskId, contextId, userMessage, task }: RequestContext, timestamp: string): Task {
  const status = { state: TaskState.TASK_STATE_WORKING, timestamp, message: undefined };
  if (task !== undefined) return { ...task, status, metadata: { ...task.metadata, [QUESTION_FIELD]: null } };
  return {
    id: taskId,
    contextId,
    status,
    history: [userMessage],
    artifacts: [],
    metadata: {},
  };
}

const formatProgress = ({ done, total, message }: Progress): string =>
  `${done}${total === undefined ? "" : ` of ${total}`}${message === undefined ? "" : `: ${message}`}`;

/** Limits progress reports to one per MIN_PROGRESS_INTERVAL_MS; the first is reported at once. */
function throttleProgress(
  clock: { now(): Date },
  report: (step: Progress) => void,
): (step: Progress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (step) => {
    const now = clock.now().getTime();
    if (now - last < MIN_PROGRESS_INTERVAL_MS) return;
    last = now;
    report(step);
  };
}
