import { z } from "zod";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { AgentBacktest, AgentName, backtestOf, type CustomAgent } from "../src/domain/agents/automation.ts";
import { Iso } from "../src/domain/answers.ts";
import { Price } from "../src/domain/figures.ts";
import { Timeframe } from "../src/domain/market/bars.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { AnalysisOutcome } from "../src/features/agents/pass.ts";
import { runPass } from "../src/features/agents/pass-run.ts";
import {
  analyzeByRules,
  type BarsAnswer,
  PAGE_SIZE,
  parseAgentRules,
} from "../src/features/agents/rule-analysis.ts";
import { defineAgent, type Steps } from "../src/kernel/agent.ts";
import { ToolError } from "../src/kernel/errors.ts";
import type { OutputOf } from "../src/kernel/tool.ts";
import { getHistory } from "../tools/get-history.ts";
import { getSignal } from "../tools/get-signal.ts";
import { listAgents } from "../tools/list-agents.ts";
import { PASS_TOOLS, passActions } from "./pass-actions.ts";

const USES = [listAgents, getHistory, getSignal, ...PASS_TOOLS] as const;
type Call = Steps<(typeof USES)[number]>;

const Figures = z.object({
  close: Price.nullable().describe("Close of the decision bar, USD"),
  terms: z.array(
    z.object({
      term: z.string().describe("Term as written in the rule"),
      value: z
        .number()
        .nullable()
        .describe("Value at that close; null if unknown or if there are too few bars"),
      word: z.string().nullable().describe("Grade, direction or phase; null for numbers"),
    }),
  ),
  conditions: z.array(z.object({ part: z.enum(["entry", "exit"]), text: z.string(), held: z.boolean() })),
  timeframe: Timeframe,
  source: z.string().describe("Provider of the bars; `sample` is simulated"),
  as_of: Iso.describe("Close of the decision bar"),
});
type Figures = z.infer<typeof Figures>;

/**
 * Runs one pass of a saved agent: buys where its entry rules hold and sells where its exit rules hold, like its
 * backtest.
 */
export const runCustomAgent = defineAgent({
  name: "run_custom_agent",
  title: "Run custom agent",
  description:
    "Runs one pass of a custom agent saved by save_agent: buys where its entry rules hold on the last closed bar, sells where its exit rules hold, and returns each term with its value. Use it to run, test or try out my own agent or bot once right now. Default: a dry run; with dry_run false it places orders on paper within its budget. start_agent repeats it on a schedule.",
  topics: [
    "run custom agent",
    "run my agent",
    "run saved agent",
    "run my bot once",
    "try my bot",
    "test my agent",
  ],
  uses: USES,
  route: "POST /api/v1/agents/custom/run",
  cli: { command: "custom-agent", positionals: ["agent"] },
  schedulable: "custom",
  openTo: "individual",
  deadlineMs: 180_000,
  input: z.object({
    agent: AgentName,
    dry_run: z.boolean().optional().describe("true: place no orders. Default: the saved value."),
    connection_id: PassRequest.connection_id,
    budget_usd: PassRequest.budget_usd.describe(
      "Budget of this pass in USD, as text or number. Default: the saved value.",
    ),
    run_id: PassRequest.run_id,
  }),
  output: passAnswer(Figures).extend({ backtest: AgentBacktest }),
  examples: [{ ask: "What would my agent dip-buyer do now?", input: { agent: "dip-buyer", dry_run: true } }],
  terminal: formatPass,

  async run({ agent, ...request }, steps) {
    const definition = await findSavedAgent(agent, steps.call);
    const analyses = await analyzeSymbols(definition, steps);
    const { timeframe, symbols, sizing, budget_usd, dry_run } = definition;
    const result = await runPass<Figures>(
      {
        agent,
        timeframe,
        symbols,
        ...sizing,
        connection_id: request.connection_id,
        run_id: request.run_id,
        budget_usd: request.budget_usd ?? budget_usd,
        dry_run: request.dry_run ?? dry_run,
      },
      analyses,
      passActions(steps),
    );
    return {
      agent,
      ...result,
      backtest: backtestOf(definition),
      market: steps.market,
    };
  },
});

