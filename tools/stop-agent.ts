import { z } from "zod";
import { formatAgent } from "../src/domain/agents/agents.text.ts";
import { AgentId, AgentInstance, AgentName } from "../src/domain/agents/automation.ts";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Stops a running agent; its positions stay open and its orders are not cancelled. */
export const stopAgent = defineTool({
  name: "stop_agent",
  title: "Stop agent",
  description:
    "Stops a running agent for good by its name or agent_id, records the reason and returns the budget spent: no more runs start, and a run in progress is aborted. Use it to stop, halt, pause, switch off or shut down an automated agent or bot, such as momentum. Positions stay open: execute_trade closes one, cancel_order cancels an order. start_agent starts the agent again; list_agents shows names.",
  topics: ["stop agent", "stop my bot", "pause my bot", "halt my agent", "switch off my bot"],
  toolset: "agents",
  plan: "member",
  effect: "write",
  destructive: true,
  route: "POST /api/v1/agents/stop",
  cli: { command: "agent-stop", positionals: ["agent"] },
  needs: ["automation", "market"],
  input: z.object({
    agent: AgentName.optional().describe("Name of the agent; alternative to agent_id"),
    agent_id: AgentId.optional(),
  }),
  output: z.object({
    ...Succeeded,
    agent: AgentInstance,
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [{ ask: "Stop the momentum agent", input: { agent: "momentum" } }],
  terminal: ({ agent, hint }, paint) => [...formatAgent(agent, paint), paint("dim", hint)].join("\n"),

  async handler({ agent, agent_id }, ctx) {
    return {
      agent: await ctx.automation.stop(ctx.principal, { agent, id: agent_id }),
      hint: "Its positions remain open: list_positions shows them. start_agent starts the agent again.",
      market: ctx.market.mode,
    };
  },
});
