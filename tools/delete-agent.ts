import { z } from "zod";
import { formatSlots } from "../src/domain/agents/agents.text.ts";
import { AgentName, AgentSlots } from "../src/domain/agents/automation.ts";
import { MarketMode } from "../src/domain/trading/positions.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Deletes a saved agent and frees its slot; the runs that it made stay. */
export const deleteAgent = defineTool({
  name: "delete_agent",
  title: "Delete agent",
  description:
    "Deletes a saved custom agent by its name for good and frees its slot; keeps its past runs. Use it to delete my agent, remove, erase, discard, throw away or get rid of a saved agent, or to make room for another when all slots are used. One that is running is refused: stop_agent ends it first. Tells the slots used and left. Saved agents are in list_agents; save_agent changes one in place.",
  toolset: "agents",
  plan: "member",
  effect: "write",
  route: "DELETE /api/v1/agents/custom/:name",
  cli: { command: "agent-delete" },
  needs: ["automation", "market"],
  input: z.object({ name: AgentName }),
  output: z.object({
    success: z.literal(true),
    name: z.string(),
    slots: AgentSlots,
    market: MarketMode,
  }),
  examples: [{ ask: "Delete my agent dip-buyer", input: { name: "dip-buyer" } }],
  terminal: ({ name, slots }, paint) => [`deleted ${paint("bold", name)}`, formatSlots(slots)].join("\n"),

  async handler({ name }, ctx) {
    const slots = await ctx.automation.remove(ctx.principal, name);
    return { success: true as const, name, slots, market: ctx.market.mode };
  },
});
