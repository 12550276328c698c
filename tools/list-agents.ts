import { z } from "zod";
import { formatAgentList } from "../src/domain/agents/agents.text.ts";
import { AgentInstance, AgentSlots, SavedAgent } from "../src/domain/agents/automation.ts";
import { Iso, MarketMode, Succeeded } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the templates, saved agents and started agents. */
export const listAgents = defineTool({
  name: "list_agents",
  title: "List agents",
  description:
    "Lists the agents of this account: templates, saved agents with their rules, and those running, with state, when each runs next, last run and budget left; and the agent slots left. Use it for which agents or bots are running, what saved agents I have, or what can be started. get_agent_runs returns past decisions; start_agent starts one, save_agent saves one.",
  topics: [
    "my agents",
    "running agents",
    "saved agents",
    "saved bots",
    "agent templates",
    "agent slots",
    "next agent run",
    "agent budget left",
  ],
  toolset: "agents",
  plan: "individual",
  effect: "read",
  route: "GET /api/v1/agents/list",
  cli: { command: "agents" },
  needs: ["automation", "clock", "market"],
  input: z.object({
    state: z.enum(["all", "running"]).default("all").describe("running: only agents that are running"),
  }),
  output: z.object({
    ...Succeeded,
    as_of: Iso,
    templates: z
      .array(z.object({ name: z.string(), tool: z.string(), title: z.string() }))
      .describe("`tool`: one pass"),
    saved: z.array(SavedAgent).describe("Agents saved by the account, oldest first"),
    agents: z.array(AgentInstance).describe("Started agents: running first, then newest, at most 100"),
    slots: AgentSlots,
    hint: z.string().nullable().describe("Next step; null if an agent is running"),
    market: MarketMode,
  }),
  examples: [{ ask: "Which of my agents are running?", input: { state: "running" } }],
  terminal: ({ templates, saved, agents, slots, hint }, paint) =>
    [
      ...formatAgentList({ templates, saved, agents, slots }, paint),
      ...(hint === null ? [] : [paint("dim", hint)]),
    ].join("\n"),

  async handler({ state }, { automation, principal, clock, market }) {
    const [all, saved] = [await automation.instances(principal), await automation.saved(principal)];
    const agents = all.filter((agent) => state === "all" || agent.state === "running");
    return {
      as_of: clock.now().toISOString(),
      templates: automation.templates(),
      saved: saved.agents,
      agents,
      slots: saved.slots,
      hint: all.some((agent) => agent.state === "running")
        ? null
        : "No agent is running: start_agent starts one by name.",
      market: market.mode,
    };
  },
});
