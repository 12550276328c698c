import { setTimeout as sleep } from "node:timers/promises";
import type { StreamResponse } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { taskNotFound } from "./errors.ts";
import { isAtRest } from "./task-ends.ts";

/** Interval at which the stored task is read: the minimum time between two stored reports of its progress. */
const POLL_MS = 250;

/**
 * Streams a task that another process runs, as that process stores it: the task, then each new status and artifact, until
 * the task ends or asks a question. If that process ends, the task fails within two minutes.
 */
export async function* followStored(
  tasks: TaskStore,
  id: string,
  context: ServerCallContext,
): AsyncGenerator<StreamResponse, void, undefined> {
  let known = await tasks.load(id, context);
  if (known === undefined) throw taskNotFound();
  yield { payload: { $case: "task", value: known } };
  while (!isAtRest(known)) {
    await sleep(POLL_MS, undefined, { ref: false });
    const task = await tasks.load(id, context);
    if (task === undefined) throw taskNotFound();
    const { contextId, artifacts, status } = task;
    const about = { taskId: id, contextId, metadata: {} };
    const seen = new Set(known.artifacts.map(({ artifactId }) => artifactId));
    for (const artifact of artifacts.filter(({ artifactId }) => !seen.has(artifactId)))
      yield {
        payload: { $case: "artifactUpdate", value: { ...about, artifact, append: false, lastChunk: true } },
      };
    if (status?.timestamp !== known.status?.timestamp || status?.state !== known.status?.state)
      yield { payload: { $case: "statusUpdate", value: { ...about, status } } };
    known = task;
  }
}
