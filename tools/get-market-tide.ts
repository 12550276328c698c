import { z } from "zod";
import { MarketTide } from "../src/domain/options-flow/tide.ts";
import { formatTide } from "../src/features/options-flow/tide.text.ts";
import { readMarketTide } from "../src/features/options-flow/tide.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Which way option flow of the whole market leans, by put/call ratios. */
export const getMarketTide = defineTool({
  name: "get_market_tide",
  title: "Get market tide",
  description:
    "Tide of the whole US options market by day: aggregate options flow of calls and puts, put/call ratios of all products, stocks, funds and indices, the trend, and whether money leans to calls or puts: BULLISH, BEARISH or NEUTRAL, risk-on or risk-off; index funds as a labelled proxy; net premium only where a tape of trades is connected, else null. Use it for options traders in general, not any one stock, overall, market-wide or across the whole market in the session: the put/call ratio, total premium, sentiment, hedging, protection. One symbol is in get_options_flow, mood in get_signal_index.",
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/options-flow/tide",
  cli: { command: "tide" },
  needs: ["putCalls", "chains", "flowTape", "symbols", "clock", "market"],
  input: z.object({
    days: z
      .number()
      .int()
      .min(1)
      .max(252)
      .default(20)
      .describe("Days of ratios to list, 1-252, newest first"),
  }),
  output: z.object({
    ok: z.literal(true),
    ...MarketTide.shape,
    market: z.enum(["sample", "files", "live"]),
  }),
  examples: [
    { ask: "Are traders buying protection?", input: {} },
    { ask: "Put/call ratios of the last week", input: { days: 5 } },
  ],
  terminal: formatTide,

  async handler({ days }, ctx) {
    const tide = await readMarketTide({ days, signal: ctx.signal }, ctx);
    return { ok: true as const, ...tide, market: ctx.market.mode };
  },
});
