import { z } from "zod";
import { DriverFigure, Odds, Price, Ratio, RMultiple, Score } from "../figures.ts";
import { Timeframe } from "../market/bars.ts";
import { SignalOdds } from "../odds/odds.ts";

export const Direction = z.enum(["LONG", "SHORT", "WAIT"]);

/** Words that people use for a direction. */
const DIRECTION_WORDS: ReadonlyMap<unknown, z.infer<typeof Direction>> = new Map([
  ["buy", "LONG"],
  ["bullish", "LONG"],
  ["sell", "SHORT"],
  ["bearish", "SHORT"],
  ["neutral", "WAIT"],
  ["hold", "WAIT"],
]);

const directionOf = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  return DIRECTION_WORDS.get(word) ?? Direction.options.find((one) => one.toLowerCase() === word) ?? value;
};
/** Direction as a caller writes it, in any case: `long`, `BUY`, `bearish`. */
export const DirectionText = z.preprocess(directionOf, Direction);
/** Side as a caller writes it: a direction that is no WAIT. */
export const SideText = z.preprocess(directionOf, Direction.exclude(["WAIT"]));
export const Grade = z
  .enum(["A+", "A", "A-", "B+", "B", "B-", "C+", "C", "C-", "D+", "D", "D-", "F"])
  .describe("Attractiveness of the long side, A+ best");
/** Filter by grade: exactly one, or `>=B` for that grade and better ones. */
export const GradeFilter = z
  .string()
  .toUpperCase()
  .regex(/^(>=)?([A-D][+-]?|F)$/, {
    error: "must be a grade, such as A- or F, or >=B for B and better ones",
  });
type GradeFilter = z.infer<typeof GradeFilter>;

/** Returns true if a grade passes a filter; a missing grade passes none. */
export function passesGrade(filter: GradeFilter, grade: z.infer<typeof Grade> | null): boolean {
  if (grade === null) return false;
  const rank = (name: string) => (Grade.options as readonly string[]).indexOf(name);
  return filter.startsWith(">=") ? rank(grade) <= rank(filter.slice(2)) : grade === filter;
}

export const Tier = z.enum(["HOT", "WATCH", "NEUTRAL"]);

const scale = Score.nullable().describe("0-100, 50 neutral; null when its data is missing");

/** Smart-money conviction, based on off-exchange prints. */
export const Conviction = z.object({
  currentScore: Score.nullable().describe("0-100; null with reason"),
  conviction: z.enum(["STRONG", "HIGH", "NEUTRAL", "LOW", "WEAK", "INSUFFICIENT"]),
  source: z.string().describe("Provider of the prints; none without a score"),
  reason: z.string().nullable().describe("Why there is no score"),
  volume_proxy: Score.nullable().describe("0-100 from volume alone; not a measure of institutions"),
  tests: z.number().int().describe("Print levels tested"),
  hold_rate: Ratio.nullable().describe("Share of tests that held, 0-1"),
  control_rate: Ratio.nullable().describe(
    "Share of tests that held at comparable levels without prints, 0-1",
  ),
});

export const DriverRow = z.object({
  id: z.string(),
  title: z.string().describe("Name to display"),
  group: z.string(),
  value: DriverFigure.nullable().describe("-1 bearish to 1 bullish; null with a reason"),
  reason: z.string().nullable(),
});
export type DriverRow = z.infer<typeof DriverRow>;

/** An input of a signal and since when it is used. */
export const SignalInput = z.object({
  input: z
    .string()
    .describe("bars, benchmark, peers, ranks, prints, or a driver that is not computed from bars"),
  known_at: z.iso.datetime().describe("When its newest figure became known; never after the decision bar"),
  used_since: z.iso
    .datetime()
    .nullable()
    .describe(
      "When this server first used it in this form for this bar; later inputs are named in notes. Null if as_of is in the past",
    ),
});
export type SignalInput = z.infer<typeof SignalInput>;

