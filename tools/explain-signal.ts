import { z } from "zod";
import { AsOf, Detail, Iso, SymbolText } from "../src/domain/answers.ts";
import { Timeframe } from "../src/domain/bars.ts";
import { EventRisk } from "../src/domain/calendar.ts";
import { Direction, Grade } from "../src/domain/signal.ts";
import { defineTool } from "../src/kernel/tool.ts";
import { eventRiskBeside } from "../src/signals/earnings/event-risk.ts";
import { explanationOf } from "../src/signals/explanation.ts";
import { PICTURE_NEEDS, pictureOf } from "../src/signals/picture.ts";
import { explanationLines } from "../src/signals/terminal.ts";

const figure = z.number().nullable();

/** Takes a signal apart: every driver's value, weight and inputs, what hangs on it, and the price that turns the verdict. */
export const explainSignal = defineTool({
  name: "explain_signal",
  title: "Explain signal",
  description:
    "Why get_signal says what it says: each of the 29 drivers with value, weight, contribution, inputs, age, source and the verdict without it, plus the nearest price at which the direction flips. Use for 'why', 'what would change it', audits and replays. For the verdict alone use get_signal.",
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/explain/:symbol",
  needs: [...PICTURE_NEEDS, "earnings", "marketDays"],
  input: z.object({
    symbol: SymbolText,
    timeframe: Timeframe.default("1d"),
    as_of: AsOf.optional(),
    detail: Detail,
  }),
  output: z.object({
    ok: z.literal(true),
    symbol: z.string(),
    timeframe: Timeframe,
    direction: Direction,
    score: figure.describe("50 + 50 x the sum, clipped to 0-100"),
    grade: Grade.nullable(),
    reason: z.string().nullable().describe("Why the direction is WAIT"),
    notes: z.array(z.string()).describe("What to know before using it, such as old bars"),
    sum: figure.describe("Of all contributions, before clipping to -1 .. 1"),
    groups: z.array(
      z.object({
        group: z.string(),
        value: figure.describe("Mean of its drivers; null when under half of them are present"),
        weight: z.number().describe("Share of the whole model"),
        effective_weight: z.number().describe("What its mean is multiplied by here"),
        present: z.number().int(),
        of: z.number().int(),
      }),
    ),
    drivers: z.array(
      z.object({
        id: z.string(),
        group: z.string(),
        value: figure.describe("-1 to 1"),
        weight: z.number(),
        contribution: figure.describe("weight x value"),
        in_words: z.string().nullable().describe("What it saw; null without a value"),
        reason: z.string().nullable().describe("Why it has no value"),
        source: z.string().optional().describe("Whose idea the driver is"),
        inputs: z
          .record(z.string(), z.union([z.number(), z.string(), z.null()]))
          .optional()
          .describe("What it was computed from"),
        data_as_of: Iso.nullable().optional(),
        age_seconds: figure.optional().describe("From its newest datum to the moment of the answer"),
        without: z
          .object({ score: figure, grade: Grade.nullable(), direction: Direction })
          .optional()
          .describe("The verdict without this driver"),
      }),
    ),
    flip: z
      .object({
        price: figure.describe("Nearest close that changes the direction; null when none lies in the range"),
        direction: Direction.nullable(),
        change_percent: figure.describe("From the close of the decision bar"),
        searched_low: figure,
        searched_high: figure,
      })
      .describe("Had the decision bar closed there instead"),
    event_risk: EventRisk,
    model_version: z.string(),
    inputs_hash: z.string(),
    source: z.string().describe("Provider of the bars; `sample` is simulated"),
    venue: z.string(),
    data_as_of: Iso.describe("When the decision bar closed; nothing later was read"),
  }),
  examples: [
    { ask: "Why is the signal on Microsoft what it is?", input: { symbol: "MSFT" } },
    { ask: "At what price does the verdict on ether change?", input: { symbol: "ETH-USD", detail: "full" } },
  ],
  terminal: explanationLines,

  async handler({ symbol, timeframe, as_of, detail }, ctx) {
    const ahead = eventRiskBeside({ symbol, as_of, signal: ctx.signal }, ctx);
    const picture = await pictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    return {
      ok: true as const,
      ...explanationOf(picture, { now: ctx.clock.now(), full: detail === "full", past: as_of !== undefined }),
      event_risk: await ahead(picture),
    };
  },
});
