import type { Kysely } from "kysely";
import type { AgentRepository } from "../../domain/agents/automation-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import type { Schema } from "../schema.ts";
import { agentRunQueue } from "./agent-run-queue.ts";
import { fromAgent, toAgent, toRun } from "./automation-rows.ts";
import { customAgents } from "./custom-agents.ts";

/** Agents of an account that are not running any more and are kept. */
const MAX_ENDED_AGENTS = 200;

/** Everything of agents that run by themselves in one market. */
export const automationStore = (here: { readonly db: Kysely<Schema>; readonly market: string }) => ({
  book: agentRepository(here),
  custom: customAgents(here),
  turns: agentRunQueue(here),
});

/** Agents of one market in the store. Those of another market are not found here. */
export function agentRepository({
  db,
  market,
}: {
  readonly db: Kysely<Schema>;
  readonly market: string;
}): AgentRepository {
  const rows = (account: string) =>
    db
      .selectFrom("agents")
      .selectAll()
      .where((is) => is.and({ account, market }))
      // the one that runs, if any, is the newest of its name
      .orderBy((is) => is.case().when("state", "=", "running").then(0).else(1).end())
      .orderBy("started_at", "desc")
      .orderBy("id", "desc");
  return {
    start: (agent) =>
      db.transaction().execute(async (tx) => {
        const mine = { account: agent.account, market };
        const running = await tx
          .selectFrom("agents")
          .select("id")
          .where((is) => is.and({ ...mine, agent: agent.agent, state: "running" }))
          .executeTakeFirst();
        if (running !== undefined) throw alreadyRunningError(agent.agent, running.id);
        await deleteOldAgents(tx, mine);
        await tx
          .insertInto("agents")
          .values({ ...fromAgent(agent), market, lease_owner: null, lease_until: null })
          .execute();
      }),

    list: async (account, limit) => (await rows(account).limit(limit).execute()).map(toAgent),

    async find(account, { id, agent }) {
      let asked = rows(account);
      if (id !== undefined) asked = asked.where("id", "=", id);
      if (agent !== undefined) asked = asked.where("agent", "=", agent);
      const found = await asked.limit(1).executeTakeFirst();
      return found === undefined ? null : toAgent(found);
    },

    async end(account, id, state, reason) {
      const { numUpdatedRows } = await db
        .updateTable("agents")
        .set({ state, reason, next_at: null, lease_owner: null, lease_until: null })
        .where((is) => is.and({ account, market, id, state: "running" }))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    async runs(account, { id, agent, limit }) {
      let asked = db
        .selectFrom("agent_runs")
        .selectAll()
        .where((is) => is.and({ account, market }));
      if (id !== undefined) asked = asked.where("agent_id", "=", id);
      if (agent !== undefined) asked = asked.where("agent", "=", agent);
      const found = await asked
        .orderBy("due_at", "desc")
        .orderBy("started_at", "desc")
        .orderBy("id")
        .limit(limit)
        .execute();
      return found.map(toRun);
    },
  };
}

const alreadyRunningError = (agent: string, id: string): ToolError =>
  new ToolError("CONFLICT", `The agent "${agent}" is running already: ${id}`, {
    hint: `One of each agent runs at a time. stop_agent with agent ${agent} ends it; then start it again as you want it.`,
    data: { agent, agent_id: id },
  });

/** Forgets the oldest of those that ended, with their runs. */
async function deleteOldAgents(
  tx: Kysely<Schema>,
  mine: { readonly account: string; readonly market: string },
): Promise<void> {
  const old = await tx
    .selectFrom("agents")
    .select("id")
    .where((is) => is.and(mine))
    .where("state", "!=", "running")
    .orderBy("started_at", "desc")
    .orderBy("id", "desc")
    .offset(MAX_ENDED_AGENTS)
    .limit(MAX_ENDED_AGENTS)
    .execute();
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await tx
    .deleteFrom("agent_runs")
    .where((is) => is.and(mine))
    .where("agent_id", "in", ids)
    .execute();
  await tx
    .deleteFrom("agents")
    .where((is) => is.and(mine))
    .where("id", "in", ids)
    .execute();
}
