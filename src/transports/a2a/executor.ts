import type { Task } from "@a2a-js/sdk";
import { TaskState } from "@a2a-js/sdk";
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from "@a2a-js/sdk/server";
import { asToolError, ToolError } from "../../kernel/errors.ts";
import { invoke } from "../../kernel/invoke.ts";
import type { Progress } from "../../kernel/tool.ts";
import { redactWriteOnce } from "../../kernel/write-once.ts";
import type { HttpServerDeps } from "../http/server-deps.ts";
import { agentMessage, artifactOf, FINAL_STATE, failureMessage, textPart } from "./answer.ts";
import type { RedactingTaskStore } from "./redacting-task-store.ts";
import { requestStateOf } from "./request-state.ts";
import { mentionsSecret } from "./skill-call.ts";

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

/** Executes each task through `invoke` and publishes its progress and result on the task's event bus. */
export function createExecutor(
  { ports }: Pick<HttpServerDeps, "ports">,
  tasks: Pick<RedactingTaskStore, "registerArtifact">,
): Executor {
  const calls = new Map<string, { readonly account: string; readonly stop: AbortController }>();
  const unfinished = new Set<Promise<void>>();

  async function run(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { taskId, contextId, request, userMessage } = context;
    const { principal, requestId, skillCall } = requestStateOf(context.context);
    // a message may contain a secret even if the skill requires none
    const isSecret =
      skillCall?.tool.secrets?.input !== undefined || mentionsSecret(JSON.stringify(userMessage.parts));
    const stop = new AbortController();
    const now = () => ports.clock.now().toISOString();
    const ids = { taskId, contextId };
    const status = (state: TaskState, message?: ReturnType<typeof agentMessage>) =>
      bus.publish(
        AgentEvent.statusUpdate({ ...ids, metadata: {}, status: { state, timestamp: now(), message } }),
      );
    calls.set(taskId, { account: principal.account, stop });
    bus.publish(AgentEvent.task(initialTask(context, { timestamp: now(), isSecret })));
    try {
      if (skillCall === undefined) throw new Error("The task has no skill call");
      const { tool, input } = skillCall;
      const data = await invoke(tool, input, {
        ports,
        principal,
        requestId,
        transport: "a2a",
        detail: "concise",
        signal: stop.signal,
        progress: throttleProgress(ports.clock, (step) =>
          status(
            TaskState.TASK_STATE_WORKING,
            agentMessage([textPart(formatProgress(step))], ids, ports.ids.uuid()),
          ),
        ),
      });
      const accepts = request.configuration?.acceptedOutputModes ?? [];
      const shape = { market: ports.market, accepts, id: ports.ids.uuid() };
      const artifact = artifactOf(tool, data, shape);
      if (tool.secrets?.writeOnce !== undefined)
        tasks.registerArtifact(
          { full: artifact, redacted: artifactOf(tool, redactWriteOnce(tool, data), shape) },
          context.context,
        );
      bus.publish(
        AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true, metadata: {} }),
      );
      status(TaskState.TASK_STATE_COMPLETED);
    } catch (thrown) {
      const error = asToolError(thrown);
      if (!(thrown instanceof ToolError)) ports.log.error("a2a", { request_id: requestId, cause: thrown });
      status(FINAL_STATE[error.code], failureMessage(error, ids, ports.ids.uuid()));
    } finally {
      calls.delete(taskId);
    }
  }

  return {
    execute(context, bus) {
      const work = run(context, bus);
      unfinished.add(work);
      return work.finally(() => unfinished.delete(work));
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

const initialTask = (
  { taskId, contextId, userMessage }: RequestContext,
  { timestamp, isSecret }: { readonly timestamp: string; readonly isSecret: boolean },
): Task => ({
  id: taskId,
  contextId,
  status: { state: TaskState.TASK_STATE_WORKING, timestamp, message: undefined },
  // the store saves the history
  history: [isSecret ? { ...userMessage, parts: [textPart(REDACTED_MESSAGE)] } : userMessage],
  artifacts: [],
  metadata: {},
});

const REDACTED_MESSAGE = "The message contains a secret and is not stored.";

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
