import type { Kysely } from "kysely";
import type { AgentRepository } from "../../domain/agents/automation-port.ts";
import { ToolError } from "../../kernel/errors.ts";
import { compare, deleteRows, findRow, insertRows, listRows, type MarketDb, updateRows } from "../queries.ts";
import type { Schema } from "../schema.ts";
import { accountTransaction } from "../transactions.ts";
import { agentRunQueue } from "./agent-run-queue.ts";
import { fromAgent, toAgent, toRun } from "./automation-rows.ts";
import { customAgents } from "./custom-agents.ts";

/** Ended agents stored per account. */
const MAX_ENDED_AGENTS = 200;

export const automationStore = (here: MarketDb) => ({
  repository: agentRepository(here),
  custom: customAgents(here),
  runQueue: agentRunQueue(here),
});

/** Creates the repository of one market's scheduled agents. Agents of another market are not found. */
export function agentRepository({ db, market }: MarketDb): AgentRepository {
  const rows = (account: string) =>
    db
      .selectFrom("agents")
      .selectAll()
      .where((is) => is.and({ account, market }))
      // Running agents come first.
      .orderBy((is) => is.case().when("state", "=", "running").then(0).else(1).end())
      .orderBy("started_at", "desc")
      .orderBy("id", "desc");
  return {
    start: (agent) =>
      accountTransaction(db, agent.account, async (tx) => {
        const mine = { account: agent.account, market };
        const running = await findRow(tx, "agents", { ...mine, agent: agent.agent, state: "running" });
        if (running !== undefined) throw alreadyRunningError(agent.agent, running.id);
        await deleteOldAgents(tx, mine);
        const row = { ...fromAgent(agent), market, lease_owner: null, lease_until: null };
        await insertRows(tx, "agents", [row]);
      }),

    list: async (account, limit) => (await rows(account).limit(limit).execute()).map(toAgent),

    async find(account, { id, agent }) {
      let query = rows(account);
      if (id !== undefined) query = query.where("id", "=", id);
      if (agent !== undefined) query = query.where("agent", "=", agent);
      const found = await query.limit(1).executeTakeFirst();
      return found === undefined ? null : toAgent(found);
    },

    async end(account, id, state, reason) {
      const running = { account, market, id, state: "running" };
      const ended = { state, reason, next_at: null, lease_owner: null, lease_until: null };
      const end = async (tx: Kysely<Schema>) => (await updateRows(tx, "agents", running, ended)) === 1;
      return accountTransaction(db, account, end);
    },

    async runs(account, { id, agent, from, until, limit }) {
      const due_at = compare({
        ...(from != null && { ">=": from }),
        ...(until !== undefined && { "<=": until }),
      });
      const ofAgent = {
        due_at,
        ...(id !== undefined && { agent_id: id }),
        ...(agent !== undefined && { agent }),
      };
      const order = ["due_at desc", "started_at desc", "id"] as const;
      const found = await listRows(db, "agent_runs", { account, market, ...ofAgent }, { order, limit });
      return found.map(toRun);
    },
  };
}

const alreadyRunningError = (agent: string, id: string): ToolError =>
  new ToolError("CONFLICT", `The agent "${agent}" is already running: ${id}`, {
    hint: `Only one instance of an agent can run at a time. End it with stop_agent (agent: ${agent}), then start it again.`,
    data: { agent, agent_id: id },
  });

/** Deletes the oldest ended agents with their runs. */
async function deleteOldAgents(
  tx: Kysely<Schema>,
  mine: { readonly account: string; readonly market: string },
): Promise<void> {
  const ended = { ...mine, state: compare({ "!=": "running" }) };
  const order = ["started_at desc", "id desc"] as const;
  const page = { offset: MAX_ENDED_AGENTS, limit: MAX_ENDED_AGENTS };
  const old = await listRows(tx, "agents", ended, { columns: ["id"], order, ...page });
  const ids = old.map(({ id }) => id);
  await deleteRows(tx, "agent_runs", { ...mine, agent_id: ids });
  await deleteRows(tx, "agents", { ...mine, id: ids });
}
