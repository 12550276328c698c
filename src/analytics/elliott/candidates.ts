import type { Pivot } from "../levels/zigzag.ts";
import { correctionScore, impulseScore } from "./guidelines.ts";
import type { Leg, Swings } from "./pivots.ts";
import { type Clearance, clearancesOf, isBroken, type RuleId, VIOLATION_TEXT } from "./rules.ts";

/** One possible count of the swings up to the current leg, valid or not. */
export interface Candidate {
  readonly pattern: "impulse" | "zigzag" | "flat";
  readonly direction: "up" | "down";
  /** The wave in progress; for a complete impulse its last wave. */
  readonly wave: "3" | "4" | "5" | "C";
  readonly complete: boolean;
  /** Confirmed pivots of the pattern, starting with its origin. */
  readonly path: readonly Pivot[];
  /** Number of confirmed waves that the count explains, including those of the impulse before a correction. */
  readonly waves: number;
  /** Price that the current leg may not reach; null if no rule sets one. */
  readonly bound: number | null;
  /** Score of the guidelines, 0-1. */
  readonly score: number;
  /** Smallest clearance of the testable rules, in price; negative if a rule is broken. */
  readonly clearance: number;
  readonly violated: readonly RuleId[];
  /** Why the count is invalid; null if it is valid. */
  readonly fault: string | null;
}

const IMPULSE_PIVOTS = 6;

/**
 * Returns every count that ends at the last confirmed pivot: impulses of 2 to 5 confirmed waves, and zigzags and flats
 * with confirmed A and B that correct a complete impulse in the other direction. A wave in progress is evaluated as if
 * it ended at the extreme of its leg; every rule must hold by `margin` in price.
 */
export function candidatesAt({ pivots, leg }: Swings, margin: number): readonly Candidate[] {
  const found: Candidate[] = [];
  if (leg === null) return found;
  for (let waves = 5; waves >= 2; waves--)
    if (pivots.length > waves) found.push(impulse(pivots.slice(-waves - 1), leg, margin));
  if (pivots.length >= IMPULSE_PIVOTS + 2) {
    const corrected = pivots.slice(-IMPULSE_PIVOTS - 2, -2).map(({ price }) => price);
    const clearances = clearancesOf(corrected);
    if (!clearances.some((one) => isBroken(one, margin)))
      for (const pattern of ["zigzag", "flat"] as const)
        found.push(correction(pattern, pivots.slice(-3), corrected, clearances, leg, margin));
  }
  return found;
}

function impulse(path: readonly Pivot[], leg: Leg, margin: number): Candidate {
  const prices = path.map(({ price }) => price);
  const waves = prices.length - 1;
  const complete = waves === 5;
  const clearances = clearancesOf(complete ? prices : [...prices, leg.reached]);
  const broken = clearances.filter((one) => isBroken(one, margin));
  return {
    pattern: "impulse",
    direction: directionOf(path),
    wave: complete ? "5" : (["3", "4", "5"] as const)[waves - 2]!,
    complete,
    path,
    waves,
    bound: boundOf(prices),
    score: impulseScore(prices),
    clearance: minClearance(clearances),
    violated: broken.map(({ id }) => id),
    fault:
      ruleFault(broken) ??
      beyondLevelFault(leg, prices[waves]!, `the end of wave ${waves}`) ??
      (complete ? retracedFault(leg, prices[0]!) : null),
  };
}

function correction(
  pattern: "zigzag" | "flat",
  path: readonly Pivot[],
  corrected: readonly number[],
  clearances: readonly Clearance[],
  leg: Leg,
  margin: number,
): Candidate {
  const [start, a, b] = path.map(({ price }) => price) as [number, number, number];
  const sign = a > start ? 1 : -1;
  // in a zigzag B does not reach A's start; in a flat B retraces at least 90% of A
  const gap = pattern === "zigzag" ? sign * (b - start) : sign * (a - b - 0.9 * (a - start));
  const origin = corrected[0]!;
  const fault =
    gap > 0 && gap >= margin
      ? (beyondLevelFault(leg, b, "the end of wave B") ??
        retracedFault(
          { ...leg, reached: sign > 0 ? Math.max(a, leg.reached) : Math.min(a, leg.reached) },
          origin,
        ))
      : pattern === "zigzag"
        ? "wave B goes back to the start of wave A"
        : "wave B retraces less than 90% of wave A";
  return {
    pattern,
    direction: directionOf(path),
    wave: "C",
    complete: false,
    path,
    waves: 7,
    bound: origin,
    score: correctionScore(pattern, corrected, [start, a, b]),
    clearance: Math.min(gap, minClearance(clearances)),
    violated: [],
    fault,
  };
}

/**
 * Returns the bound of the current leg: the start of a complete impulse; the end of wave 1 for wave 4; for wave 5 the
 * price at which it would be as long as wave 3, if wave 3 is shorter than wave 1; else null.
 */
function boundOf(prices: readonly number[]): number | null {
  const [start, first, second, third, fourth] = prices as [number, number, number, ...number[]];
  if (prices.length === 6) return start;
  if (third === undefined) return null;
  if (fourth === undefined) return first;
  return Math.abs(third - second) < Math.abs(first - start) ? fourth + third - second : null;
}

const directionOf = (path: readonly Pivot[]): "up" | "down" => (path[0]!.kind === "low" ? "up" : "down");

const minClearance = (clearances: readonly Clearance[]): number =>
  clearances.reduce((least, { gap }) => Math.min(least, gap), Number.POSITIVE_INFINITY);

function ruleFault(broken: readonly Clearance[]): string | null {
  if (broken.length === 0) return null;
  const words = broken.map(({ id }) => VIOLATION_TEXT[id]).join(" and ");
  return broken.some((one) => isBroken(one)) ? words : `too close to a violation: ${words}`;
}

const beyondLevelFault = ({ up, adverse }: Leg, price: number, name: string): string | null =>
  (up ? adverse < price : adverse > price) ? `price has gone beyond ${name}` : null;

const retracedFault = ({ up, reached }: Leg, start: number): string | null =>
  (up ? reached >= start : reached <= start) ? "the entire impulse has been retraced" : null;
