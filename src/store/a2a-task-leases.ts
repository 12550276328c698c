import type { Kysely } from "kysely";
import type { Clock, Ids } from "../domain/ports.ts";
import type { TaskLeases } from "../domain/task-leases-port.ts";
import { latestEnd } from "../lib/expiry.ts";
import { compare, countRows, deleteRows, updateRows } from "./queries.ts";
import type { Schema } from "./schema.ts";

export const TASK_LEASE_MS = 60_000;
const RENEWAL_MS = 15_000;
/** Time after which the lease of a running task is stored: most tasks are shorter, and cost no write. */
const QUIET_MS = 1_000;

interface TaskLeasesOptions {
  readonly db: Kysely<Schema>;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Creates the leases of A2A tasks of one process. */
export function a2aTaskLeases({ db, clock, ids }: TaskLeasesOptions): TaskLeases {
  const process = ids.uuid();
  /** Tasks of this process; `isStored`: other processes see the lease. */
  const held = new Map<string, { readonly account: string; isStored: boolean }>();
  let renewing: NodeJS.Timeout | undefined;
  const now = () => clock.now().getTime();
  const others = () => ({
    process: compare<string>({ "!=": process }),
    until: compare<number>({ ">": now(), "<=": latestEnd(now(), TASK_LEASE_MS) }),
  });

  /** Stores the lease of a task unless another process has it. */
  async function store(task: string, account: string): Promise<boolean> {
    const at = now();
    const row = { account, process, until: at + TASK_LEASE_MS };
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("a2a_running")
      .values({ task, ...row })
      .onConflict((conflict) =>
        conflict
          .column("task")
          .doUpdateSet(row)
          .where((is) =>
            is.or([
              is("a2a_running.process", "=", process),
              is("a2a_running.until", "<=", at),
              is("a2a_running.until", ">", latestEnd(at, TASK_LEASE_MS)),
            ]),
          ),
      )
      .executeTakeFirstOrThrow();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }
  /** Stores the lease of a task that this process runs; it may end meanwhile. */
  async function storeHeld(task: string): Promise<void> {
    const lease = held.get(task);
    if (lease === undefined || lease.isStored) return;
    lease.isStored = await store(task, lease.account);
    if (lease.isStored && !held.has(task)) await deleteRows(db, "a2a_running", { task, process });
  }
  /** Stores leases that are not stored yet, renews the others, and deletes those of ended processes. */
  async function renew(): Promise<void> {
    for (const task of held.keys()) await storeHeld(task);
    const tasks = [...held.keys()];
    await updateRows(db, "a2a_running", { task: tasks, process }, { until: now() + TASK_LEASE_MS });
    await deleteRows(db, "a2a_running", { until: compare({ "<=": now() - TASK_LEASE_MS }) });
  }
  function hold(task: string, account: string, isStored: boolean): void {
    held.set(task, { account, isStored });
    renewing ??= setInterval(() => void renew().catch(() => {}), RENEWAL_MS).unref();
  }

  return {
    async take(task, account) {
      const isTaken = await store(task, account);
      if (isTaken) hold(task, account, true);
      return isTaken;
    },
    keep(task, account) {
      if (held.has(task)) return;
      hold(task, account, false);
      setTimeout(() => void storeHeld(task).catch(() => {}), QUIET_MS).unref();
    },
    async release(task) {
      const lease = held.get(task);
      held.delete(task);
      if (held.size === 0) {
        clearInterval(renewing);
        renewing = undefined;
      }
      if (lease?.isStored) await deleteRows(db, "a2a_running", { task, process });
    },
    elsewhere: (account) => countRows(db, "a2a_running", { account, ...others() }),
    isHere: (task) => held.has(task),
    isElsewhere: async (task) => (await countRows(db, "a2a_running", { task, ...others() })) > 0,
  };
}
