import type { Pivot } from "../levels/zigzag.ts";
import type { PatternMatch, PatternView } from "./view.ts";

const LEVEL = 0.75; // maximum difference of equal swings in ATR14, as are the others
const SHOULDERS = 1.5;
const HEAD = 1;
const STEP = 1;
const NEAREST = 10;
const FARTHEST = 90;

type Shape = Pick<PatternMatch, "bullish" | "bearish" | "from" | "floor">;
/** A line through two points; horizontal if both are the same point. */
interface Line {
  readonly a: Pivot;
  readonly b: Pivot;
}
/** A candidate from the swings up to one low, with the line that a close must cross. */
interface Candidate {
  readonly line: Line;
  /** Returns true if the swings fit; `a` is the ATR14 of the bar before the crossing. */
  readonly fits: (a: number) => boolean;
  readonly shape: Shape;
}

/**
 * Returns the swing patterns of one side, each confirmed by the first close beyond its line before another swing is
 * known.
 */
export function swingsIn(view: PatternView): PatternMatch[] {
  const { swings } = view;
  const found: PatternMatch[] = [];
  for (let i = 2; i < swings.length; i++) {
    if (swings[i]!.kind !== "low") continue;
    const end = Math.min(swings[i + 1]?.confirmedAt ?? view.length, swings[i]!.index + FARTHEST);
    for (const candidate of [doubleBottom(swings, i), triangle(swings, i), headAndShoulders(swings, i)]) {
      const match = candidate && crossing(view, candidate, swings[i]!, end);
      if (match) found.push(match);
    }
  }
  return found;
}

/**
 * Returns the first close above the line after the last low is known; null if the low is broken first or no close
 * crosses.
 */
function crossing(
  view: PatternView,
  { line, fits, shape }: Candidate,
  low: Pivot,
  end: number,
): PatternMatch | null {
  const { close, atr } = view;
  for (let bar = low.index + 1; bar < end && bar < view.length; bar++) {
    if (!(close[bar]! >= shape.floor)) return null;
    if (bar < low.confirmedAt || !over(line, bar, close[bar]!)) continue;
    const a = atr[bar - 1]!;
    return a > 0 && fits(a) ? { ...shape, confirmedAt: bar, level: at(line, bar) } : null;
  }
  return null;
}

/** @see Thomas Bulkowski, "Encyclopedia of Chart Patterns" (2005), double bottoms and tops */
function doubleBottom(swings: readonly Pivot[], i: number): Candidate | null {
  const [first, peak, second] = [swings[i - 2]!, swings[i - 1]!, swings[i]!];
  const apart = second.index - first.index;
  if (apart < NEAREST || apart > FARTHEST) return null;
  return {
    line: { a: peak, b: peak },
    fits: (a) => Math.abs(first.price - second.price) <= LEVEL * a,
    shape: {
      bullish: "double_bottom",
      bearish: "double_top",
      from: first.index,
      floor: Math.min(first.price, second.price),
    },
  };
}

/** @see Thomas Bulkowski, "Encyclopedia of Chart Patterns" (2005), ascending and descending triangles */
function triangle(swings: readonly Pivot[], i: number): Candidate | null {
  const [top, first, again, second] = [swings[i - 3], swings[i - 2]!, swings[i - 1]!, swings[i]!];
  if (top === undefined) return null;
  const higher = again.price > top.price ? again : top;
  return {
    line: { a: higher, b: higher },
    fits: (a) => Math.abs(top.price - again.price) <= LEVEL * a && second.price - first.price >= STEP * a,
    shape: {
      bullish: "ascending_triangle",
      bearish: "descending_triangle",
      from: top.index,
      floor: second.price,
    },
  };
}

/** @see Andrew Lo, Harry Mamaysky and Jiang Wang, "Foundations of Technical Analysis" (2000), definition 1 */
function headAndShoulders(swings: readonly Pivot[], i: number): Candidate | null {
  const [left, a, head, b, right] = [
    swings[i - 4],
    swings[i - 3]!,
    swings[i - 2]!,
    swings[i - 1]!,
    swings[i]!,
  ];
  if (left === undefined) return null;
  return {
    line: { a, b },
    fits: (one) =>
      Math.min(left.price, right.price) - head.price >= HEAD * one &&
      Math.abs(left.price - right.price) <= SHOULDERS * one &&
      Math.abs(a.price - b.price) <= SHOULDERS * one,
    shape: {
      bullish: "inverse_head_and_shoulders",
      bearish: "head_and_shoulders",
      from: left.index,
      floor: right.price,
    },
  };
}

/** Returns true if a price lies above a line; compares without dividing. */
const over = ({ a, b }: Line, bar: number, price: number): boolean =>
  a === b ? price > a.price : (price - a.price) * (b.index - a.index) > (b.price - a.price) * (bar - a.index);

const at = ({ a, b }: Line, bar: number): number =>
  a === b ? a.price : a.price + ((b.price - a.price) * (bar - a.index)) / (b.index - a.index);
