import { z } from "zod";
import { Failure, Iso } from "../answers.ts";
import { Percent, Price, Ratio, Score, Volume } from "../figures.ts";
import { AssetClass, PriceSource } from "../market/market.ts";
import { PlanOdds } from "../odds/odds.ts";
import { ConflictFields } from "../signal/conflicts.ts";
import { Direction, Grade, Tier, TradeLevels } from "../signal/signal.ts";
import { WyckoffPhase } from "../signal/structure.ts";

const Side = z.enum(["LONG", "SHORT"]).describe("Side of the levels, also for WAIT");

/** Structural event highlighted by a scan, dated by its bar. */
export const Highlight = z.object({
  type: z.string().describe("SPRING, UTAD, LPS or LPSY"),
  date: z.string(),
  price: Price,
  status: z.enum(["pending", "confirmed"]),
});
export type Highlight = z.infer<typeof Highlight>;

/** Price change and volume of a row at its close. With detail concise all but change_percent are optional. */
const MoveFields = {
  change: Price.nullable().optional().describe("Close less the close of the bar before"),
  change_percent: Percent.nullable().describe("Percent of the close of the bar before"),
  volume: Volume.nullable().optional().describe("Of the decision bar, as its provider reports it"),
  volume_ratio: Ratio.nullable().optional().describe("Volume over the mean of the 20 bars before"),
  closes: z.array(Price).nullable().optional().describe("Last 30 closes, oldest first; only if included"),
  moves_reason: z.string().nullable().optional().describe("Why change, volume or closes is null"),
};
export type MoveFields = Readonly<z.infer<z.ZodObject<typeof MoveFields>>>;

/** Latest price of a row. */
export const RowQuote = z.object({
  price: Price.nullable().describe("US dollars; null without a current price"),
  change_percent: Percent.nullable().describe("From the previous close, by its provider"),
  price_source: PriceSource.nullable(),
  as_of: Iso.nullable().describe("When that price traded"),
  source: z.string().nullable().describe("Provider of the price; `sample` is simulated"),
  reason: z.string().nullable().describe("Why there is no price"),
});
export type RowQuote = z.infer<typeof RowQuote>;

/** Parts of an answer of the screener that are returned on request. */
export const ScreenExtra = z.enum(["facets", "prices", "closes"]);
export type ScreenExtra = z.infer<typeof ScreenExtra>;

/** Columns whose values a screen filters by and counts. */
export const FACETS = ["tier", "bias", "grade", "stage", "phase", "sector", "asset_class"] as const;
export type Facet = (typeof FACETS)[number];

const FacetCounts = z.array(z.object({ value: z.string().nullable(), count: z.number().int() }));
/** Number of rows per value of each column. */
export const Facets = z.object(
  Object.fromEntries(FACETS.map((facet) => [facet, FacetCounts])) as Record<Facet, typeof FacetCounts>,
);
export type Facets = z.infer<typeof Facets>;

export const ScanRow = z.object({
  symbol: z.string(),
  name: z.string(),
  asset_class: AssetClass,
  tier: Tier,
  bias: Direction,
  score: Score.describe("0-100, 50 neutral"),
  grade: Grade.nullable(),
  ...TradeLevels,
  ...ConflictFields,
  side: Side,
  odds: PlanOdds.nullable().describe("Odds of these levels; null with too few bars"),
  close: Price.describe("Close of the decision bar, no live price"),
  ...MoveFields,
  as_of: z.iso.datetime().describe("When the decision bar closed"),
  phase: WyckoffPhase,
  highlights: z.array(Highlight).describe("Springs, UTADs and last points of support of the range"),
  source: z.string(),
  venue: z.string(),
});
export type ScanRow = z.infer<typeof ScanRow>;

/** Row of the screener for one symbol, from a nightly run. */
export const ScreenRow = z.object({
  symbol: z.string(),
  name: z.string(),
  asset_class: AssetClass,
  sector: z.string().nullable(),
  tier: Tier,
  bias: Direction,
  overallScore: Score.describe("0-100, 50 neutral"),
  grade: Grade.nullable(),
  stage: z.number().int().nullable().describe("Weinstein stage 1-4; null until stage 2 or 4 first occurs"),
  phase: WyckoffPhase,
  highlights: z.array(Highlight).describe("Springs, UTADs and last points of support of the range"),
  wave: z.string().nullable().describe("Elliott label, e.g. Wave 3 of 5; null without a valid count"),
  actionCard: z.object({
    entry: Price,
    stop: Price,
    target: Price,
    rr: Ratio,
    levels_basis: z.enum(["signal", "watch"]).describe("watch: the levels of a WAIT"),
    side: Side,
    odds: PlanOdds.nullable().describe("Odds of these levels; null with too few bars"),
  }),
  ...ConflictFields,
  close: Price.describe("Close of the decision bar, no live price"),
  ...MoveFields,
  quote: RowQuote.optional().describe("Latest price; only if included"),
  as_of: z.iso.datetime().describe("When the decision bar closed"),
  other_day: z
    .string()
    .nullable()
    .optional()
    .describe("Set if the bars end on another day than those of most rows of the kind in its run; else null"),
  source: z.string(),
  venue: z.string(),
});
export type ScreenRow = z.infer<typeof ScreenRow>;

/** Nightly run from which the rows were read. */
export const RunNote = z.object({
  run_id: z.string(),
  universe: z.string(),
  universe_hash: z.string(),
  runAt: z.iso.datetime().nullable().describe("When the run finished; null before"),
  as_of: z.iso.datetime().describe("No later bar was read"),
  bars_as_of: z.iso.datetime().nullable().describe("When the newest bar read closed"),
  members: z.number().int().describe("Members of the asset classes listed"),
  computed: z.number().int().describe("Members computed so far; all of them once the run has finished"),
  failed: z.number().int().describe("Members without a result"),
  unscored: z.number().int().describe("Members with levels but no score, excluded"),
  stale: z.boolean().describe("true: older than 1440 minutes"),
  source: z.string().describe("Provider of the bars"),
});
export type RunNote = z.infer<typeof RunNote>;

export const ScanError = z.object({
  symbol: z.string().describe("Symbol as requested"),
  ...Failure.shape,
  available: z.number().int().nullable().describe("Closed bars available, when too few"),
  required: z.number().int().nullable().describe("Closed bars required for a score, when too few"),
});
export type ScanError = z.infer<typeof ScanError>;
