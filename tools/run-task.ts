import { z } from "zod";
import { Detail, MarketMode, Success, SymbolText } from "../src/domain/answers.ts";
import {
  holdsOutsideText,
  MAX_SYMBOLS,
  RESULT_OUTSIDE_TEXT,
  TaskContext,
  TaskResult,
} from "../src/domain/requests/task.ts";
import { formatTask } from "../src/features/signal/signal.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Runs a named task for several symbols with the tool that declares it. */
export const runTask = defineTool({
  name: "run_task",
  title: "Run task",
  description:
    "Routes a task by its name to the skill that serves it, for a batch of up to 20 symbols: signal_analysis, scan, edge_detection, earnings, portfolio_review or trade_proposal (stores tickets, needs the write scope). Use it to execute, submit or delegate a named task or job ({task, symbols}) and the router chooses the skill. One symbol is in get_signal, a question in interpret_query.",
  topics: ["a2a", "agent-to-agent", "named task", "task router", "signal analysis task"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  listed: false,
  route: "POST /api/v1/a2a",
  cli: { command: "task" },
  role: "dispatcher",
  deadlineMs: 60_000,
  needs: ["tasks", "market"],
  input: z.object({
    task: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .describe(
        "signal_analysis, scan, edge_detection, earnings, portfolio_review or trade_proposal; other names are rejected",
      ),
    symbols: z
      .array(SymbolText)
      .max(MAX_SYMBOLS)
      .optional()
      .describe("At most 20 tickers or pairs; portfolio_review takes none"),
    context: TaskContext.optional().describe("Additional input of the task"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    request_id: z.uuid(),
    task: z.string(),
    market: MarketMode,
    results: z
      .array(TaskResult)
      .describe(
        "One result per symbol, in the order requested; one result in all for scan, portfolio_review and trade_proposal",
      ),
    failed: z.number().int().describe("Number of results with an error"),
    outside_text: z.literal(RESULT_OUTSIDE_TEXT).optional().describe("How to treat text written by others"),
  }),
  examples: [
    {
      ask: "Analyse Apple and bitcoin on daily bars",
      input: { task: "signal_analysis", symbols: ["AAPL", "BTC-USD"], context: { timeframe: "1d" } },
    },
    { ask: "Action card of Nvidia", input: { task: "signal_analysis", symbols: ["NVDA"] } },
    { ask: "Scan Apple, Nvidia and bitcoin", input: { task: "scan", symbols: ["AAPL", "NVDA", "BTC-USD"] } },
    {
      ask: "Do news and prediction markets disagree on bitcoin?",
      input: { task: "edge_detection", symbols: ["BTC-USD"] },
    },
    {
      ask: "Earnings of Apple and Microsoft as one task",
      input: { task: "earnings", symbols: ["AAPL", "MSFT"] },
    },
    { ask: "Review my portfolio as a task", input: { task: "portfolio_review" } },
    {
      ask: "Propose a trade in Apple as a task",
      input: { task: "trade_proposal", symbols: ["AAPL"], context: { risk_pct: "0.5" } },
    },
  ],
  terminal: formatTask,

  async handler({ task, symbols = [], context = {}, detail }, ctx) {
    const request = { task, symbols, context, ...(detail && { detail }) };
    const results = await ctx.tasks.run(request, ctx);
    return {
      request_id: ctx.requestId,
      task,
      market: ctx.market.mode,
      results,
      failed: results.filter(({ error }) => error !== null).length,
      ...(holdsOutsideText(results) && { outside_text: RESULT_OUTSIDE_TEXT }),
    };
  },
});
