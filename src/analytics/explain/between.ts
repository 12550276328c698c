import { pricePlaces } from "../../lib/price-places.ts";
import type { DriverId } from "../drivers/table.ts";
import { MIN_REWARD_TO_RISK } from "../levels/levels.ts";
import { type Side, worseEdge } from "../levels/side.ts";
import { gradeOf } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { type Direction, MIN_SUM } from "../score/verdict.ts";
import type { CloseEvaluation } from "./close-evaluator.ts";
import { contributionOf } from "./contributions.ts";

/** Possible verdicts at all closes strictly between two closes. */
export interface Between {
  /** Ranks of the lowest and the highest possible grade; 0 for no grade. */
  readonly ranks: readonly [least: number, most: number];
  readonly directions: readonly Direction[];
}

/** Drivers that are divided by the volatility scale; their dividend rises with the close. */
const SCALED: ReadonlySet<DriverId> = new Set<DriverId>([
  "t_ma200",
  "t_ma50",
  "m_roc125",
  "m_roc20",
  "r_mansfield",
  "r_sector",
]);
/** Tolerance: larger than any rounding of a sum, far smaller than the effect of a tick. */
const ROUNDING = 1e-9;
const ZONE = 0.25; // half-width of the entry zone in ATR14
/** Ticks by which the distance between two levels at ticks may differ from the exact distance. */
const TICKS = 4;
/** Distance of two closes, in ATR14, beyond which a pivot between them may be a target only there. */
const WIDE = 4;
/** Largest tick, in ATR14, up to which levels at ticks follow the exact ones. */
const MAX_TICK = 0.05;

/**
 * Returns the possible verdicts strictly between two evaluations without a kink between them. A monotonic driver stays
 * between its end values; a quotient or product stays between the corner values of its two parts. Null if a driver or
 * the score has a value at only one end.
 */
export function between(one: CloseEvaluation, other: CloseEvaluation): Between | null {
  const [low, high] = one.close < other.close ? [one, other] : [other, one];
  const sums = sumsBetween(low, high);
  if (sums === null) return null;
  if (low.verdict.s === null || high.verdict.s === null)
    return low.verdict.s === high.verdict.s ? { ranks: [0, 0], directions: ["WAIT"] } : null;
  const [least, most] = sums;
  const long = most >= MIN_SUM ? plansBetween("LONG", low, high) : "none";
  const short = least <= -MIN_SUM ? plansBetween("SHORT", low, high) : "none";
  const waits =
    (least < MIN_SUM && most > -MIN_SUM) ||
    (most >= MIN_SUM && long !== "all") ||
    (least <= -MIN_SUM && short !== "all");
  return {
    ranks: [gradeRank(gradeOf(least)), gradeRank(gradeOf(most))],
    directions: [
      ...(long === "none" ? [] : (["LONG"] as const)),
      ...(short === "none" ? [] : (["SHORT"] as const)),
      ...(waits ? (["WAIT"] as const) : []),
    ],
  };
}

/** Returns the minimum and maximum weighted sum, widened by rounding; null if a driver has a value at only one end. */
function sumsBetween(low: CloseEvaluation, high: CloseEvaluation): readonly [number, number] | null {
  let least = -ROUNDING;
  let most = ROUNDING;
  for (let i = 0; i < low.drivers.length; i++) {
    const driver = low.drivers[i]!;
    const [from, to] = [driver.value, high.drivers[i]!.value];
    if (from === null && to === null) continue;
    if (from === null || to === null) return null;
    const { weight } = contributionOf(driver, low.verdict.groups);
    const [bottom, top] = valuesBetween(low, high, i);
    least += weight * bottom;
    most += weight * top;
  }
  return [least, most];
}

/** Returns the minimum and maximum value of driver `i` between two closes at which it has a value. */
export function valuesBetween(
  low: CloseEvaluation,
  high: CloseEvaluation,
  i: number,
): readonly [number, number] {
  const [one, other] = [low.drivers[i]!, high.drivers[i]!];
  const [from, to] = [one.value!, other.value!];
  if (SCALED.has(one.id)) return scaled(from, to, low.v, high.v);
  if (one.id === "x_squeeze") return bandSqueezeRange(one.inputs, other.inputs);
  if (one.id === "t_super") return supertrendDistanceRange(low, high, i);
  return [Math.min(from, to), Math.max(from, to)];
}

