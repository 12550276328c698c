import { type ExpressionBuilder, sql } from "kysely";
import { AGENT_LEASE_MS, type AgentRecord, type AgentRunQueue } from "../../domain/agents/automation-port.ts";
import { latestEnd } from "../../lib/expiry.ts";
import {
  compare,
  deleteOldest,
  deleteRows,
  findRow,
  insertRows,
  type MarketDb,
  updateRows,
  upsert,
} from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction, storeTransaction } from "../transactions.ts";
import { fromRun, toAgent, toRun } from "./automation-rows.ts";

/** Runs stored per agent; each new run deletes older ones. */
const MAX_RUNS = 500;
/** Time without a heartbeat after which a scheduler process is deleted. */
const MAX_SCHEDULER_AGE_MS = 60 * 60_000;

export function agentRunQueue({ db, market }: MarketDb): AgentRunQueue {
  const row = ({ account, id }: AgentRecord) => ({ account, market, id });
  const leased = (agent: AgentRecord, owner: string) => ({
    ...row(agent),
    lease_owner: owner,
    state: "running",
  });
  return {
    async due(now, limit) {
      const rows = await db
        .selectFrom("agents")
        .selectAll()
        .where((is) => is.and({ market, state: "running" }))
        .where((is) => is.or([is("next_at", "<=", now), is("next_at", ">", latestRun(now))]))
        .where((is) => isFree(is, now))
        .orderBy("next_at")
        .orderBy("id")
        .limit(limit)
        .execute();
      return rows.map(toAgent);
    },

    async acquire(due, { owner, now, until }) {
      const claimed = await db
        .updateTable("agents")
        .set({ lease_owner: owner, lease_until: until })
        .where((is) => is.and({ ...row(due), state: "running", next_at: due.nextAt }))
        .where((is) => isFree(is, now))
        .returningAll()
        .executeTakeFirst();
      return claimed === undefined ? null : toAgent(claimed);
    },

    async reschedule(agent, owner, nextAt) {
      const free = { next_at: nextAt, lease_owner: null, lease_until: null };
      await updateRows(db, "agents", leased(agent, owner), free);
    },

    renew: async (agent, { owner, until }) =>
      (await updateRows(db, "agents", leased(agent, owner), { lease_until: until })) === 1,

    begin: (agent, run) =>
      accountTransaction(db, agent.account, async (tx) => {
        const { account } = agent;
        const key = { account, market, id: run.run_id };
        const before = await findRow(tx, "agent_runs", key);
        if (before === undefined) await insertRows(tx, "agent_runs", [{ ...fromRun(run), ...key }]);
        else await updateRows(tx, "agent_runs", key, { resumed: 1 });
        return before === undefined ? null : toRun(before);
      }),

    complete: (agent, owner, settled) =>
      accountTransaction(db, agent.account, async (tx) => {
        const { account, id } = agent;
        const { state, reason, spent, failures, nextAt, lastRun } = settled.agent;
        const updated = await updateRows(tx, "agents", leased(agent, owner), {
          state,
          reason,
          spent,
          failures,
          next_at: nextAt,
          last_run: lastRun,
          lease_owner: null,
          lease_until: null,
        });
        if (updated !== 1) {
          // An agent that was stopped meanwhile still records its run and the orders it placed.
          const current = await findRow(tx, "agents", row(agent));
          if (current === undefined || current.state === "running") return false;
          await updateRows(tx, "agents", row(agent), { spent, last_run: lastRun });
        }
        const { id: run, ...fields } = fromRun(settled.run);
        await updateRows(tx, "agent_runs", { account, market, id: run }, fields);
        const ofAgent = { account, market, agent_id: id };
        await deleteOldest(tx, "agent_runs", ofAgent, { column: "due_at", newest: MAX_RUNS });
        return true;
      }),

    async release(agent, owner) {
      await updateRows(db, "agents", leased(agent, owner), { lease_owner: null, lease_until: null });
    },

    async heartbeat(owner, now) {
      await storeTransaction(db, async (tx) => {
        await deleteRows(tx, "agent_schedulers", { seen_at: compare({ "<": now - MAX_SCHEDULER_AGE_MS }) });
        await upsert(tx, "agent_schedulers", { market, owner }, { seen_at: now });
      });
    },

    async hasOtherScheduler({ than, since, now }) {
      const recent = compare({ ">": since, "<=": latestEnd(now, 0) });
      const other = { market, owner: compare({ "!=": than }), seen_at: recent };
      return (await findRow(db, "agent_schedulers", other)) !== undefined;
    },

    hasRunningAgents: async () => (await findRow(db, "agents", { market, state: "running" })) !== undefined,
  };
}

/** Longest time from the end of an interval to the next session's open, over weekends and holidays. */
const MAX_CLOSED_MS = 7 * 86_400_000;

/** Returns the latest time for which an agent can be scheduled at `now`, in SQL. */
const latestRun = (now: number) =>
  sql<number>`${latestEnd(now, 0)} + every_s * 1000 + CASE calendar WHEN 'interval' THEN 0 ELSE ${MAX_CLOSED_MS} END`;

/** Condition that no process holds a lease; a lease that ends too late was taken while the clock was ahead. */
export const isFree = (is: ExpressionBuilder<Schema, "agents">, now: number) =>
  is.or([
    is("lease_until", "is", null),
    is("lease_until", "<=", now),
    is("lease_until", ">", latestEnd(now, AGENT_LEASE_MS)),
  ]);
