import { isDeepStrictEqual } from "node:util";
import type { Message, Task } from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import type { TaskLeases } from "../../domain/task-leases-port.ts";
import { authorize } from "../../kernel/invoke.ts";
import type { Tool } from "../../kernel/tool.ts";
import { taskNotFound } from "./errors.ts";
import type { Executor } from "./executor.ts";
import { checkTaskId } from "./ids.ts";
import { hasEnded } from "./push.ts";
import { openQuestion } from "./question.ts";
import { parseReply } from "./reply.ts";
import { requestStateOf } from "./request-state.ts";

interface ReplyReaderDeps {
  readonly tasks: TaskStore;
  readonly leases: Pick<TaskLeases, "take" | "release">;
  readonly executor: Pick<Executor, "isRunning">;
  readonly skills: readonly Tool[];
}

export interface ReplyReader {
  /**
   * Parses a message with a task id as the reply to the task's question, into the state of the request. Rejects with
   * TaskNotFound for an unknown task, with UnsupportedOperation for a task that asks nothing or is being answered, and
   * like `authorizeEnd`.
   */
  read(message: Message, context: ServerCallContext): Promise<void>;
  /**
   * Throws PLAN_REQUIRED or SCOPE_REQUIRED if the caller may not call the skill about which the task asks: it may then
   * neither answer nor end the question.
   */
  authorizeEnd(task: Task, context: ServerCallContext): void;
  /**
   * Takes the lease of the task of a reply that was read. Rejects with UnsupportedOperation if another process has it, or
   * has answered the question meanwhile.
   */
  take(context: ServerCallContext): Promise<void>;
  /** Lets other requests reply to the task that this request replied to. */
  release(context: ServerCallContext): Promise<void>;
}

/** Creates the reader of replies. A question takes one reply at a time. */
export function createReplyReader({ tasks, leases, executor, skills }: ReplyReaderDeps): ReplyReader {
  /** Requests by the id of the task that they reply to. */
  const replying = new Map<string, ServerCallContext>();

  const repliedTo = (context: ServerCallContext) =>
    [...replying].flatMap(([taskId, request]) => (request === context ? [taskId] : []));

  function authorizeEnd(task: Task, context: ServerCallContext): void {
    const question = openQuestion(task);
    const tool = skills.find(({ name }) => name === question?.skill);
    if (tool !== undefined) authorize(tool, requestStateOf(context).principal);
  }

  return {
    authorizeEnd,
    async read(message, context) {
      const { taskId } = message;
      checkTaskId(taskId);
      const task = await tasks.load(taskId, context);
      if (task === undefined) throw taskNotFound();
      if (hasEnded(task))
        throw new UnsupportedOperationError(
          "The task has ended. Send the next message without taskId; use contextId to link them.",
        );
      const question = openQuestion(task);
      if (question === null || replying.has(taskId) || executor.isRunning(taskId)) throw stillWorking();
      authorizeEnd(task, context);
      const state = requestStateOf(context);
      state.reply = parseReply(message, question, skills);
      state.question = question;
      replying.set(taskId, context);
    },
    async take(context) {
      for (const taskId of repliedTo(context)) {
        const { principal, question } = requestStateOf(context);
        if (!(await leases.take(taskId, principal.account))) throw stillWorking();
        const task = await tasks.load(taskId, context);
        const isSame = task !== undefined && isDeepStrictEqual(openQuestion(task), question);
        if (!isSame) throw stillWorking();
      }
    },
    async release(context) {
      for (const taskId of repliedTo(context)) {
        replying.delete(taskId);
        // the executor releases a task that it runs
        if (!executor.isRunning(taskId)) await leases.release(taskId);
      }
    },
  };
}

const stillWorking = () =>
  new UnsupportedOperationError(
    "The task is still working. It accepts a message only in the state input-required.",
  );
