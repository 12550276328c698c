import type { Kysely } from "kysely";
import type { AgentRecord, AgentRunQueue } from "../../domain/agents/automation-port.ts";
import type { Schema } from "../schema.ts";
import { fromRun, toAgent, toRun } from "./automation-rows.ts";

/** Runs stored per agent; each new run deletes older ones. */
const MAX_RUNS = 500;
/** Scheduler processes without a heartbeat for this long are deleted. */
const MAX_SCHEDULER_AGE_MS = 60 * 60_000;

/** Run queue of the agents of one market. */
export function agentRunQueue({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): AgentRunQueue {
  const row = ({ account, id }: AgentRecord) => ({ account, market, id });
  const held = (agent: AgentRecord, owner: string) =>
    db.updateTable("agents").where((is) => is.and({ ...row(agent), lease_owner: owner, state: "running" }));
  return {
    async due(now, limit) {
      const rows = await db
        .selectFrom("agents")
        .selectAll()
        .where((is) => is.and({ market, state: "running" }))
        .where("next_at", "<=", now)
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
        .orderBy("next_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toAgent);
    },

    async acquire(due, { owner, now, until }) {
      const taken = await db
        .updateTable("agents")
        .set({ lease_owner: owner, lease_until: until })
        .where((is) => is.and({ ...row(due), state: "running" }))
        .where("next_at", "=", due.nextAt)
        .where((is) => is.or([is("lease_until", "is", null), is("lease_until", "<=", now)]))
        .returningAll()
        .executeTakeFirst();
      return taken === undefined ? null : toAgent(taken);
    },

    async renew(agent, { owner, until }) {
      const { numUpdatedRows } = await held(agent, owner).set({ lease_until: until }).executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    begin: (agent, run) =>
      db.transaction().execute(async (tx) => {
        const { account } = agent;
        const before = await tx
          .selectFrom("agent_runs")
          .selectAll()
          .where((is) => is.and({ account, market, id: run.run_id }))
          .executeTakeFirst();
        if (before !== undefined) {
          await tx
            .updateTable("agent_runs")
            .set({ resumed: 1 })
            .where((is) => is.and({ account, market, id: run.run_id }))
            .execute();
          return toRun(before);
        }
        await tx
          .insertInto("agent_runs")
          .values({ ...fromRun(run), account, market })
          .execute();
        return null;
      }),

    complete: (agent, owner, settled) =>
      db.transaction().execute(async (tx) => {
        const { account, id } = agent;
        const { state, reason, spent, failures, nextAt, lastRun } = settled.agent;
        const { numUpdatedRows } = await tx
          .updateTable("agents")
          .set({
            state,
            reason,
            spent,
            failures,
            next_at: nextAt,
            last_run: lastRun,
            lease_owner: null,
            lease_until: null,
          })
          .where((is) => is.and({ ...row(agent), lease_owner: owner, state: "running" }))
          .executeTakeFirst();
        // An agent that was stopped meanwhile still records its run and the orders it placed.
        const stopped = await tx
          .selectFrom("agents")
          .select("id")
          .where((is) => is.and(row(agent)))
          .where("state", "!=", "running")
          .executeTakeFirst();
        if (numUpdatedRows !== 1n && stopped === undefined) return false;
        if (numUpdatedRows !== 1n)
          await tx
            .updateTable("agents")
            .set({ spent, last_run: lastRun })
            .where((is) => is.and(row(agent)))
            .execute();
        const { id: run, ...said } = fromRun(settled.run);
        await tx
          .updateTable("agent_runs")
          .set(said)
          .where((is) => is.and({ account, market, id: run }))
          .execute();
        await deleteOldRuns(tx, { account, market, agent_id: id });
        return true;
      }),

    async release(agent, owner) {
      await held(agent, owner).set({ lease_owner: null, lease_until: null }).execute();
    },

    async heartbeat(owner, now) {
      await db.transaction().execute(async (tx) => {
        await tx
          .deleteFrom("agent_keepers")
          .where("seen_at", "<", now - MAX_SCHEDULER_AGE_MS)
          .execute();
        await tx
          .insertInto("agent_keepers")
          .values({ market, owner, seen_at: now })
          .onConflict((conflict) => conflict.columns(["market", "owner"]).doUpdateSet({ seen_at: now }))
          .execute();
      });
    },

    async hasOtherScheduler({ than, since }) {
      const found = await db
        .selectFrom("agent_keepers")
        .select("owner")
        .where("market", "=", market)
        .where("owner", "!=", than)
        .where("seen_at", ">", since)
        .executeTakeFirst();
      return found !== undefined;
    },

    async hasRunningAgents() {
      const found = await db
        .selectFrom("agents")
        .select("id")
        .where((is) => is.and({ market, state: "running" }))
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
  };
}

/** Deletes all but the newest runs of an agent. */
async function deleteOldRuns(
  tx: Kysely<Schema>,
  of: { readonly account: string; readonly market: string; readonly agent_id: string },
): Promise<void> {
  const last = await tx
    .selectFrom("agent_runs")
    .select("due_at")
    .where((is) => is.and(of))
    .orderBy("due_at", "desc")
    .offset(MAX_RUNS)
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return;
  await tx
    .deleteFrom("agent_runs")
    .where((is) => is.and(of))
    .where("due_at", "<=", last.due_at)
    .execute();
}
