import type { DriverValue } from "../drivers/driver-value.ts";
import { type LevelsOutcome, MIN_REWARD_TO_RISK } from "../levels/levels.ts";
import type { Side } from "../levels/side.ts";
import { type Grade, gradeOf } from "./grade.ts";
import { type GroupSum, sumGroups } from "./groups.ts";

export type Direction = Side | "WAIT";
export type Tier = "HOT" | "WATCH" | "NEUTRAL";

export interface Verdict extends GroupSum {
  /** Weighted sum clipped to [-1, 1]; null with too little data. */
  readonly s: number | null;
  /** 50 + 50 s: 0-100, neutral at 50. */
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly direction: Direction;
  /** Why the direction is WAIT; null for LONG and SHORT. */
  readonly reason: string | null;
  readonly tier: Tier;
  /** Agreement of the drivers: coverage x |s|, at most .5; 0 without a score. It is not a probability. */
  readonly agreement: number;
  /** Plan for the side of sign(s); LONG at 0 or without a score. */
  readonly plan: LevelsOutcome;
}

/** Minimum number of bars for a score. */
export const MIN_SCORE_BARS = 252;
const MIN_COVERAGE = 0.6;
/** Minimum absolute weighted sum for a direction other than WAIT. */
export const MIN_SUM = 0.25;
const HOT_SUM = 0.55;
const MAX_AGREEMENT = 0.5;

/** Sum and score of the drivers, without a plan. */
interface WeightedDrivers {
  readonly groups: GroupSum;
  readonly s: number | null;
  /** Why `s` is missing. */
  readonly missing: string | null;
  readonly side: Side;
}

function weigh(drivers: readonly DriverValue[], bars: number, fault: string | null): WeightedDrivers {
  const groups = sumGroups(drivers);
  const missing = fault ?? unscoredReason(groups, bars);
  const s = missing === null ? Math.max(-1, Math.min(1, groups.sum!)) : null;
  return { groups, s, missing, side: s !== null && s < 0 ? "SHORT" : "LONG" };
}

/**
 * Returns the verdict on a set of drivers; `levelsOf` is called once, for the side of the plan. There is no score if the
 * bars have a `fault`.
 */
export function computeVerdict(
  drivers: readonly DriverValue[],
  bars: number,
  levelsOf: (side: Side) => LevelsOutcome,
  fault: string | null = null,
): Verdict {
  const { groups, s, missing, side } = weigh(drivers, bars, fault);
  const plan = levelsOf(side);
  const reason = missing ?? waitReason(s!, plan);
  const direction = reason === null ? side : "WAIT";
  return {
    ...groups,
    ...scoreFields(s),
    direction,
    reason,
    tier: direction === "WAIT" ? "NEUTRAL" : Math.abs(s!) >= HOT_SUM ? "HOT" : "WATCH",
    agreement: s === null ? 0 : Math.min(MAX_AGREEMENT, groups.coverage * Math.abs(s)),
    plan,
  };
}

/**
 * Returns the same score, grade and direction without texts; `levelsOf` is called only if the levels can change the
 * result.
 */
export function scoreDrivers(
  drivers: readonly DriverValue[],
  bars: number,
  levelsOf: (side: Side) => LevelsOutcome,
  fault: string | null = null,
): Pick<Verdict, "s" | "score" | "grade" | "direction"> {
  const { s, side } = weigh(drivers, bars, fault);
  const decided = s !== null && Math.abs(s) >= MIN_SUM && waitReason(s, levelsOf(side)) === null;
  return { ...scoreFields(s), direction: decided ? side : "WAIT" };
}

const scoreFields = (s: number | null): Pick<Verdict, "s" | "score" | "grade"> =>
  s === null ? { s, score: null, grade: null } : { s, score: 50 + 50 * s, grade: gradeOf(s) };

function unscoredReason({ sum, coverage }: GroupSum, bars: number): string | null {
  if (bars < MIN_SCORE_BARS) return `A score needs ${MIN_SCORE_BARS} bars, there are ${bars}`;
  if (sum === null || coverage < MIN_COVERAGE)
    return `A score needs drivers for ${MIN_COVERAGE * 100}% of the weight, there are ${Math.round(coverage * 100)}%`;
  return null;
}

function waitReason(s: number, { levels, reason }: LevelsOutcome): string | null {
  if (Math.abs(s) < MIN_SUM) return `The drivers do not agree: ${s.toFixed(2)} is within ${MIN_SUM} of 0`;
  if (levels === null) return reason;
  if (levels.reward_to_risk < MIN_REWARD_TO_RISK)
    return `Reward to risk ${levels.reward_to_risk.toFixed(2)} is under ${MIN_REWARD_TO_RISK}`;
  return null;
}
