import { z } from "zod";
import { Detail, MarketMode, Named, named, Success } from "../src/domain/answers.ts";
import { Timeframe } from "../src/domain/market/bars.ts";
import { QuestionIntent, SkillResult } from "../src/domain/requests/interpretation.ts";
import { formatInterpretation } from "../src/features/requests/lines.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { plainText } from "../src/lib/plain-text.ts";

const MAX_QUERY_LENGTH = 10_000;
const MAX_ECHO_LENGTH = 120;

/** Answers a question in plain words: returns its symbols, its intent, and the answer in words and figures. */
export const interpretQuery = defineTool({
  name: "interpret_query",
  title: "Interpret query",
  description:
    "Answers a question in plain words: parses the text that a customer wrote, picks out the tickers, companies and tokens it mentions, works out what is meant (signal, compare, scan, news, odds, definition) and responds in a few sentences with live signals. Use it for free, natural-language text of a chat. A known symbol is in get_signal, one name in resolve_symbol.",
  topics: ["natural language", "plain language", "free text", "parse this sentence", "customer's question"],
  toolset: "agents",
  plan: "pro",
  effect: "read",
  listed: false,
  route: "POST /api/v1/interpret",
  cli: { command: "ask", everyday: "Answers a question in plain words." },
  role: "interpreter",
  needs: ["symbols", "tasks", "market", "queryHelp", "toolSearch", "clock"],
  input: z.object({
    query: z
      .string()
      .trim()
      .min(1, "is empty; ask something, such as 'What is the signal on Apple?'")
      .max(MAX_QUERY_LENGTH, `has more than ${MAX_QUERY_LENGTH} characters; shorten it`)
      .describe("The question, in English"),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    request_id: z.uuid(),
    query: z
      .string()
      .describe(`Query as sent; with detail concise only its first ${MAX_ECHO_LENGTH} characters`),
    market: MarketMode,
    intent: QuestionIntent,
    timeframe: Timeframe.nullable().describe(
      "Timeframe named in the question; null: none, so daily bars are used",
    ),
    symbols: z.array(z.string()).describe("Canonical, in order of mention"),
    mentions: z.array(Named.extend({ text: z.string().describe("Words that name it") })),
    results: z.array(SkillResult).describe("The signal of each symbol, then the other results requested"),
    unresolved: z.array(z.string()).describe("Words that name an unknown instrument"),
    notes: z.array(z.string()),
    answer: z.string().describe("Plain-language answer written from the figures of the results"),
  }),
  examples: [
    { ask: "What is the signal on Apple?", input: { query: "What is the signal on Apple?" } },
    {
      ask: "Compare $NVDA with bitcoin on the daily chart",
      input: { query: "Compare $NVDA with bitcoin on the daily chart" },
    },
  ],
  terminal: formatInterpretation,

  async handler({ query, detail = "full" }, ctx) {
    // loaded on the first question: its patterns take longer to build than most commands run
    const { interpretationOf } = await import("../src/features/requests/interpret.ts");
    const request = { query, detail, self: "interpret_query" };
    const { mentions, ...understood } = await interpretationOf(request, ctx);
    return {
      request_id: ctx.requestId,
      query: detail === "full" ? query : plainText(query, MAX_ECHO_LENGTH),
      market: ctx.market.mode,
      ...understood,
      symbols: mentions.map(({ instrument }) => instrument.symbol),
      mentions: mentions.map(({ text, instrument }) => ({ text, ...named(instrument) })),
    };
  },
});
