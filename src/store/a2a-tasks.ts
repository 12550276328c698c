import { Role, type Task, TaskState } from "@a2a-js/sdk";
import type { ServerCallContext, TaskStore } from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import type { Kysely } from "kysely";
import type { Market } from "../domain/market/market.ts";
import type { Clock, Ids } from "../domain/ports.ts";
import type { TaskLeases } from "../domain/task-leases-port.ts";
import { ToolError } from "../kernel/errors.ts";
import { createBoundedCache } from "../lib/bounded-cache.ts";
import { a2aTaskLeases, TASK_LEASE_MS } from "./a2a-task-leases.ts";
import { isBusy, withoutRetry } from "./retry-busy.ts";
import type { Schema } from "./schema.ts";

/** Tasks stored per account; the oldest are deleted first. */
const MAX_TASKS = 200;
/** Tasks held in memory while nothing can be stored. */
const MAX_UNSTORED = 100;
const OPEN = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"] as const;

interface A2aTaskStoreOptions {
  readonly db: Kysely<Schema>;
  readonly market: Pick<Market, "mode">;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Default: 200. */
  readonly maxTasks?: number;
}

/**
 * Creates the store of A2A tasks by account and market mode. Tasks of another account or mode are not found. A task that
 * cannot be stored at once is held in memory, so that calls that only read still work and are not delayed; it is not
 * listed. While another process writes, storing it is retried in the background for two seconds. An open task without a
 * change for a minute that no process runs counts as abandoned by a stopped server.
 */
export function a2aTasks({
  db,
  market,
  clock,
  ids,
  maxTasks = MAX_TASKS,
}: A2aTaskStoreOptions): TaskStore & { readonly leases: TaskLeases } {
  const leases = a2aTaskLeases({ db, clock, ids });
  const ownerOf = ({ user }: ServerCallContext) => `${market.mode}/${user?.userName ?? ""}`;
  const rowsIn = (on: Kysely<Schema>) =>
    new DatabaseTaskStore(on, { tableName: "a2a_tasks", ownerResolver: ownerOf });
  const rows = rowsIn(db);
  const atOnce = withoutRetry(db);

  async function deleteOldest(on: Kysely<Schema>, owner: string): Promise<void> {
    await on
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
      .where("status_last_updated", "<", now.getTime() - TASK_LEASE_MS)
      .execute();
    for (const { id } of abandonedRows) {
      if (leases.isHere(id) || (await leases.isElsewhere(id))) continue;
      const task = await rows.load(id, context);
      if (task !== undefined) await save(toFailed(task, now), context);
    }
  }

  const unstored = createBoundedCache<string, Task>({ name: "unstored A2A tasks", max: MAX_UNSTORED });
  /** Keys of the tasks that are being stored in the background. */
  const retrying = new Set<string>();
  const keyOf = (id: string, context: ServerCallContext) => JSON.stringify([ownerOf(context), id]);

  /** Writes the task held in memory under a key; it is released unless a newer one took its place. */
  async function write(key: string, context: ServerCallContext, on: Kysely<Schema>): Promise<void> {
    const task = unstored.get(key);
    if (task === undefined) return;
    await rowsIn(on).save(task, context);
    if (unstored.get(key) === task) unstored.delete(key);
    if (!isOpen(task)) await deleteOldest(on, ownerOf(context));
  }

  /** Stores a task in the background. */
  async function retry(key: string, context: ServerCallContext): Promise<void> {
    retrying.add(key);
    try {
      while (unstored.has(key)) await write(key, context, db);
    } catch {
      // It stays in memory.
    } finally {
      retrying.delete(key);
    }
  }

  async function save(task: Task, context: ServerCallContext): Promise<void> {
    const key = keyOf(task.id, context);
    unstored.set(key, { ...task }); // a copy of its own for each save, as the caller may change and save it again
    if (retrying.has(key)) return;
    try {
      await write(key, context, atOnce);
    } catch (cause) {
      if (isBusy(cause)) void retry(key, context);
      if (isStorageFault(cause)) return;
      unstored.delete(key);
      throw cause;
    }
  }

  return {
    leases,
    save,
    async load(id, context) {
      const inMemory = () => unstored.get(keyOf(id, context));
      const task = inMemory() ?? (await rows.load(id, context));
      if (task === undefined || inMemory() !== undefined || !isOpen(task)) return task;
      await endAbandoned(context);
      return inMemory() ?? rows.load(id, context);
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