/**
 * Returns the range of clip(x / v) from the clipped values at both ends, with x rising and v anywhere between its end
 * values.
 */
const scaled = (from: number, to: number, v: number, toV: number): readonly [number, number] => [
  Math.max(-1, Math.min(from, (from * v) / toV)),
  Math.min(1, Math.max(to, (to * toV) / v)),
];

type Inputs = CloseEvaluation["drivers"][number]["inputs"];

/**
 * Returns the range of the position between the bands times the share of wider bands, from the corner values of the
 * two.
 */
function bandSqueezeRange(low: Inputs, high: Inputs): readonly [number, number] {
  const places = [low, high].map(({ percent_b }) => Math.max(-1, Math.min(1, 2 * Number(percent_b) - 1)));
  const wider = [low, high].map(({ width_rank }) => 1 - Number(width_rank));
  const corners = places.flatMap((place) => wider.map((share) => place * share));
  return [Math.min(...corners), Math.max(...corners)];
}

/**
 * Returns the range of the distance from the Supertrend line, which is monotonic while the close stays on the line's
 * side. If the close is on the other side, which a bar of many ATRs allows, the smallest distance is 0. Unbounded if
 * the direction differs between the ends.
 */
function supertrendDistanceRange(
  low: CloseEvaluation,
  high: CloseEvaluation,
  i: number,
): readonly [number, number] {
  const [one, other] = [low.drivers[i]!, high.drivers[i]!];
  const side = Number(one.inputs.direction);
  if (side !== other.inputs.direction) return [-1, 1];
  const values = [one.value!, other.value!];
  const beyond = [low, high].some(
    ({ close, drivers }) => side * (close - Number(drivers[i]!.inputs.supertrend)) < 0,
  );
  if (beyond) values.push(side * 0.5);
  return [Math.min(...values), Math.max(...values)];
}

/** Closes between two ends at which a plan has sufficient reward to risk: all, none, or some (also if uncertain). */
type Plans = "all" | "none" | "some";

/**
 * Returns the closes at which the plan of a side is sufficient. If both ends have the same first target, so do all
 * closes between them. Reward and stop in ATRs are then quotients of linear functions and therefore monotonic, up to the
 * rounding to ticks.
 */
function plansBetween(side: Side, low: CloseEvaluation, high: CloseEvaluation): Plans {
  if (low.side !== side || high.side !== side) return "some";
  const [one, other] = [low.verdict.plan.levels, high.verdict.plan.levels];
  const nearest = Math.min(low.stop, high.stop);
  const farthest = Math.max(low.stop, high.stop);
  const closeInRanges = [low.close / low.a, high.close / high.a] as const;
  if (one === null && other === null)
    return side === "SHORT" || Math.max(...closeInRanges) <= nearest * (1 - ROUNDING) ? "none" : "some";
  if (one === null || other === null || one.target_basis !== other.target_basis) return "some";
  if (one.target_basis === "pivot" && one.targets[0] !== other.targets[0]) return "some";
  // between closes far apart, a pivot may be neither too near nor too far
  if (one.target_basis === "reach" && high.close - low.close > WIDE * one.atr14) return "some";
  const highest = Math.max(
    ...[one, other].flatMap(({ entry, stop, targets }) => [entry.high, stop, ...targets]),
  );
  const tick = 10 ** -pricePlaces(highest, low.assetClass) / Math.min(one.atr14, other.atr14);
  if (tick > MAX_TICK) return "some";
  const error = TICKS * tick + ROUNDING;
  const gains = [one, other].map((levels) => Math.abs(levels.targets[0]! - worseEdge(levels)) / levels.atr14);
  if ((Math.max(...gains) + error) / (nearest + ZONE - error) < MIN_REWARD_TO_RISK) return "none";
  const proven = side === "SHORT" || Math.min(...closeInRanges) > farthest + error;
  return proven && (Math.min(...gains) - error) / (farthest + ZONE + error) >= MIN_REWARD_TO_RISK
    ? "all"
    : "some";
}
