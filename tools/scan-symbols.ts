import { z } from "zod";
import { WatchlistName } from "../src/domain/alerts/alerts.ts";
import { listOf, MarketMode, StaleNotes, Success, symbolList } from "../src/domain/answers.ts";
import { shownScore } from "../src/domain/figures.ts";
import { Timeframe, TimeframeText } from "../src/domain/market/bars.ts";
import { ScanError, ScanRow } from "../src/domain/nightly/scan.ts";
import { MAX_SYMBOLS } from "../src/domain/requests/task.ts";
import { GradeFilter, passesGrade, Tier } from "../src/domain/signal/signal.ts";
import { givenSymbols } from "../src/features/alerts/watchlist-symbols.ts";
import { runScan } from "../src/features/nightly/scan.ts";
import { formatScan } from "../src/features/signal/lists.text.ts";
import { staleRowNotes, withStaleNotes } from "../src/features/signal/notes.ts";
import { PICTURE_PORTS } from "../src/features/signal/picture.ts";
import { recordNotes } from "../src/features/signal/record-notes.ts";
import { defineTool } from "../src/kernel/tool.ts";

/** Ranks the signals of up to 20 symbols; lists failed symbols separately. */
export const scanSymbols = defineTool({
  name: "scan_symbols",
  title: "Scan symbols",
  description:
    "Ranks up to 20 symbols by signal strength, strongest to weakest: tier, bias, score, levels, Wyckoff events. Use it to compare, rank, sort or order a list, portfolio or watchlist of tickers or coins by score or by how good the setup is, best to worst, or for which one looks strongest right now. The whole universe is in screen_universe, one symbol in get_signal.",
  topics: [
    "scanner",
    "scan my watchlist",
    "rank these",
    "rank my watchlist",
    "compare stocks",
    "which is strongest",
    "best to worst",
    "leaderboard",
  ],
  toolset: "signal",
  plan: "pro",
  effect: "read",
  route: "POST /api/v1/scan",
  cli: {
    command: "scan",
    everyday: "Ranks symbols by the strength of their signals.",
    positionals: ["symbols"],
  },
  view: { name: "screener" },
  needs: [...PICTURE_PORTS, "signalLog", "earnings", "marketDays", "watchlists", "answers", "trackRecord"],
  input: z.object({
    symbols: symbolList(MAX_SYMBOLS).optional().describe("At most 20 tickers or pairs"),
    watchlist: WatchlistName.optional().describe("Saved list, added to symbols"),
    tier: listOf(Tier, { description: "Tier", form: "HOT, WATCH or NEUTRAL; several: HOT,WATCH" }).optional(),
    grade: listOf(GradeFilter, {
      description: ">=B: that or better",
      form: ">=B: that or better",
    }).optional(),
    min_score: z.number().min(0).max(100).optional().describe("Minimum score"),
    timeframe: TimeframeText.default("1d"),
    include: listOf(z.literal("closes"), {
      description: "closes: last 30",
      form: "closes: last 30",
    }).optional(),
  }),
  output: z.object({
    ok: Success,
    results: z.array(ScanRow).describe("Strongest score first"),
    count: z.number().int().describe("Results returned"),
    scanned: z.number().int().describe("Number of distinct instruments requested"),
    errors: z.array(ScanError).describe("Symbols without a result, and why"),
    notes: z.array(z.string()),
    stale_notes: StaleNotes,
    timeframe: Timeframe,
    market: MarketMode,
  }),
  examples: [
    {
      ask: "Which is stronger, Apple or Nvidia?",
      input: { symbols: ["AAPL", "NVDA"] },
    },
    {
      ask: "Are any of these coins hot on four-hour bars?",
      input: { symbols: ["BTC-USD", "ETH-USD"], tier: ["HOT"], timeframe: "4h" },
    },
  ],
  tasks: [{ name: "scan", symbols: "all", field: "symbols" }],
  terminal: formatScan,

  async handler({ tier, grade, min_score, timeframe, include, ...subject }, ctx) {
    const { signal, progress, watchlists } = ctx;
    const options = { max: MAX_SYMBOLS, watchlists };
    const { symbols, notes } = await givenSymbols(ctx.principal.account, subject, options);
    const { rows, errors, repeated, notesOn } = await runScan(
      { symbols, timeframe, signal, progress, withCloses: include?.includes("closes") ?? false },
      ctx,
    );
    const results = rows.filter(
      (row) =>
        (tier === undefined || tier.length === 0 || tier.includes(row.tier)) &&
        (grade === undefined || grade.length === 0 || grade.some((one) => passesGrade(one, row.grade))) &&
        (min_score === undefined || shownScore(row.score) >= min_score),
    );
    return {
      results,
      count: results.length,
      scanned: rows.length + errors.length,
      errors,
      ...withStaleNotes(staleRowNotes(results, { at: ctx.clock.now().getTime(), timeframe }), [
        ...recordNotes(results, await ctx.trackRecord.published(timeframe)),
        ...notes,
        ...repeated.map((name) => `${name} is a duplicate of an earlier symbol`),
        ...results.flatMap(({ symbol }) => notesOn(symbol).map((note) => `${symbol}: ${note}`)),
      ]),
      timeframe,
      market: ctx.market.mode,
    };
  },
});
