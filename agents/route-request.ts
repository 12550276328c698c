import { z } from "zod";
import { Detail, SymbolText } from "../src/domain/answers.ts";
import {
  ANALYSIS_OUTSIDE_TEXT,
  holdsOutsideText,
  MAX_SYMBOLS,
  TaskContext,
} from "../src/domain/questions/task.ts";
import { Routed } from "../src/domain/routed.ts";
import { Hint, MarketMode } from "../src/domain/trading/positions.ts";
import { formatRoutedRequest } from "../src/features/agents/routed-request.text.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { taskBindings } from "../src/kernel/task-bindings.ts";
import type { Progress } from "../src/kernel/tool.ts";
import { interpretQuery } from "../tools/interpret-query.ts";
import { proposeTrade } from "../tools/propose-trade.ts";
import { runTask } from "../tools/run-task.ts";
import { scanSymbols } from "../tools/scan-symbols.ts";

const USES = [interpretQuery, runTask, scanSymbols, proposeTrade] as const;
interface RouteRequest {
  readonly task?: string | undefined;
  readonly text?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
}

/** A request of another agent answered whole: signals, analysis and what to do, with tickets that wait to be confirmed. */
export const routeRequest = defineAgent({
  name: "route_request",
  title: "Route request",
  description:
    "Answers another agent's whole request in one structured result: signals, analysis with evidence, and execution recommendations (ready trades as tickets, none sent), from {task, symbols, context} or text. Use it when an enterprise orchestrator wants everything on its symbols at once, end to end, in one call. One task alone is in run_task, a question in interpret_query, tickets in propose_trade.",
  uses: USES,
  plan: "enterprise",
  route: "POST /api/v1/a2a/requests",
  cli: { command: "route" },
  role: "router",
  deadlineMs: 60_000,
  input: z.object({
    task: z.string().trim().min(1).max(64).optional().describe("Name of a task, as run_task takes it"),
    symbols: z
      .array(SymbolText)
      .max(MAX_SYMBOLS)
      .optional()
      .describe("Tickers or pairs of the task, 20 at most; with text those it names"),
    context: TaskContext.optional().describe("What the request is about besides its symbols"),
    text: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .optional()
      .describe("The request in plain English, in place of task; up to 10,000 characters"),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    task: z.string().nullable().describe("As it was asked; null for a request in plain words"),
    symbols: z.array(z.string()).describe("What it is about"),
    summary: z.string(),
    ...Routed,
    notes: z.array(z.string()),
    hint: Hint,
    outside_text: z.literal(ANALYSIS_OUTSIDE_TEXT).optional().describe("How to take what others wrote"),
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Signals, analysis and recommendations on Apple and bitcoin",
      input: { task: "signal_analysis", symbols: ["AAPL", "BTC-USD"], context: { timeframe: "1d" } },
    },
    {
      ask: "Everything on Nvidia, trade ideas too",
      input: { text: "What is the signal on Nvidia?" },
    },
  ],
  terminal: formatRoutedRequest,

  async run(asked, { call, progress, market }) {
    checkRequest(asked);
    const { task, context = {}, text, detail = "full" } = asked;
    // what a trade is to be like is for the proposals, and a task without symbols is followed by none
    const { connection_id, risk_pct, ...about } = context;
    const { symbols, timeframe, answer, notes, results } =
      text === undefined
        ? { ...NO_INTERPRETATION, symbols: asked.symbols ?? [] }
        : await call(interpretQuery, { query: text, detail: "concise" });
    const instruments = symbols.slice(0, MAX_SYMBOLS);
    const count = instruments.length;
    const stage = (place: number) => (step: Progress) =>
      progress({ ...step, done: place * count + Math.min(step.done, count), total: 3 * count });
    const named = { task: task ?? "", symbols, context: count === 0 ? context : about, detail };
    const analysis =
      task === undefined
        ? results.map(({ figures, data, ...one }) => ({ ...one, data: data ?? figures }))
        : PROPOSAL_TASKS.includes(task)
          ? []
          : (await call(runTask, named, stage(0))).results;
    const head = {
      ok: true as const,
      task: task ?? null,
      symbols: instruments,
      analysis,
      market,
      ...(holdsOutsideText(analysis) && { outside_text: ANALYSIS_OUTSIDE_TEXT }),
    };
    if (count === 0)
      return {
        ...head,
        summary: answer ?? NO_SYMBOLS,
        signals: [],
        recommendations: [],
        errors: [],
        notes: [...notes, NO_SYMBOLS],
        hint: null,
      };
    const of = { symbols: instruments, timeframe: about.timeframe ?? timeframe ?? "1d" };
    const scan = await call(scanSymbols, of, stage(1));
    const trade = { ...(connection_id && { connection_id }), ...(risk_pct && { risk_pct }) };
    const proposed = await call(proposeTrade, { ...of, ...trade }, stage(2));
    return {
      ...head,
      summary: answer === null ? proposed.summary : `${answer} ${proposed.summary}`,
      signals: scan.results,
      recommendations: proposed.proposals,
      errors: [
        ...scan.errors.map((one) => ({ part: "signals" as const, ...toRoutedError(one) })),
        ...proposed.errors.map((one) => ({ part: "recommendations" as const, ...toRoutedError(one) })),
      ],
      notes: [...new Set([...notes, ...scan.notes, ...proposed.notes])],
      hint: proposed.hint,
    };
  },
});

/** Tasks whose answer is the recommendations themselves. */
const PROPOSAL_TASKS: readonly string[] = taskBindings(proposeTrade).map(({ name }) => name);
/** What plain words would have been understood as, where there are none. */
const NO_INTERPRETATION = { symbols: [], timeframe: null, answer: null, notes: [], results: [] } as const;
const NO_SYMBOLS =
  "The request names no symbols: there are no signals and no recommendations beside its analysis.";

/** Throws INVALID_INPUT unless the request is one of the two kinds. */
function checkRequest({ task, text, symbols = [] }: RouteRequest): void {
  const fault = (message: string, hint: string) => new ToolError("INVALID_INPUT", message, { hint });
  if ((task === undefined) === (text === undefined))
    throw fault(
      task === undefined ? "The request has neither task nor text" : "The request has both task and text",
      "Say task with its symbols, or text alone.",
    );
  if (text !== undefined && symbols.length > 0)
    throw fault("A request in plain words takes no symbols", "Name them in the text, or say a task.");
}

const toRoutedError = ({
  symbol,
  code,
  message,
  hint,
}: {
  readonly symbol: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}) => ({ symbol, code, message, hint });
