import { draw, keyOf, unit } from "./draws.ts";
import { type Outcome, type Plan, type PlantedKind, type SlotDraws, skeletonOf } from "./plan.ts";
import { rangePlan } from "./plan-range.ts";
import { correctionPlan, impulsePlan, trendPlan } from "./plan-swings.ts";
import { GAP_SHARE, type Move } from "./shocks.ts";

/** A plan and its direction: inverted if `sign` is -1. */
export interface Planting {
  readonly kind: PlantedKind;
  readonly outcome: Outcome;
  readonly sign: 1 | -1;
  readonly plan: Plan;
}

/** Kinds of structure with their cumulative share of the slots. The share of accumulation includes distribution. */
export const KINDS: readonly (readonly [Exclude<PlantedKind, "distribution"> | null, number])[] = [
  [null, 0.4],
  ["trend", 0.51],
  ["accumulation", 0.78],
  ["impulse", 0.89],
  ["correction", 1],
];
/** Share of the structures that end as their kind implies. */
export const HOLDING = 0.65;

/**
 * Returns the structure of a listing's slot, chosen by hash; null for a slot without one. `lean` is the distance of the
 * price above its slow trend (logarithmic). Structures that would increase the distance are chosen less often.
 */
export function plantingOf(key: number, slot: number, lean: number): Planting | null {
  const ofSlot = keyOf(key, "slot", slot);
  const share = (name: string) => unit(draw(keyOf(ofSlot, name), 0));
  const pick: SlotDraws = {
    between: (name, least, most) => least + share(name) * (most - least),
    integer: (name, least, most) => least + Math.floor(share(name) * (most - least + 1)),
  };
  const kindDraw = share("kind");
  const kind = KINDS.find(([, end]) => kindDraw < end)?.[0] ?? null;
  if (kind === null) return null;
  const outcome = share("outcome") < HOLDING ? "hold" : "fail";
  const falling = share("side") < 0.5 + Math.max(-0.5, Math.min(0.5, 1.2 * lean));
  if (kind === "accumulation") {
    const plan = rangePlan(pick, outcome);
    // an accumulation begins with a fall, a distribution with a rise
    return falling ? { kind, outcome, sign: 1, plan } : { kind: "distribution", outcome, sign: -1, plan };
  }
  const plan = { trend: trendPlan, impulse: impulsePlan, correction: correctionPlan }[kind](pick, outcome);
  return { kind, outcome, sign: falling ? -1 : 1, plan };
}

/** Constraints on a bar of a structure; prices are logarithmic. */
export interface BarConstraints {
  readonly floor: number;
  readonly ceiling: number;
  readonly low: number | null;
  readonly high: number | null;
  /** Volume as a multiple of a usual day's volume. */
  readonly volume: number | null;
}

/** A day of a path before its candle; prices are logarithmic, `frame` is null without a structure. */
export interface PlannedDay {
  readonly open: number;
  readonly close: number;
  readonly spread: number;
  readonly frame: BarConstraints | null;
}

/** Daily reversion to the skeleton, as a share of the price's distance from it. */
export const DAILY_REVERSION_SHARE = 0.2;
/** Range of a usual day, in standard deviations of its move. */
const RANGE = 1.55;

/**
 * Applies a planned structure to the moves of a slot that begins at the logarithmic price `start`. The path deviates
 * from the skeleton by the moves, reverts towards it, stays within the bands and passes through the pins. It begins at
 * `start`, so there is no jump between slots. Returns the days, and the logarithmic price of one level above another.
 */
export function applyPlan({ plan, sign }: Planting, moves: readonly Move[], start: number, gaps: boolean) {
  const meanSpread = moves.reduce((sum, { spread }) => sum + spread, 0) / moves.length;
  const unit = RANGE * (gaps ? meanSpread / Math.sqrt(1 - GAP_SHARE) : meanSpread);
  const logStep = sign * unit;
  const logOf = (level: number) => start + logStep * level;
  const skeleton = skeletonOf(plan.knots, moves.length);
  const frames = constraintsOf(plan, sign, logOf, moves.length);
  let before = start;
  let target = start;
  const days = moves.map(({ night, session, spread }, bar): PlannedDay => {
    const { frame, close: pinned } = frames[bar]!;
    const within = (log: number) => Math.max(frame.floor, Math.min(frame.ceiling, log));
    const open = gaps ? within(before + night) : before;
    const next = logOf(skeleton[bar]!);
    const wish =
      open + session + (gaps ? 0 : night) + (next - target) + DAILY_REVERSION_SHARE * (target - before);
    const close = pinned ?? within(wish);
    before = close;
    target = next;
    return { open, close, spread, frame };
  });
  // numbers instead of the function, which would keep everything here in memory
  return { days, logStep };
}

function constraintsOf(
  { bands, pins }: Planting["plan"],
  sign: 1 | -1,
  logOf: (level: number) => number,
  length: number,
): readonly { readonly frame: BarConstraints; readonly close: number | null }[] {
  const open = { floor: Number.NEGATIVE_INFINITY, ceiling: Number.POSITIVE_INFINITY };
  const log = (level: number | undefined) => (level === undefined ? null : logOf(level));
  return Array.from({ length }, (_, bar) => {
    const { floor, ceiling } = bands.find(({ from, to }) => from <= bar && bar <= to) ?? open;
    const { low, high, close, volume } = pins.get(bar) ?? {};
    const [lowest, highest] = sign === 1 ? [floor, ceiling] : [ceiling, floor];
    const [bottom, top] = sign === 1 ? [low, high] : [high, low];
    // a bar must not open beyond the price that it has to reach
    const [least, most] = [log(bottom) ?? logOf(lowest), log(top) ?? logOf(highest)];
    return {
      frame: { floor: least, ceiling: most, low: log(bottom), high: log(top), volume: volume ?? null },
      close: log(close),
    };
  });
}
