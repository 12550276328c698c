import { z } from "zod";
import { formatRun } from "../src/domain/agents/agents.text.ts";
import { AgentId, AgentName, AgentRun, type DecisionShown } from "../src/domain/agents/automation.ts";
import {
  Detail,
  Iso,
  intBetween,
  MarketMode,
  NextCursor,
  Succeeded,
  timeRange,
} from "../src/domain/answers.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { ANY_TIME, pageWithin, resolveRange, rowsToRead } from "../src/features/signal/time-range.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the runs of started agents, with their decisions. */
export const getAgentRuns = defineTool({
  name: "get_agent_runs",
  title: "Get agent runs",
  description:
    "Lists the past runs of the agents or bots of this account, newest first: when each was due, the history of decisions (buy, sell, hold) with the reason and its order, why a run failed, and runs missed while the server was down. Use it for what an agent did or decided last night and why. Agents that run now are in list_agents, orders of all kinds in list_orders.",
  topics: [
    "agent decisions",
    "what my bot did",
    "past agent runs",
    "missed runs",
    "run log",
    "failed agent run",
  ],
  toolset: "agents",
  plan: "member",
  effect: "read",
  route: "GET /api/v1/agents/runs",
  cli: { command: "agent-runs", positionals: ["agent"] },
  needs: ["automation", "clock", "market"],
  input: z.object({
    agent: AgentName.optional().describe("Only runs of agents with this name"),
    agent_id: AgentId.optional(),
    limit: intBetween(1, 100).default(5).describe("Maximum number of runs"),
    ...timeRange("run by the time it was due"),
    detail: Detail,
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso,
    runs: z.array(AgentRun).describe("Newest first"),
    next_cursor: NextCursor,
    hint: z.string().nullable().describe("Next step; null if there are runs"),
    market: MarketMode,
  }),
  examples: [{ ask: "What did my momentum agent decide last?", input: { agent: "momentum", limit: 1 } }],
  terminal: ({ runs, hint, next_cursor }, paint) =>
    [
      ...runs.flatMap((run) => formatRun(run, paint)),
      ...(hint === null ? [] : [hint]),
      ...nextPageLine(next_cursor, paint),
    ].join("\n"),

  async handler(
    { agent, agent_id, limit, detail = "full", ...times },
    { automation, principal, clock, market },
  ) {
    const range = resolveRange(times, { now: clock.now(), latest: ANY_TIME, filters: [agent, agent_id] });
    const all = await automation.runs(principal, {
      agent,
      id: agent_id,
      from: range.from,
      until: range.pageEnd,
      limit: rowsToRead(range, limit),
    });
    const timeOf = ({ due_at }: AgentRun) => Date.parse(due_at);
    const { rows: runs, next } = pageWithin(all, range, { limit, timeOf });
    const shown =
      detail === "full" ? runs : runs.map((run) => ({ ...run, decisions: run.decisions.map(brief) }));
    return {
      as_of: clock.now().toISOString(),
      runs: shown,
      next_cursor: next,
      hint:
        runs.length > 0
          ? null
          : "No runs yet. start_agent starts an agent; list_agents shows when each runs next.",
      market: market.mode,
      ...range.notes,
    };
  },
});

/** Returns a decision without its figures. */
const brief = ({ symbol, action, why, order, refused }: DecisionShown): DecisionShown => ({
  symbol,
  action,
  why,
  order: order == null ? null : { order_id: order.order_id },
  refused: refused == null ? null : { code: refused.code, message: refused.message },
});
