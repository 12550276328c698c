import { z } from "zod";
import { Detail, Named, named } from "../src/domain/answers.ts";
import { TIMEFRAMES, Timeframe } from "../src/domain/bars.ts";
import { MOST_SYMBOLS, TaskResult } from "../src/domain/task.ts";
import { ToolError } from "../src/kernel/errors.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";
import { mentionsIn, timeframeIn, unservedIn } from "../src/signals/mentions.ts";
import { taskLines } from "../src/signals/terminal.ts";

/** The signals of whatever a sentence names; how it was read stands beside them. */
export const interpretQuery = defineTool({
  name: "interpret_query",
  title: "Interpret query",
  description:
    "Reads a question in plain words, such as 'What is the signal on Apple?', finds the tickers, pairs and company or token names in it, and answers with their signals. Use when the symbols are not known as such. When they are, use get_signal for one and run_task for several; to look up one name only, resolve_symbol.",
  toolset: "agents",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/interpret",
  interprets: "query",
  needs: ["symbols", "tasks", "market"],
  input: z.object({
    query: z.string().trim().min(1).max(500).describe("The question, in English"),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    request_id: z.uuid(),
    query: z.string().describe("As it was sent"),
    market: z.enum(["sample", "files", "live"]),
    timeframe: Timeframe.nullable().describe("Bar length the question named; daily where it named none"),
    symbols: z.array(Named.extend({ text: z.string().describe("The words that named it") })),
    results: z.array(TaskResult).describe("One for each symbol, in the order named"),
    failed: z.number().int().describe("How many of them have an error instead of an answer"),
  }),
  examples: [
    { ask: "What is the signal on Apple?", input: { query: "What is the signal on Apple?" } },
    {
      ask: "Compare $NVDA with bitcoin on the daily chart",
      input: { query: "Compare $NVDA with bitcoin on the daily chart" },
    },
  ],
  terminal: taskLines,

  async handler({ query, detail }, ctx) {
    const mentions = mentionsIn(query, ctx.symbols);
    const timeframe = timeframeIn(query);
    const unserved = unservedIn(query);
    if (unserved !== undefined)
      throw new ToolError("INVALID_INPUT", `There are no bars of the length "${plainText(unserved, 20)}"`, {
        hint: `Bar lengths: ${TIMEFRAMES.join(", ")}.`,
      });
    if (mentions.length === 0)
      throw new ToolError("INVALID_INPUT", "No ticker, pair, company or token was found in the query", {
        hint: "Name one, such as AAPL, $F, BTC-USD or Apple; resolve_symbol says what a name means.",
      });
    if (mentions.length > MOST_SYMBOLS)
      throw new ToolError("INVALID_INPUT", `The query names more than ${MOST_SYMBOLS} symbols`, {
        hint: "Ask for fewer at once.",
      });
    const results = await ctx.tasks.run(
      {
        task: "signal_analysis",
        symbols: mentions.map(({ instrument }) => instrument.symbol),
        ...(timeframe && { timeframe }),
        ...(detail && { detail }),
      },
      ctx,
    );
    return {
      ok: true as const,
      request_id: ctx.requestId,
      query,
      market: ctx.market.mode,
      timeframe: timeframe ?? null,
      symbols: mentions.map(({ text, instrument }) => ({ text, ...named(instrument) })),
      results: [...results],
      failed: results.filter(({ error }) => error !== null).length,
    };
  },
});
