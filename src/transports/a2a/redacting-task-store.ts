import type { Artifact, Task } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { type ArtifactVersions, requestStateOf } from "./request-state.ts";

/** Task store that never saves secrets: only the request that creates a task reads its full artifact. */
export interface RedactingTaskStore extends TaskStore {
  /** Registers an artifact with secrets; called before the artifact is published. */
  registerArtifact(versions: ArtifactVersions, context: ServerCallContext): void;
}

/** Maximum number of remembered redacted artifacts: a late cancellation saves its task once more. */
const MAX_REMEMBERED_ARTIFACTS = 1_000;

/** Wraps a task store so that it saves only redacted artifacts. */
export function createRedactingTaskStore(tasks: TaskStore): RedactingTaskStore {
  const redacted = new Map<string, Artifact>();
  const withArtifacts = (task: Task, versionOf: (artifact: Artifact) => Artifact): Task => ({
    ...task,
    artifacts: task.artifacts.map(versionOf),
  });
  return {
    registerArtifact(versions, context) {
      requestStateOf(context).artifactVersions = versions;
      redacted.set(versions.redacted.artifactId, versions.redacted);
      for (const oldest of redacted.keys()) {
        if (redacted.size <= MAX_REMEMBERED_ARTIFACTS) break;
        redacted.delete(oldest);
      }
    },
    save: (task, context) =>
      tasks.save(
        withArtifacts(task, (artifact) => redacted.get(artifact.artifactId) ?? artifact),
        context,
      ),
    async load(id, context) {
      const task = await tasks.load(id, context);
      const { artifactVersions: versions } = requestStateOf(context);
      if (task === undefined || versions === undefined) return task;
      const { artifactId } = versions.full;
      return withArtifacts(task, (artifact) =>
        artifact.artifactId === artifactId ? versions.full : artifact,
      );
    },
    list: (request, context) => tasks.list(request, context),
  };
}
