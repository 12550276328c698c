import type { Artifact, Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { type OnceTold, seatOf } from "./seat.ts";

/** Tasks of which what is told once is neither written down nor told to another request than the one that made it. */
export interface OnceTasks extends TaskStore {
  /** Hears of such an artifact before it is published. */
  note(once: OnceTold, context: ServerCallContext): void;
}

/** Artifacts whose other form is remembered: whoever cancels a task at its end writes it down as well. */
const REMEMBERED = 1_000;

/** The same tasks, none of their artifacts noted yet. */
export function onceTasks(tasks: TaskStore): OnceTasks {
  const kept = new Map<string, Artifact>();
  const exchanged = (task: Task, by: (artifact: Artifact) => Artifact): Task => ({
    ...task,
    artifacts: task.artifacts.map(by),
  });
  return {
    note(once, context) {
      seatOf(context).once = once;
      kept.set(once.kept.artifactId, once.kept);
      for (const oldest of kept.keys()) {
        if (kept.size <= REMEMBERED) break;
        kept.delete(oldest);
      }
    },
    save: (task, context) =>
      tasks.save(
        exchanged(task, (one) => kept.get(one.artifactId) ?? one),
        context,
      ),
    async load(id, context) {
      const task = await tasks.load(id, context);
      const { once } = seatOf(context);
      if (task === undefined || once === undefined) return task;
      return exchanged(task, (one) => (one.artifactId === once.kept.artifactId ? once.told : one));
    },
    list: (request, context) => tasks.list(request, context),
  };
}
