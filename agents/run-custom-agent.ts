import { z } from "zod";
import { PassRequest, passAnswer } from "../src/domain/agents/agent-pass.ts";
import { AgentBacktest, AgentName, backtestOf, type CustomAgent } from "../src/domain/agents/automation.ts";
import { Iso } from "../src/domain/answers.ts";
import { Timeframe } from "../src/domain/market/bars.ts";
import { formatPass } from "../src/features/agents/pass.text.ts";
import type { AnalysisOutcome, SymbolAnalysis } from "../src/features/agents/pass.ts";
import { runPass } from "../src/features/agents/pass-run.ts";
import {
  analyzeByRules,
  type BarsAnswer,
  PAGE_SIZE,
  parseAgentRules,
  type RuleFigures,
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
  close: z.number().nullable().describe("Of the bar that decided, USD"),
  terms: z.array(
    z.object({
      term: z.string().describe("As a rule writes it"),
      value: z.number().nullable().describe("At that close; null: too few bars, or not known"),
      word: z.string().nullable().describe("Of a grade, direction or phase; null for plain numbers"),
    }),
  ),
  conditions: z.array(z.object({ part: z.enum(["entry", "exit"]), text: z.string(), held: z.boolean() })),
  timeframe: Timeframe,
  source: z.string().describe("Provider of the bars; `sample` is simulated"),
  as_of: Iso.describe("When the bar closed that decided"),
});

/** A saved agent: one pass that buys where its entry rules hold and sells where its exit rules do, as its backtest does. */
export const runCustomAgent = defineAgent({
  name: "run_custom_agent",
  title: "Run custom agent",
  description:
    "Runs one pass of a custom agent saved by save_agent: buys where its entry rules hold on the last closed bar, sells where its exit rules hold, and returns each term with its value. Use it to run, test or try out my own agent or bot once right now. Default: a dry run; with dry_run false it places orders on paper within its budget. start_agent repeats it on a schedule.",
  uses: USES,
  route: "POST /api/v1/agents/custom/run",
  cli: { command: "custom-agent", positionals: ["agent"] },
  schedulable: "custom",
  deadlineMs: 180_000,
  input: z.object({
    agent: AgentName,
    dry_run: z
      .boolean()
      .optional()
      .describe("true: places no orders. Default: the value the agent was saved with."),
    connection_id: PassRequest.connection_id,
    budget_usd: PassRequest.budget_usd.describe(
      "Budget of this pass in USD, as decimal text. Default: the value the agent was saved with.",
    ),
    run_id: PassRequest.run_id,
  }),
  output: passAnswer(Figures).extend({ backtest: AgentBacktest }),
  examples: [{ ask: "What would my agent dip-buyer do now?", input: { agent: "dip-buyer", dry_run: true } }],
  terminal: formatPass,

  async run({ agent, ...asked }, steps) {
    const definition = await findSavedAgent(agent, steps.call);
    const looked = await analyzeSymbols(definition, steps);
    const { timeframe, symbols, sizing, budget_usd, dry_run } = definition;
    const told = await runPass<RuleFigures>(
      {
        agent,
        timeframe,
        symbols,
        ...sizing,
        ...(asked.connection_id !== undefined && { connection_id: asked.connection_id }),
        ...(asked.run_id !== undefined && { run_id: asked.run_id }),
        budget_usd: asked.budget_usd ?? budget_usd,
        dry_run: asked.dry_run ?? dry_run,
      },
      looked,
      passActions(steps),
    );
    return { success: true as const, agent, ...told, backtest: backtestOf(definition), market: steps.market };
  },
});

/** What the account saved under a name. Throws NOT_FOUND, and PLAN_REQUIRED where the plan has no slot for it any more. */
async function findSavedAgent(name: string, call: Call["call"]): Promise<CustomAgent> {
  const { saved, slots } = await call(listAgents, {});
  const found = saved.find((one) => one.name === name);
  if (found === undefined)
    throw new ToolError("NOT_FOUND", `This account has saved no agent named "${name}"`, {
      hint: `Saved: ${saved.map((one) => one.name).join(", ") || "none"}. save_agent saves one.`,
    });
  if (!found.in_slot)
    throw new ToolError(
      "PLAN_REQUIRED",
      `The plan has ${slots.limit} slots now, and "${name}" is in none of them`,
      {
        hint: "delete_agent frees one; a higher plan has more.",
      },
    );
  return found.definition;
}

/** What the agent sees of each symbol; what fails of one stands for it alone. */
async function analyzeSymbols(
  definition: CustomAgent,
  { each, call }: Call,
): Promise<readonly AnalysisOutcome<RuleFigures>[]> {
  const { symbols, timeframe } = definition;
  const { plan, usesSignal: reads, bars } = parseAgentRules(definition);
  const pages = await each(
    getHistory,
    symbols.map((symbol) => ({ symbol, timeframe, limit: PAGE_SIZE, detail: "full" as const })),
  );
  const look = async (newest: OutputOf<typeof getHistory>): Promise<SymbolAnalysis<RuleFigures>> => {
    const history = await readOlderBars(newest, bars, call);
    return analyzeByRules(plan, history, reads ? await readSignals(history, call) : null);
  };
  const looked: AnalysisOutcome<RuleFigures>[] = [];
  for (const [i, { output, error }] of pages.entries()) {
    const asked = symbols[i]!;
    if (error !== null) looked.push({ requested: asked, analysis: null, error });
    else
      looked.push(
        await look(output).then(
          (seen) => ({ requested: asked, analysis: seen, error: null }),
          toFailedOutcome(asked),
        ),
      );
  }
  return looked;
}

const toFailedOutcome = (asked: string) => (thrown: unknown) => {
  if (thrown instanceof ToolError && thrown.code !== "CANCELLED")
    return { requested: asked, analysis: null, error: thrown };
  throw thrown;
};

/** The same history with as many bars as its rules are read on, page by page. */
async function readOlderBars(
  newest: OutputOf<typeof getHistory>,
  wanted: number,
  call: Call["call"],
): Promise<BarsAnswer> {
  let { bars, next_as_of } = newest;
  while (bars.length < wanted && next_as_of !== null) {
    const { symbol, tf: timeframe } = newest;
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
  return { ...newest, bars };
}

/** What the signal said at the close of the bar before the newest and of the newest: rules may look for a crossing. */
async function readSignals({ symbol, bars }: BarsAnswer, call: Call["call"]) {
  const [, before] = bars;
  const told = async (as_of?: string) =>
    (
      await call(getSignal, {
        symbol,
        timeframe: "1d",
        detail: "full",
        ...(as_of !== undefined && { as_of }),
      })
    ).data;
  return [...(before === undefined ? [] : [await told(before.datetime)]), await told()];
}
