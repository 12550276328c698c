import { sql } from "kysely";
import type { JobCount, JobState } from "../domain/jobs-port.ts";
import type { QueueState } from "../domain/operation-port.ts";
import { isFree } from "./agents/agent-run-queue.ts";
import { OPEN_STATES } from "./alerts/deliveries.ts";
import type { MarketDb } from "./queries.ts";

const COUNTED = [sql<number>`count(*)`.as("due"), sql<number | null>`min(next_at)`.as("oldest")] as const;

/**
 * Returns how many deliveries, agents and notifications of A2A of a market are due at `now`, epoch ms, and are not at work. A
 * notification is due once the process that tried to send it has ended.
 */
export async function queueStates({ db, market }: MarketDb, now: number): Promise<readonly QueueState[]> {
  const deliveries = db
    .selectFrom("deliveries")
    .select([...COUNTED])
    .where("market", "=", market)
    .where("state", "in", OPEN_STATES)
    .where("next_at", "<=", now);
  const agents = db
    .selectFrom("agents")
    .select([...COUNTED])
    .where((is) => is.and({ market, state: "running" }))
    .where("next_at", "<=", now)
    .where((is) => isFree(is, now));
  const pushes = db
    .selectFrom("a2a_pushes")
    .select([...COUNTED])
    .where("market", "=", market)
    .where("next_at", "<=", now);
  const stateOf = async (
    queue: string,
    query: { executeTakeFirstOrThrow(): Promise<{ readonly due: number; readonly oldest: number | null }> },
  ): Promise<QueueState> => {
    const { due, oldest } = await query.executeTakeFirstOrThrow();
    return { queue, due, oldest_ms: oldest === null ? 0 : now - oldest };
  };
  return [
    await stateOf("deliveries", deliveries),
    await stateOf("agents", agents),
    await stateOf("a2a_pushes", pushes),
  ];
}

/** Returns the number of jobs of a market by kind and state; those of which there are none are omitted. */
export async function jobCounts({ db, market }: MarketDb): Promise<readonly JobCount[]> {
  const rows = await db
    .selectFrom("jobs")
    .select(["kind", "state", ({ fn }) => fn.countAll<number>().as("count")])
    .where("market", "=", market)
    .groupBy(["kind", "state"])
    .orderBy("kind")
    .orderBy("state")
    .execute();
  return rows.map(({ kind, state, count }) => ({ kind, state: state as JobState, count: Number(count) }));
}