/** Returns the saved agent with this name. Throws NOT_FOUND, or PLAN_REQUIRED if it exceeds the slots of the plan. */
async function findSavedAgent(name: string, call: Call["call"]): Promise<CustomAgent> {
  const { saved, slots } = await call(listAgents, {});
  const found = saved.find((candidate) => candidate.name === name);
  if (found === undefined)
    throw new ToolError("NOT_FOUND", `This account has no saved agent named "${name}"`, {
      hint: `Saved agents: ${saved.map((candidate) => candidate.name).join(", ") || "none"}. save_agent saves one.`,
    });
  if (!found.in_slot)
    throw new ToolError("PLAN_REQUIRED", `"${name}" exceeds the ${slots.limit} agent slots of the plan`, {
      hint: "Free a slot with delete_agent, or upgrade the plan.",
    });
  return found.definition;
}

/** Analyzes each symbol by the agent's rules. A failure affects only its symbol. */
async function analyzeSymbols(
  definition: CustomAgent,
  { each, call }: Call,
): Promise<readonly AnalysisOutcome<Figures>[]> {
  const { symbols, timeframe } = definition;
  const { plan, usesSignal, bars } = parseAgentRules(definition);
  const pages = await each(
    getHistory,
    symbols.map((symbol) => ({ symbol, timeframe, limit: PAGE_SIZE, detail: "full" as const })),
  );
  const outcomes: AnalysisOutcome<Figures>[] = [];
  for (const [i, { output, error }] of pages.entries()) {
    const requested = symbols[i]!;
    try {
      if (error !== null) throw error;
      const history = await readOlderBars(output, { timeframe, required: bars }, call);
      const signals = usesSignal ? await readSignals(history, call) : null;
      outcomes.push({ requested, analysis: analyzeByRules(plan, history, signals), error: null });
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.code === "CANCELLED") throw thrown;
      outcomes.push({ requested, analysis: null, error: thrown });
    }
  }
  return outcomes;
}

/**
 * Reads older pages until there are as many bars as the rules require, or no more exist. Rejects with UNKNOWN_SYMBOL for
 * an index.
 */
async function readOlderBars(
  newest: OutputOf<typeof getHistory>,
  { timeframe, required }: { readonly timeframe: Timeframe; readonly required: number },
  call: Call["call"],
): Promise<BarsAnswer> {
  const { symbol, asset_class } = newest;
  if (asset_class === "index")
    throw new ToolError("UNKNOWN_SYMBOL", `${symbol} is an index, which cannot be traded`, {
      hint: "Save the agent with a fund that tracks it.",
    });
  let { bars, next_as_of } = newest;
  while (bars.length < required && next_as_of !== null) {
    const page = await call(getHistory, {
      symbol,
      timeframe,
      limit: PAGE_SIZE,
      as_of: next_as_of,
      detail: "full",
    });
    bars = [...bars, ...page.bars];
    next_as_of = page.next_as_of;
  }
  // only bars of an index have no volume
  const rows = bars.flatMap(({ volume, ...row }) => (volume === null ? [] : [{ ...row, volume }]));
  return { ...newest, asset_class, tf: timeframe, bars: rows };
}

/** Returns the signals at the closes of the last two bars, oldest first, because rules may compare them. */
async function readSignals({ symbol, bars }: BarsAnswer, call: Call["call"]) {
  const [, before] = bars;
  const signalAt = async (as_of?: string) =>
    (await call(getSignal, { symbol, timeframe: "1d", detail: "full", as_of })).data;
  return [...(before === undefined ? [] : [await signalAt(before.datetime)]), await signalAt()];
}
