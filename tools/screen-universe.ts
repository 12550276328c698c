import { z } from "zod";
import {
  Detail,
  intBetween,
  listOf,
  MarketMode,
  NextCursor,
  StaleNotes,
  Success,
} from "../src/domain/answers.ts";
import { AssetClass } from "../src/domain/market/market.ts";
import { Facets, RunNote, ScreenExtra, ScreenRow } from "../src/domain/nightly/scan.ts";
import { joinedBy, ofKind } from "../src/domain/recognisers/field-kinds.ts";
import { SectorText } from "../src/domain/recognisers/sector-text.ts";
import { DirectionText, GradeFilter, Tier } from "../src/domain/signal/signal.ts";
import { WyckoffPhase } from "../src/domain/signal/structure.ts";
import { TEXT_FORM } from "../src/domain/text-form.ts";
import { conciseRow } from "../src/features/nightly/move-fields.ts";
import { screenRuns, waitForRuns } from "../src/features/nightly/screen.ts";
import { ORDERS, SORTS } from "../src/features/nightly/screen-order.ts";
import { formatScreen } from "../src/features/signal/lists.text.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Returns the newest nightly run as a filtered and sorted list. */
export const screenUniverse = defineTool({
  name: "screen_universe",
  title: "Screen the universe",
  description:
    "Screens the universe of US stocks, funds and tokens: filters the newest nightly run by grade, bias (bullish or bearish), tier, Weinstein stage, Wyckoff phase or accumulation, score (over 80), sector or asset class. Use it for ideas with no tickers in mind: all tokens or names of a sector with a top grade, stage 2 companies, the top ten setups. Chosen symbols are in scan_symbols.",
  topics: [
    "stock screener",
    "oversold stocks",
    "overbought stocks",
    "rsi below",
    "near 52-week high",
    "stocks with grade a",
    "best setups",
    "stage 2",
    "wyckoff accumulation",
    "bullish stocks",
    "bearish stocks",
    "bias",
    "hot tier",
    "stock ideas",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "GET /api/v1/screener",
  cli: { command: "screen" },
  view: { name: "screener" },
  needs: ["engineRuns", "symbols", "bars", "quotes", "clock", "market", "trackRecord"],
  input: z.object({
    tier: listOf(Tier, {
      description: "Tier",
      form: "HOT, WATCH or NEUTRAL; several: HOT,WATCH",
    }).optional(),
    bias: listOf(DirectionText, { description: "Direction", form: "LONG, SHORT or WAIT" }).optional(),
    grade: listOf(GradeFilter, {
      description: ">=B: that or better",
      form: ">=B: that or better",
    }).optional(),
    stage: listOf(intBetween(1, 4), {
      description: "Weinstein stage",
      form: "1 to 4",
    }).optional(),
    phase: listOf(WyckoffPhase, {
      description: "Wyckoff phase",
      form: "Accumulation, Markup, Reaccumulation, Distribution, Markdown or Redistribution",
    }).optional(),
    min_score: z.number().min(0).max(100).optional().describe("Minimum score"),
    sector: listOf(SectorText, { description: "GICS sector", form: "GICS sector" }).optional(),
    asset_class: listOf(AssetClass, {
      description: "Asset class",
      form: "equity, etf or crypto",
    }).optional(),
    rules: joinedBy(z.string().trim().min(1).max(600), " and ")
      .optional()
      .describe("`rsi(14) < 30 and odds(target1) > 0.4`"),
    sort: z
      .enum(SORTS)
      .default("score")
      .describe("setup: WAIT last")
      .meta({ [TEXT_FORM]: "score (default), setup, rr, odds, change_percent or any column" }),
    order: z
      .enum(ORDERS)
      .optional()
      .describe("Default: best first")
      .meta({ [TEXT_FORM]: "asc or desc" }),
    include: listOf(ScreenExtra, {
      description: "facets: rows by value; prices: latest; closes: last 30",
      form: "facets (counts), prices, closes",
    }).optional(),
    limit: intBetween(1, 100).default(20).describe("Rows"),
    cursor: ofKind(z.string().max(300), "cursor").optional().describe("Last next_cursor"),
    detail: Detail.describe("MCP: concise"),
  }),
  output: z.object({
    ok: Success,
    results: z.array(ScreenRow),
    total: z.number().int().describe("Number of results on all pages"),
    facets: Facets.optional().describe(
      "Rows by value, of those that pass all other filters; null: rows without a value",
    ),
    universe: z.string(),
    runs: z.array(RunNote).describe("Runs that the results come from"),
    next_cursor: NextCursor,
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    market: MarketMode,
  }),
  examples: [
    { ask: "What are the ten best setups now?", input: { limit: 10, sort: "setup" } },
    {
      ask: "Which stocks are in stage 2 with a long bias?",
      input: { stage: [2], bias: ["LONG"], asset_class: ["equity"] },
    },
    {
      ask: "Which names of grade B or better are oversold by RSI?",
      input: { rules: "rsi(14) < 35 and grade >= B" },
    },
  ],
  terminal: formatScreen,

  ready: ({ asset_class }, ports, signal) => waitForRuns(ports, signal, asset_class),

  async handler({ sort, order, limit, cursor, include, detail, ...filters }, ctx) {
    const { rows, next, ...screen } = await screenRuns({ filters, sort, order, limit, cursor, include }, ctx);
    const results = detail === "concise" ? rows.map((row) => conciseRow(row, sort)) : rows;
    return { ...screen, results, next_cursor: next, market: ctx.market.mode };
  },
});