/** Outcomes of similar past signals. */
export const Evidence = z.object({
  n_eff: Ratio,
  hit_rate: Ratio,
  interval: z.object({ low: Ratio, high: Ratio }),
  base_rate: Ratio.describe("The same share over all signals of the asset class, including WAIT"),
});
export type Evidence = z.infer<typeof Evidence>;

const EntryZone = z.object({ low: Price, high: Price });
const LevelsBasis = z.enum(["signal", "watch"]).describe("watch: the levels of a WAIT, for watching only");

export const TradeLevels = {
  entry: Price.describe("The zone's worse edge, from which rr is measured"),
  stop: Price,
  target: Price.describe("First target"),
  rr: Ratio.describe("Reward to risk"),
  levels_basis: z.enum(["signal", "watch"]).describe("watch: the levels of a WAIT"),
};

/** Targets of a plan in multiples of its risk. */
export const TargetR = z
  .object({
    edge: z.enum(["low", "high"]).describe("Edge of the zone from which R is measured: the worse one"),
    entry: Price.describe("Price of that edge"),
    risk: Price.describe("Distance from it to the stop: 1 R"),
    targets: z.array(z.object({ price: Price, r: RMultiple })),
  })
  .describe("Targets in multiples of the risk; r of the first is reward_to_risk");
export type TargetR = z.infer<typeof TargetR>;

/** Levels of a signal as answers show them next to bars. */
export const PlanLevels = z.object({
  side: z.enum(["LONG", "SHORT"]),
  basis: LevelsBasis,
  entry_zone: EntryZone,
  stop_loss: Price,
  targets: z.array(Price),
  reward_to_risk: Ratio,
  target_r: TargetR,
});
export type PlanLevels = z.infer<typeof PlanLevels>;

/** The consensus signal of one symbol: verdict, levels and their basis. */
export const Signal = z.object({
  symbol: z.string(),
  timeframe: Timeframe,
  direction: Direction,
  score: scale,
  grade: Grade.nullable(),
  tier: Tier,
  reason: z.string().nullable().describe("Why the direction is WAIT"),
  confidence: Ratio.describe("Odds that target 1 is touched before the stop, 0-1; of a WAIT: of its levels"),
  confidence_basis: z
    .enum(["odds", "uncalibrated"])
    .describe("uncalibrated: there are no odds, so it is 1 / (1 + reward_to_risk)"),
  confidence_base: Odds.nullable().describe(
    "Base rate of the odds: share of the symbol's past windows; null without odds",
  ),
  confidence_interval: z
    .object({ low: Odds, high: Odds })
    .nullable()
    .describe(
      "The odds plus and minus their error in past forecasts of the class; null: not daily bars, or under 500 forecasts",
    ),
  agreement: Ratio.describe("Agreement of the drivers, 0-0.5: coverage x |sum|; not a probability"),
  odds: SignalOdds.nullable().describe("Odds that the stop, target 1 or neither is touched first"),
  odds_reason: z.string().nullable().describe("Reason why odds is null"),
  evidence: Evidence.nullable().describe("Closes 20 bars after similar past signals"),
  entry_zone: EntryZone,
  stop_loss: Price,
  targets: z.array(Price),
  reward_to_risk: Ratio.describe("From the zone's worse edge to the first target"),
  break_even_win_rate: Ratio.describe("1 / (1 + reward_to_risk)"),
  levels_basis: LevelsBasis,
  target_basis: z.string().describe("pivot: a confirmed swing; reach: 4 ATR"),
  component_scores: z.object({
    trend: scale,
    momentum: scale,
    volume: scale,
    relative_strength: scale,
    volatility: scale,
  }),
  ics: Conviction,
  ics_score: Score.nullable().describe("ics.currentScore"),
  coverage: Ratio.describe("Share of the model's weight that had data, 0-1"),
  model_version: z.string(),
});
export type Signal = z.infer<typeof Signal>;
