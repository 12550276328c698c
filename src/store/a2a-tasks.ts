import { Role, type Task, TaskState } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import type { Market } from "../domain/market/market.ts";
import type { Clock } from "../domain/ports.ts";
import { ToolError } from "../kernel/errors.ts";
import type { Schema } from "./schema.ts";

/** Tasks stored per account; the oldest are deleted first. */
const MAX_TASKS = 200;
/** Tasks held in memory while nothing can be stored. */
const MAX_UNSTORED = 100;
/** Time without a change after which an open task counts as abandoned by a stopped server. */
const ABANDONED_AFTER_MS = 15 * 60_000;
const OPEN = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"] as const;

interface A2aTaskStoreOptions {
  readonly db: Kysely<Schema>;
  readonly market: Pick<Market, "mode">;
  readonly clock: Clock;
  /** Default: 200. */
  readonly maxTasks?: number;
}

/**
 * Creates the store of A2A tasks by account and market mode. Tasks of another account or mode are not found. A task that
 * cannot be stored is held in memory, so that calls that only read still work; it is not listed.
 */
export function a2aTasks({ db, market, clock, maxTasks = MAX_TASKS }: A2aTaskStoreOptions): TaskStore {
  const ownerOf = ({ user }: ServerCallContext) => `${market.mode}/${user?.userName ?? ""}`;
  const rows = new DatabaseTaskStore(db, { tableName: "a2a_tasks", ownerResolver: ownerOf });

  async function deleteOldest(owner: string): Promise<void> {
    await db
      .deleteFrom("a2a_tasks")
      .where("owner", "=", owner)
      .where("status_state", "not in", OPEN)
      .where("id", "not in", (newest) =>
        newest
          .selectFrom("a2a_tasks")
          .select("id")
          .where("owner", "=", owner)
          .orderBy("status_last_updated", "desc")
          .orderBy("id", "desc")
          .limit(maxTasks),
      )
      .execute();
  }

  async function endAbandoned(context: ServerCallContext): Promise<void> {
    const now = clock.now();
    const abandonedRows = await db
      .selectFrom("a2a_tasks")
      .select("id")
      .where("owner", "=", ownerOf(context))
      .where("status_state", "in", OPEN)
      .where("status_last_updated", "<", now.getTime() - ABANDONED_AFTER_MS)
      .execute();
    for (const { id } of abandonedRows) {
      const task = await rows.load(id, context);
      if (task !== undefined) await rows.save(toFailed(task, now), context);
    }
  }

  const unstored = new LRUCache<string, Task>({ max: MAX_UNSTORED });
  const keyOf = (id: string, context: ServerCallContext) => JSON.stringify([ownerOf(context), id]);

  return {
    async save(task, context) {
      const key = keyOf(task.id, context);
      try {
        await rows.save(task, context);
        unstored.delete(key);
        if (!isOpen(task)) await deleteOldest(ownerOf(context));
      } catch (cause) {
        if (!isStorageFault(cause)) throw cause;
        unstored.set(key, task);
      }
    },
    async load(id, context) {
      const inMemory = unstored.get(keyOf(id, context));
      if (inMemory !== undefined) return inMemory;
      const task = await rows.load(id, context);
      if (task === undefined || !isOpen(task)) return task;
      await endAbandoned(context);
      return rows.load(id, context);
    },
    async list(request, context) {
      await endAbandoned(context);
      return rows.list(request, context);
    },
  };
}

/** Returns true if nothing can be stored for now, as opposed to a fault of this call. */
const isStorageFault = (cause: unknown): boolean =>
  cause instanceof ToolError && /^STORAGE_(FULL|BUSY|DAMAGED)$/.test(cause.code);

const isOpen = ({ status }: Task): boolean =>
  status?.state === TaskState.TASK_STATE_SUBMITTED || status?.state === TaskState.TASK_STATE_WORKING;

const toFailed = (task: Task, now: Date): Task => ({
  ...task,
  status: {
    state: TaskState.TASK_STATE_FAILED,
    timestamp: now.toISOString(),
    message: {
      messageId: `${task.id}-failed`,
      taskId: task.id,
      contextId: task.contextId,
      role: Role.ROLE_AGENT,
      parts: [
        {
          content: { $case: "text", value: "The server stopped before this task ended. Send it again." },
          mediaType: "text/plain",
          filename: "",
          metadata: {},
        },
      ],
      metadata: {},
      extensions: [],
      referenceTaskIds: [],
    },
  },
});
