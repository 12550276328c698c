import { z } from "zod";
import { AsOf, Detail, Success, SymbolText } from "../src/domain/answers.ts";
import { EventRisk } from "../src/domain/earnings/calendar.ts";
import { TimeframeText } from "../src/domain/market/bars.ts";
import { SignalExplanation } from "../src/domain/signal/explanation.ts";
import { startEventRisk } from "../src/features/earnings/event-risk.ts";
import { explainPicture } from "../src/features/signal/explain-task.ts";
import { explanationOf } from "../src/features/signal/explanation.ts";
import { explainOdds } from "../src/features/signal/odds-explanation.ts";
import { PICTURE_PORTS, pictureOf } from "../src/features/signal/picture.ts";
import { formatExplanation } from "../src/features/signal/signal.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Explains a signal: value, weight and inputs of every driver, and the prices that change the verdict. */
export const explainSignal = defineTool({
  name: "explain_signal",
  title: "Explain signal",
  description:
    "Explains why a signal came out as it did: the reasons behind the call, the score broken down by 29 drivers, the verdict without each, and the nearest prices that would flip it. Use it for the grounds or reasoning behind a rating, grade or verdict to buy, hold or wait, which factors drove a bullish or bearish call, or what would flip it. The verdict alone is in get_signal.",
  topics: [
    "signal drivers",
    "29 drivers",
    "score breakdown",
    "reasons behind",
    "why the signal",
    "why this grade",
    "what would flip",
    "flip price",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/explain/:symbol",
  cli: { command: "explain", everyday: "Shows why a signal is what it is, and what would change it." },
  view: { name: "explain", calls: ["explain_signal"] },
  needs: [...PICTURE_PORTS, "earnings", "marketDays", "answers"],
  input: z.object({
    symbol: SymbolText,
    timeframe: TimeframeText.default("1d"),
    as_of: AsOf.optional(),
    detail: Detail,
  }),
  output: z.object({
    ok: Success,
    ...SignalExplanation.shape,
    event_risk: EventRisk,
  }),
  examples: [
    { ask: "Why is the signal on Microsoft what it is?", input: { symbol: "MSFT" } },
    { ask: "At what price does the verdict on ether change?", input: { symbol: "ETH-USD", detail: "full" } },
  ],
  terminal: formatExplanation,

  async handler({ symbol, timeframe, as_of, detail }, ctx) {
    const ahead = startEventRisk({ symbol, as_of, signal: ctx.signal }, ctx);
    const picture = await pictureOf({ symbol, timeframe, as_of, signal: ctx.signal }, ctx);
    const full = detail === "full";
    const [explanation, odds] = await Promise.all([
      explainPicture(picture, ctx),
      explainOdds(picture, { full, signal: ctx.signal }, ctx),
    ]);
    return {
      ...explanationOf(picture, explanation, { now: ctx.clock.now(), full }),
      ...odds,
      event_risk: await ahead(picture),
    };
  },
});
