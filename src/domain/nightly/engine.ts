import { z } from "zod";
import { Ratio, Score } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { AssetClass } from "../market/market.ts";
import { PlanOdds } from "../odds/odds.ts";
import { Direction, Grade, Tier } from "../signal/signal.ts";
import { ElliottBlock, WyckoffBlock, WyckoffEventRow } from "../signal/structure.ts";

const figure = z.number().nullable();

/** Named universes; the market defines their members. */
export const UNIVERSES = ["sp500", "crypto", "all"] as const;
export type UniverseName = (typeof UNIVERSES)[number];

/** Spans of returns, each a number of sessions. */
export const SPANS = ["1d", "5d", "20d", "60d"] as const;
export type Span = (typeof SPANS)[number];

/** Price changes and volume of one symbol up to the close of its decision bar. */
export const RecentMoves = z.object({
  returns: z.object({ "1d": figure, "5d": figure, "20d": figure, "60d": figure }).describe("Percent"),
  volume: figure.describe("Of the decision bar"),
  volume_ratio: figure.describe("Volume over the mean of the 20 sessions before"),
  above_sma_50: z.boolean().nullable().describe("true: the close is above the mean of 50 closes"),
  previous_close: figure.default(null).describe("Close of the bar before; null in runs of earlier versions"),
  closes: z
    .array(z.number())
    .nullable()
    .default(null)
    .describe("Last 30 closes, oldest first; null in runs of earlier versions"),
});
export type RecentMoves = z.infer<typeof RecentMoves>;

/** Structure of a row. Runs of earlier versions stored events without name and side. */
const StoredWyckoff = WyckoffBlock.extend({
  events: z.array(WyckoffEventRow.partial({ name: true, side: true })),
});

/** Result for one symbol, as of the close of its decision bar. */
export const EngineRow = z.object({
  symbol: z.string(),
  name: z.string(),
  asset_class: AssetClass,
  sector: z.string().nullable(),
  as_of: z.iso.datetime().describe("Close time of the decision bar"),
  close: z.number(),
  direction: Direction,
  tier: Tier,
  score: figure,
  grade: Grade.nullable(),
  reason: z.string().nullable(),
  entry: z.number(),
  stop: z.number(),
  targets: z.array(z.number()),
  rr: z.number(),
  levels_basis: z.enum(["signal", "watch"]),
  stage: z.number().int().nullable().describe("Weinstein stage 1-4"),
  ics: z.object({ score: figure, conviction: z.string(), source: z.string() }),
  wyckoff: StoredWyckoff,
  elliott: ElliottBlock,
  model_version: z.string(),
  inputs_hash: z.string(),
  source: z.string(),
  venue: z.string(),
  odds: PlanOdds.nullable()
    .default(null)
    .describe("Odds of the levels over 20 bars; null with too few bars, and in runs of earlier versions"),
  moves: RecentMoves.nullable().default(null).describe("null in runs of earlier versions"),
  early: z
    .literal(true)
    .optional()
    .describe("Computed before all members were read, so without ranks; replaced before the run finishes"),
});
export type EngineRow = z.infer<typeof EngineRow>;

export const RunFailure = z.object({ symbol: z.string(), code: z.string(), message: z.string() });
export type RunFailure = z.infer<typeof RunFailure>;

/** The seven parts of the market index, each 0-100, where 100 is greed; null if its data is missing. */
export const INDEX_PARTS = [
  "momentum",
  "new_highs_lows",
  "volume_breadth",
  "put_call",
  "volatility",
  "safe_haven",
  "risk_appetite",
] as const;
export const IndexPart = z.object({
  part: z.enum(INDEX_PARTS),
  value: Score.nullable().describe("0-100, greed high; null with a reason"),
  reading: Ratio.nullable().describe("Raw value before ranking over 252 days"),
  reason: z.string().nullable(),
});
export type IndexPart = z.infer<typeof IndexPart>;

/** Number of sessions in the history of the index. */
export const INDEX_DAYS = 60;

export const MarketIndexValue = z.object({
  value: Score.nullable().describe("Mean of the available parts; null with fewer than five"),
  band: z.enum(["extreme fear", "fear", "neutral", "greed", "extreme greed"]).nullable(),
  parts: z.array(IndexPart),
  as_of: z.iso.datetime(),
  /** Index of each session up to `as_of`, oldest first. Omitted in runs of an earlier version. */
  history: z.array(Score.nullable()).optional(),
});
export type MarketIndexValue = z.infer<typeof MarketIndexValue>;

/** Metadata of a run over a fixed universe: its data, time and provider. */
export const RunHead = z.object({
  run_id: z.string(),
  universe: z.string().describe("sp500, crypto, all, or the name of a file"),
  members: z.array(z.string()),
  universe_hash: z.string(),
  timeframe: Timeframe,
  as_of: z.iso.datetime().describe("No later bar was read"),
  started_at: z.iso.datetime(),
  model_version: z.string(),
  content: z
    .string()
    .nullable()
    .describe("Identifies the data read, for a market whose data may change; otherwise null"),
});
export type RunHead = z.infer<typeof RunHead>;

/** A run with its results, all of them once it is finished. */
export interface EngineRun extends RunHead {
  /** Finish time, ISO 8601 UTC; null before. */
  readonly runAt: string | null;
  readonly rows: readonly EngineRow[];
  readonly failures: readonly RunFailure[];
  /** Market index of the day of the run; null for a universe without stocks. */
  readonly index: MarketIndexValue | null;
}
