import type { Bars } from "../../domain/market/bars.ts";
import { atr as atrOf } from "../indicators/atr.ts";
import type { Pivot } from "../levels/zigzag.ts";
import { eachSpan, type Span } from "../span.ts";
import { type Candidate, candidatesAt } from "./candidates.ts";
import type { FibonacciLevel } from "./fibonacci.ts";
import { type Leg, legSince, pivotsOf } from "./pivots.ts";
import { invalidationOf, targetsOf } from "./projection.ts";
import type { RuleId } from "./rules.ts";

/** A confirmed end of a wave; `bar` and `confirmedAt` are bar indices of the input series. */
export interface WavePoint {
  /** "0" is the start of the pattern. */
  readonly wave: string;
  readonly bar: number;
  readonly price: number;
  readonly confirmedAt: number;
}

export interface CountedWaves
  extends Pick<Candidate, "pattern" | "direction" | "wave" | "complete" | "score"> {
  readonly available: true;
  /** e.g. "Wave 3 of 5", "Wave C of ABC". */
  readonly label: string;
  readonly path: readonly WavePoint[];
  /** Fibonacci targets that the current leg has not reached yet, nearest first. */
  readonly targets: readonly FibonacciLevel[];
  /** The nearest target; null if all are reached. */
  readonly target: number | null;
  /** Price beyond which the count is invalid. */
  readonly invalidation: number;
  /** Number of other valid counts of the same swings. */
  readonly rivals: number;
  /** Smallest clearance of the hard rules, in ATR14. */
  readonly margin: number;
}

export interface NoCount {
  readonly available: false;
  readonly reason: string;
  /** Rules that the best candidate breaks. */
  readonly violated: readonly RuleId[];
  /** Number of valid counts, which contradict each other; 0 if none is valid. */
  readonly rivals: number;
}

export type WaveCount = CountedWaves | NoCount;

const MARGIN = 0.05; // in ATR14
const MIN_PIVOTS = 3;

/**
 * Counts Elliott waves at the last closed bar. Returns a count only if every testable hard rule holds by at least .05
 * ATR14 and one `tick` (price step; 0 if unknown), and every valid count in the other direction is dominated by a
 * valid count that explains at least as many waves with at least as high a score, and exceeds it in one of the two. Of
 * several valid counts it returns the one with the most waves, then with the best score. Never throws.
 * @see Frost & Prechter, "Elliott Wave Principle" (1978)
 */
export function countWaves(bars: Bars, tick = 0): WaveCount {
  if (bars.time.length === 0) return none("There are no bars");
  const span = eachSpan(bars).at(-1)!;
  const view = viewOf(span, tick);
  return countAt(view, span.bars.time.length - 1, view.pivots.length);
}

/** Returns the count at the close of each bar, without using later bars: `countWaves` of every prefix in one pass. */
export function countsOf(bars: Bars, tick = 0): readonly WaveCount[] {
  if (bars.time.length === 0) return [];
  return eachSpan(bars).flatMap((span) => {
    const view = viewOf(span, tick);
    let known = 0;
    return Array.from(span.bars.time, (_, bar) => {
      while (known < view.pivots.length && view.pivots[known]!.confirmedAt <= bar) known++;
      return countAt(view, bar, known);
    });
  });
}

interface View {
  readonly span: Span;
  readonly atr: Float64Array;
  readonly pivots: readonly Pivot[];
  readonly tick: number;
  /** First bar with a price that is not a finite number. */
  readonly firstInvalidBar: number;
}

function viewOf(span: Span, tick: number): View {
  const { high, low, close } = span.bars;
  const atr = atrOf(high, low, close);
  return {
    span,
    atr,
    pivots: pivotsOf(span.bars, atr).pivots,
    tick,
    firstInvalidBar: findInvalidBar(span.bars),
  };
}

function findInvalidBar({ high, low, close }: Bars): number {
  for (let bar = 0; bar < close.length; bar++)
    if (!Number.isFinite(high[bar]! + low[bar]! + close[bar]!)) return bar;
  return close.length;
}

const MAX_PIVOTS = 8; // number of pivots of the longest count

function countAt(
  { span, atr, pivots, tick, firstInvalidBar: spoiled }: View,
  bar: number,
  known: number,
): WaveCount {
  const a = atr[bar]!;
  if (bar < 14) return none(`Needs 15 bars without a gap, has ${bar + 1}`);
  if (bar >= spoiled || !Number.isFinite(a)) return none("A price of the series is not a number");
  if (a === 0) return none("Prices do not move: the average true range is 0");
  if (known < MIN_PIVOTS) return none(`Needs ${MIN_PIVOTS} confirmed swings, has ${known}`);
  const recent = pivots.slice(Math.max(0, known - MAX_PIVOTS), known);
  const leg = legSince(recent.at(-1)!, span.bars, bar);
  if (!recent.every(({ price }) => price > 0)) return none("Fibonacci ratios need prices above 0");
  const candidates = candidatesAt({ pivots: recent, leg }, Math.max(tick, MARGIN * a));
  const valid = candidates.filter(({ fault }) => fault === null).sort(byEvidence);
  const best = valid[0];
  if (best === undefined) return noCountFor(candidates);
  const against = valid.find(
    (rival) => rival.direction !== best.direction && !valid.some((other) => dominates(other, rival)),
  );
  if (against !== undefined)
    return {
      ...none(
        `${labelOf(best)} ${best.direction} and ${labelOf(against)} ${against.direction} are both valid`,
      ),
      rivals: valid.length,
    };
  return counted(best, leg, span.start, a, valid.length - 1);
}

const byEvidence = (a: Candidate, b: Candidate): number => b.waves - a.waves || b.score - a.score;

const dominates = (a: Candidate, b: Candidate): boolean =>
  a.waves >= b.waves && a.score >= b.score && (a.waves > b.waves || a.score > b.score);

function counted(best: Candidate, leg: Leg, start: number, a: number, rivals: number): CountedWaves {
  const { pattern, direction, wave, complete, score } = best;
  const targets = targetsOf(best, leg);
  return {
    available: true,
    pattern,
    direction,
    label: labelOf(best),
    wave,
    complete,
    path: best.path.map(({ index, price, confirmedAt }, i) => ({
      wave: (pattern === "impulse" ? "012345" : "0AB")[i]!,
      bar: index + start,
      price,
      confirmedAt: confirmedAt + start,
    })),
    targets,
    target: targets[0]?.price ?? null,
    invalidation: invalidationOf(best),
    score,
    rivals,
    margin: best.clearance / a,
  };
}

const labelOf = ({ pattern, wave, complete }: Candidate): string =>
  `Wave ${wave} of ${pattern === "impulse" ? "5" : "ABC"}${complete ? ", complete" : ""}`;

/**
 * Returns why there is no count, based on the candidate that breaks the fewest rules and of these explains the most
 * waves.
 */
function noCountFor(candidates: readonly Candidate[]): NoCount {
  const [best] = [...candidates].sort((a, b) => a.violated.length - b.violated.length || byEvidence(a, b));
  if (best === undefined) return none("The swings form no supported pattern");
  return {
    ...none(`${labelOf(best)} ${best.direction} is invalid: ${best.fault}`),
    violated: best.violated,
  };
}

const none = (reason: string): NoCount => ({ available: false, reason, violated: [], rivals: 0 });
