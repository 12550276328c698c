import { z } from "zod";
import { Detail, SymbolText } from "../src/domain/answers.ts";
import { Timeframe } from "../src/domain/bars.ts";
import { MOST_SYMBOLS, TaskResult } from "../src/domain/task.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { taskLines } from "../src/signals/terminal.ts";

/** A named task for several symbols at once; whichever tool declares the task answers it. */
export const runTask = defineTool({
  name: "run_task",
  title: "Run task",
  description:
    "Routes a task by its name to the skill that serves it, for up to 20 symbols: signal_analysis answers each symbol's action card with levels, smart-money conviction (ICS) and Wyckoff block. Use it when an orchestrator or another agent submits, delegates or hands over a named task or job ({task, symbols}) for a batch and lets the router choose the skill. A ranking is in scan_symbols, one symbol in get_signal, a question in plain words in interpret_query.",
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/a2a",
  command: "task",
  needs: ["tasks", "market"],
  input: z.object({
    task: z.string().trim().min(1).max(64).describe("Name of the task, e.g. signal_analysis"),
    symbols: z.array(SymbolText).min(1).max(MOST_SYMBOLS).describe("Tickers or pairs, 20 at most"),
    context: z
      .strictObject({ timeframe: Timeframe.optional() })
      .optional()
      .describe("What the task is about besides its symbols"),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    request_id: z.uuid(),
    task: z.string(),
    market: z.enum(["sample", "files", "live"]),
    results: z.array(TaskResult).describe("One for each symbol, in the order asked"),
    failed: z.number().int().describe("How many of them have an error instead of an answer"),
  }),
  examples: [
    {
      ask: "Analyse Apple and bitcoin on daily bars",
      input: { task: "signal_analysis", symbols: ["AAPL", "BTC-USD"], context: { timeframe: "1d" } },
    },
    { ask: "Action card of Nvidia", input: { task: "signal_analysis", symbols: ["NVDA"] } },
  ],
  terminal: taskLines,

  async handler({ task, symbols, context = {}, detail }, ctx) {
    const { timeframe } = context;
    const asked = { task, symbols, ...(timeframe && { timeframe }), ...(detail && { detail }) };
    const results = await ctx.tasks.run(asked, ctx);
    return {
      ok: true as const,
      request_id: ctx.requestId,
      task,
      market: ctx.market.mode,
      results: [...results],
      failed: results.filter(({ error }) => error !== null).length,
    };
  },
});
