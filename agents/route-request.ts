import { z } from "zod";
import { Detail, Hint, MarketMode, StaleNotes, SymbolText } from "../src/domain/answers.ts";
import {
  ANALYSIS_OUTSIDE_TEXT,
  holdsOutsideText,
  MAX_SYMBOLS,
  TaskContext,
} from "../src/domain/requests/task.ts";
import { Routed } from "../src/domain/routed.ts";
import { orderCheckNotes, plannedOrder } from "../src/features/agents/order-checks.ts";
import { formatRoutedRequest } from "../src/features/agents/routed-request.text.ts";
import { conciseRow } from "../src/features/nightly/move-fields.ts";
import { splitNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { listOdds } from "../src/features/signal/signal-odds.ts";
import { defineAgent } from "../src/kernel/agent.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { taskBindings } from "../src/kernel/task-bindings.ts";
import type { Progress } from "../src/kernel/tool.ts";
import { checkOrder } from "../tools/check-order.ts";
import { interpretQuery } from "../tools/interpret-query.ts";
import { proposeTrade } from "../tools/propose-trade.ts";
import { runTask } from "../tools/run-task.ts";
import { scanSymbols } from "../tools/scan-symbols.ts";

const USES = [interpretQuery, runTask, scanSymbols, proposeTrade, checkOrder] as const;
interface RouteRequest {
  readonly task?: string | undefined;
  readonly text?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
}

/**
 * Answers a complete request of another agent with signals, analysis, and trade proposals with tickets. Sends no
 * orders.
 */
export const routeRequest = defineAgent({
  name: "route_request",
  title: "Route request",
  description:
    "Answers another agent's whole request in one structured result: signals, analysis with evidence, and execution recommendations (ready trades as tickets, none sent), from {task, symbols, context} or text. Use it when an enterprise orchestrator wants everything on its symbols at once, end to end, in one call. One task alone is in run_task, a question in interpret_query, tickets in propose_trade.",
  topics: [
    "a2a route",
    "whole request",
    "everything at once",
    "end-to-end answer",
    "enterprise orchestrator",
    "everything in one call",
  ],
  uses: USES,
  plan: "enterprise",
  route: "POST /api/v1/a2a/requests",
  listed: false,
  http: { aliases: ["/api/v1/a2a/route"] },
  cli: { command: "route" },
  role: "router",
  deadlineMs: 60_000,
  input: z.object({
    task: z.string().trim().min(1).max(64).optional().describe("Task name, as in run_task"),
    symbols: z
      .array(SymbolText)
      .max(MAX_SYMBOLS)
      .optional()
      .describe("Tickers or pairs for the task, at most 20. With text: omit; the text names them."),
    context: TaskContext.optional().describe("Additional input of the task"),
    text: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .optional()
      .describe("The request in plain English, at most 10,000 characters; alternative to task"),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    task: z.string().nullable().describe("Task of the request; null for a request in plain text"),
    symbols: z.array(z.string()).describe("Symbols of the request"),
    summary: z.string(),
    ...Routed,
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    hint: Hint,
    outside_text: z
      .literal(ANALYSIS_OUTSIDE_TEXT)
      .optional()
      .describe("How to treat text written by third parties"),
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

  async run(request, { call, progress, market }) {
    checkRequest(request);
    const { task, context = {}, text, detail = "full" } = request;
    // only proposals use the trade parameters, and without symbols there are no proposals
    const { connection_id, risk_pct, ...taskContext } = context;
    const { symbols, timeframe, answer, notes, results } =
      text === undefined
        ? { ...NO_INTERPRETATION, symbols: request.symbols ?? [] }
        : await call(interpretQuery, { query: text, detail: "concise" });
    const instruments = symbols.slice(0, MAX_SYMBOLS);
    const count = instruments.length;
    const stage = (index: number) => (step: Progress) =>
      progress({ ...step, done: index * count + Math.min(step.done, count), total: 3 * count });
    const taskInput = { task: task ?? "", symbols, context: count === 0 ? context : taskContext, detail };
    const analysis =
      task === undefined
        ? results.map(({ figures, data, ...result }) => ({ ...result, data: data ?? figures }))
        : PROPOSAL_TASKS.includes(task)
          ? []
          : (await call(runTask, taskInput, stage(0))).results;
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
    const series = { symbols: instruments, timeframe: taskContext.timeframe ?? timeframe ?? "1d" };
    const scan = await call(scanSymbols, series, stage(1));
    const trade = { ...(connection_id && { connection_id }), ...(risk_pct && { risk_pct }) };
    const proposed = await call(proposeTrade, { ...series, ...trade }, stage(2));
    // a live ticket was checked by its preview; one on paper may be placed elsewhere. A sale without a stop closes
    const onPaper = proposed.connection.account_type === "paper" ? proposed.proposals : [];
    const orders = onPaper
      .flatMap(({ ticket }) => ticket?.intent ?? [])
      .filter(({ side, stop_loss }) => side === "buy" || stop_loss !== null);
    const checks = await orderCheckNotes(orders.map(plannedOrder), (order) => call(checkOrder, order));
    return {
      ...head,
      summary: answer === null ? proposed.summary : `${answer} ${proposed.summary}`,
      signals: detail === "full" ? scan.results : scan.results.map((row) => conciseRow(row)),
      recommendations: proposed.proposals.map((proposal) => ({ ...proposal, odds: listOdds(proposal.odds) })),
      errors: [
        ...scan.errors.map((error) => ({ part: "signals" as const, ...error })),
        ...proposed.errors.map((error) => ({ part: "recommendations" as const, ...error })),
      ],
      ...withStaleNotes(scan.stale_notes ?? [], [
        ...new Set([...notes, ...splitNotes(scan).others, ...proposed.notes, ...checks]),
      ]),
      hint: null,
    };
  },
});

/** Tasks whose results are the recommendations themselves. */
const PROPOSAL_TASKS: readonly string[] = taskBindings(proposeTrade).map(({ name }) => name);
/** Interpretation of a request without text. */
const NO_INTERPRETATION = { symbols: [], timeframe: null, answer: null, notes: [], results: [] } as const;
const NO_SYMBOLS = "The request names no symbols, so there are no signals and no recommendations.";

/** Throws INVALID_INPUT unless the request has exactly one of task and text, and no symbols with text. */
function checkRequest({ task, text, symbols = [] }: RouteRequest): void {
  const fault = (message: string, hint: string) => new ToolError("INVALID_INPUT", message, { hint });
  if ((task === undefined) === (text === undefined))
    throw fault(
      task === undefined ? "The request has neither task nor text" : "The request has both task and text",
      "Pass either task and symbols, or only text.",
    );
  if (text !== undefined && symbols.length > 0)
    throw fault(
      "symbols cannot be combined with text",
      "Name the symbols in the text, or pass task instead.",
    );
}
