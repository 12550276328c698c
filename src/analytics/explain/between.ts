import type { DriverId } from "../drivers/table.ts";
import { type Side, worseEdge } from "../levels/side.ts";
import { gradeOf } from "../score/grade.ts";
import { gradeRank } from "../score/tape-columns.ts";
import { type Direction, MIN_REWARD_TO_RISK, MIN_SUM } from "../score/verdict.ts";
import type { CloseEvaluation } from "./close-evaluator.ts";
import { contributionOf } from "./contributions.ts";

/** Bounds on the verdicts between two closes. */
export interface Between {
  /** Places of the least and the most attractive grade; 0 for none. */
  readonly ranks: readonly [least: number, most: number];
  readonly directions: readonly Direction[];
}

/** Drivers that divide by the volatility scale; above the line they rise with the close. */
const SCALED: ReadonlySet<DriverId> = new Set<DriverId>([
  "t_ma200",
  "t_ma50",
  "m_roc125",
  "m_roc20",
  "r_mansfield",
  "r_sector",
]);
/** Wider than any rounding of a sum, far narrower than what a tick changes. */
const ROUNDING = 1e-9;
const ZONE = 0.25; // of the entry, in ATR14

/**
 * Bounds on every verdict strictly between two evaluations without a kink between them: a monotone driver stays within
 * its ends, a quotient or product within the corners of its two parts. Null if a value is known at one end alone.
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

/** Least and greatest weighted sum, widened by the rounding; null where a driver has a value at one end alone. */
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

/** Least and greatest value of driver `i` between two closes that both have it. */
export function valuesBetween(
  low: CloseEvaluation,
  high: CloseEvaluation,
  i: number,
): readonly [number, number] {
  const [one, other] = [low.drivers[i]!, high.drivers[i]!];
  const [from, to] = [one.value!, other.value!];
  if (SCALED.has(one.id)) return scaled(from, to, low.v, high.v);
  if (one.id === "x_squeeze") return squeezed(one.inputs, other.inputs);
  if (one.id === "t_super") return trailed(low, high, i);
  return [Math.min(from, to), Math.max(from, to)];
}

/** clip(x / v) with x rising from one end to the other and v anywhere between its ends, from the clipped values. */
const scaled = (from: number, to: number, v: number, toV: number): readonly [number, number] => [
  Math.max(-1, Math.min(from, (from * v) / toV)),
  Math.min(1, Math.max(to, (to * toV) / v)),
];

type Inputs = CloseEvaluation["drivers"][number]["inputs"];

/** The place between the bands, times the share of wider ones: the corners of the two. */
function squeezed(low: Inputs, high: Inputs): readonly [number, number] {
  const places = [low, high].map(({ percent_b }) => Math.max(-1, Math.min(1, 2 * Number(percent_b) - 1)));
  const wider = [low, high].map(({ width_rank }) => 1 - Number(width_rank));
  const corners = places.flatMap((place) => wider.map((share) => place * share));
  return [Math.min(...corners), Math.max(...corners)];
}

/**
 * The distance from the trailing line only grows, or only shrinks, while the close is on the line's own side; on a bar
 * of many average ranges it may not be, and then the least distance is 0. Unbounded where the side changes.
 */
function trailed(low: CloseEvaluation, high: CloseEvaluation, i: number): readonly [number, number] {
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

/** Closes on which plans are good enough to follow: all between, none, or some, as far as is known. */
type Plans = "all" | "none" | "some";

/**
 * With the same first target at both ends it is the same between: it only moves away as the close nears it. Reward and
 * stop in average ranges are then quotients of straight lines, which only rise or only fall.
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
  const gains = [one, other].map((levels) => Math.abs(levels.targets[0]! - worseEdge(levels)) / levels.atr14);
  if (Math.max(...gains) / (nearest + ZONE) < MIN_REWARD_TO_RISK * (1 - ROUNDING)) return "none";
  const sure = side === "SHORT" || Math.min(...closeInRanges) > farthest * (1 + ROUNDING);
  return sure && Math.min(...gains) / (farthest + ZONE) >= MIN_REWARD_TO_RISK * (1 + ROUNDING)
    ? "all"
    : "some";
}
