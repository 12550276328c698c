import { z } from "zod";
import { intBetween, MarketMode, NextCursor, Success, timeRange } from "../src/domain/answers.ts";
import { MarketTide } from "../src/domain/options-flow/tide.ts";
import { nextPageLine } from "../src/domain/terminal.ts";
import { formatTide } from "../src/features/options-flow/tide.text.ts";
import { readMarketTide } from "../src/features/options-flow/tide.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the direction of market-wide options flow by put/call ratios. */
export const getMarketTide = defineTool({
  name: "get_market_tide",
  title: "Get market tide",
  description:
    "Returns the tide of the options market by day: aggregate options flow, premium (null without a trade feed), put/call ratio of all stocks, funds and indices, the trend, and a direction (BULLISH, BEARISH, NEUTRAL). Use it for options sentiment of the whole market today, not any one stock: whether options traders lean to calls or puts, risk-on or defensive. One symbol is in get_options_flow.",
  topics: [
    "tide",
    "market tide",
    "market put/call ratio",
    "put/call ratio trend",
    "whole options market",
    "options sentiment",
    "flow direction",
  ],
  toolset: "flow",
  plan: "individual",
  effect: "read",
  route: "GET /api/options-flow/tide",
  cli: { command: "tide" },
  needs: ["putCalls", "chains", "flowTape", "symbols", "clock", "market"],
  input: z.object({
    days: intBetween(1, 252)
      .optional()
      .describe("Number of days of ratios to return, 1-252, newest first. Default: 20, or 252 with from."),
    ...timeRange("day"),
  }),
  output: z.object({
    ok: Success,
    ...MarketTide.shape,
    next_cursor: NextCursor,
    market: MarketMode,
  }),
  examples: [
    { ask: "Are traders buying protection?", input: {} },
    { ask: "Put/call ratios of the last week", input: { days: 5 } },
  ],
  terminal: (tide, paint) => [formatTide(tide, paint), ...nextPageLine(tide.next_cursor, paint)].join("\n"),

  async handler(input, ctx) {
    const tide = await readMarketTide({ ...input, signal: ctx.signal }, ctx);
    return { ...tide, market: ctx.market.mode };
  },
});
