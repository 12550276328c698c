import { setTimeout as sleep } from "node:timers/promises";
import { type Task, TaskState } from "@a2a-js/sdk";
import type { TaskStore } from "@a2a-js/sdk/server";
import { hasEnded } from "./push.ts";

/** Maximum wait for the end of a task to be stored, in milliseconds. */
const MAX_WAIT_MS = 2_000;

/** Returns true for a task that has ended or asks a question, which no process runs. */
export const isAtRest = (task: Pick<Task, "status">): boolean =>
  hasEnded(task) || task.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED;

/** Published ends and questions of tasks, which the SDK stores after it has sent them to streams. */
export interface TaskEnds {
  /** Records that the end or a question of a task was published. */
  publish(taskId: string): void;
  /** Resolves when the published end or question is stored or could not be; after 2 s at the latest. */
  stored(taskId: string): Promise<void>;
  /** Resolves when all published ends are stored. */
  allStored(): Promise<void>;
}

/** Wraps a task store so that callers can wait until the end of a task is stored. */
export function trackTaskEnds(tasks: TaskStore): { readonly tasks: TaskStore; readonly ends: TaskEnds } {
  const pending = new Map<string, { readonly end: Promise<void>; readonly resolve: () => void }>();
  const stored = async (taskId: string): Promise<void> => {
    const end = pending.get(taskId)?.end;
    if (end !== undefined) await Promise.race([end, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    pending.delete(taskId);
  };
  return {
    tasks: {
      ...tasks,
      async save(task, context) {
        try {
          await tasks.save(task, context);
        } finally {
          if (isAtRest(task)) {
            pending.get(task.id)?.resolve();
            pending.delete(task.id);
          }
        }
      },
    },
    ends: {
      publish(taskId) {
        let resolve = (): void => {};
        const end = new Promise<void>((done) => {
          resolve = done;
        });
        pending.set(taskId, { end, resolve });
      },
      stored,
      async allStored() {
        await Promise.all([...pending.keys()].map(stored));
      },
    },
  };
}
