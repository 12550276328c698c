import type { Artifact, Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { type ArtifactVersions, requestStateOf } from "./request-state.ts";

/** Tasks of which what is told once is neither written down nor told to another request than the one that made it. */
export interface RedactingTaskStore extends TaskStore {
  /** Hears of such an artifact before it is published. */
  registerArtifact(once: ArtifactVersions, context: ServerCallContext): void;
}

/** Artifacts whose other form is remembered: whoever cancels a task at its end writes it down as well. */
const MAX_REMEMBERED_ARTIFACTS = 1_000;

/** The same tasks, none of their artifacts noted yet. */
export function createRedactingTaskStore(tasks: TaskStore): RedactingTaskStore {
  const kept = new Map<string, Artifact>();
  const exchanged = (task: Task, by: (artifact: Artifact) => Artifact): Task => ({
    ...task,
    artifacts: task.artifacts.map(by),
  });
  return {
    registerArtifact(once, context) {
      requestStateOf(context).artifactVersions = once;
      kept.set(once.redacted.artifactId, once.redacted);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_REMEMBERED_ARTIFACTS) break;
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
      const { artifactVersions: once } = requestStateOf(context);
      if (task === undefined || once === undefined) return task;
      return exchanged(task, (one) => (one.artifactId === once.redacted.artifactId ? once.full : one));
    },
    list: (request, context) => tasks.list(request, context),
  };
}
