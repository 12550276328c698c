import { z } from "zod";
import { formatSlots } from "../src/domain/agents/agents.text.ts";
import { AgentName, AgentSlots } from "../src/domain/agents/automation.ts";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Deletes a saved agent and frees its slot; its past runs remain stored. */
export const deleteAgent = defineTool({
  name: "delete_agent",
  title: "Delete agent",
  description:
    "Deletes a saved custom agent by its name for good and frees its slot; its past runs stay. Use it to remove, erase or discard a saved agent, or to make room when all slots are used. A running agent cannot be deleted: stop_agent stops it first. list_agents shows all saved agents; save_agent changes one in place.",
  topics: [
    "delete agent",
    "delete my bot",
    "remove saved agent",
    "free a slot",
    "erase my bot",
    "out of slots",
  ],
  toolset: "agents",
  plan: "member",
  effect: "write",
  destructive: true,
  route: "DELETE /api/v1/agents/custom/:name",
  cli: { command: "agent-delete" },
  needs: ["automation", "market"],
  input: z.object({ name: AgentName }),
  output: z.object({
    ...Succeeded,
    name: z.string(),
    slots: AgentSlots,
    market: MarketMode,
  }),
  examples: [{ ask: "Delete my agent dip-buyer", input: { name: "dip-buyer" } }],
  terminal: ({ name, slots }, paint) => [`deleted ${paint("bold", name)}`, formatSlots(slots)].join("\n"),

  async handler({ name }, ctx) {
    const slots = await ctx.automation.remove(ctx.principal, name);
    return { name, slots, market: ctx.market.mode };
  },
});
