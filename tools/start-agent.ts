import { z } from "zod";
import { formatAgent } from "../src/domain/agents/agents.text.ts";
import { AgentInstance, AgentName, Every } from "../src/domain/agents/automation.ts";
import { MarketMode, Succeeded, symbolList } from "../src/domain/answers.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { ConnectionId, Positive } from "../src/domain/trading/trading.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Starts an agent on a schedule; the first decision is made in its first run. */
export const startAgent = defineTool({
  name: "start_agent",
  title: "Start agent",
  description:
    "Starts an agent that keeps running on its own on a schedule (every 1d, 4h, 90m): momentum, prediction_news, edge_detection, or one saved by save_agent. Use it to automate, launch or leave running unattended an agent or bot that trades every day or after every close, on paper or as a dry run (default), with a budget. stop_agent ends it; a single pass is run_momentum_agent or run_custom_agent.",
  topics: ["start agent", "start my bot", "automate trading", "on a schedule", "run every day", "autopilot"],
  toolset: "agents",
  plan: "individual",
  effect: "trade",
  scopes: ["read", "write"],
  route: "POST /api/v1/agents/start",
  cli: { command: "agent-start", positionals: ["agent"] },
  needs: ["automation", "market"],
  input: z.object({
    agent: AgentName,
    every: Every.optional(),
    symbols: symbolList(MAX_SYMBOLS)
      .optional()
      .describe(`1 to ${MAX_SYMBOLS} symbols; omit for a saved agent, which has its own`),
    timeframe: TimeframeText.optional().describe("Timeframe of the bars, for agents that accept one"),
    connection_id: ConnectionId.optional(),
    dry_run: z
      .boolean()
      .optional()
      .describe("true: place no orders. Default: true, or the saved value of a custom agent."),
    budget_usd: Positive.optional().describe(
      "Budget for all its purchases in USD, as text or number. Default: no limit.",
    ),
    quantity: Positive.optional().describe("Units of each purchase, as text or number"),
    risk_pct: Positive.optional().describe("Percent of equity each purchase risks, as text or number"),
  }),
  output: z.object({
    ...Succeeded,
    agent: AgentInstance,
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [
    { ask: "Let my agent dip-buyer run on its schedule", input: { agent: "dip-buyer", dry_run: true } },
    {
      ask: "Run the momentum agent on Apple and Microsoft every day without placing anything",
      input: { agent: "momentum", symbols: ["AAPL", "MSFT"], every: "1d" },
    },
  ],
  terminal: ({ agent, hint }, paint) => [...formatAgent(agent, paint), paint("dim", hint)].join("\n"),

  async handler({ agent, every, ...input }, ctx) {
    const started = await ctx.automation.start(ctx.principal, { agent, every, input });
    return {
      agent: started,
      hint: `It runs while a server is running on this data folder. get_agent_runs shows its decisions, stop_agent stops it${started.dry_run ? "; dry_run false places orders" : ""}.`,
      market: ctx.market.mode,
    };
  },
});
