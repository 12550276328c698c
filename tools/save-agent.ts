import { z } from "zod";
import { formatSavedAgent, formatSlots } from "../src/domain/agents/agents.text.ts";
import {
  AgentBacktest,
  AgentSlots,
  backtestOf,
  CustomAgent,
  SavedAgent,
} from "../src/domain/agents/automation.ts";
import { MarketMode, Succeeded } from "../src/domain/answers.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Saves a custom agent in one of the account's slots. Does not start it. */
export const saveAgent = defineTool({
  name: "save_agent",
  title: "Save agent",
  description:
    "Saves my own custom agent under a name: up to 20 symbols, entry and exit rules as in run_backtest (`rsi(14) < 30`), stop, target, size, interval and budget; starts nothing. Use it to create, define or make my own trading bot that enters and exits by my rules, or to change a saved agent. The same name replaces it. Start it with start_agent; list_agents shows saved ones.",
  topics: ["create an agent", "create a bot", "build a bot", "define an agent", "entry and exit rules"],
  toolset: "agents",
  plan: "individual",
  effect: "write",
  destructive: true,
  route: "POST /api/v1/agents/custom",
  cli: { command: "agent-save", positionals: ["name", "symbols"] },
  needs: ["automation", "market"],
  input: CustomAgent,
  output: z.object({
    ...Succeeded,
    created: z.boolean().describe("false: an agent of the same name was replaced"),
    agent: SavedAgent,
    slots: AgentSlots,
    backtest: AgentBacktest,
    hint: z.string(),
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Make an agent that buys SPY when it is oversold in an uptrend and sells when RSI is above 60",
      input: {
        name: "dip-buyer",
        symbols: ["SPY"],
        entry: { all: ["rsi(14) < 30", "close > sma(200)"] },
        exit: { any: ["rsi(14) > 60"] },
        stop: "2 atr",
        sizing: { risk_pct: "0.5" },
        every: "1d",
        budget_usd: "25000",
      },
    },
  ],
  terminal: ({ created, agent, slots, hint }, paint) =>
    [
      created ? "saved" : "replaced",
      ...formatSavedAgent(agent, paint),
      formatSlots(slots),
      paint("dim", hint),
    ].join("\n"),

  async handler(definition, ctx) {
    const { created, agent, slots } = await ctx.automation.save(ctx.principal, definition);
    return {
      created,
      agent,
      slots,
      backtest: backtestOf(agent.definition),
      hint: "run_custom_agent runs it once; start_agent runs it on a schedule; run_backtest with `backtest` tests the rules on past bars, from the plan founding on.",
      market: ctx.market.mode,
    };
  },
});
