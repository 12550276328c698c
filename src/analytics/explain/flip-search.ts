import { driverContext } from "../drivers/context.ts";
import type { ConsensusInput } from "../score/consensus.ts";
import { type Between, between } from "./between.ts";
import { type CloseEvaluation, closeEvaluator } from "./close-evaluator.ts";
import { kinksOf } from "./kinks.ts";
import { nearestTick } from "./nearest-tick.ts";
import { ticksAt } from "./ticks.ts";

/** Criteria of a search: `matches` tests one close, `mayMatch` tests the bounds of an interval of closes. */
export interface FlipCriteria {
  readonly matches: (evaluation: CloseEvaluation) => boolean;
  readonly mayMatch: (bounds: Between) => boolean;
}

/** Search over the ticks around the last close; evaluates each tick at most once. */
export interface FlipSearch {
  readonly tick: number;
  /** Lowest and highest tick of the range. */
  readonly low: number;
  readonly high: number;
  /** Returns the nearest matching tick or null, and the distance in price within which every tick is resolved. */
  findNearest(criteria: FlipCriteria): {
    readonly evaluation: CloseEvaluation | null;
    readonly proven: number;
  };
}

const MAX_DISTANCE_SHARE = 0.3; // of the close
const MAX_DISTANCE_RANGES = 10; // ATR14
/** Maximum number of blocks to examine in one search; real bars need a few dozen. */
const MAX_BLOCKS = 20_000;

/**
 * Returns a search over the ticks within 30% or 10 ATR14 of the close, whichever is nearer; a search gives up after
 * `most` blocks. Null without an ATR or a tick in the range.
 */
export function flipSearch(input: ConsensusInput, most = MAX_BLOCKS): FlipSearch | null {
  const { close, a, stage } = driverContext(input.bars, input.assetClass);
  if (!(a > 0)) return null;
  const { tick, priceOf, tickIndexOf } = ticksAt(close, input.assetClass);
  const range = Math.min(MAX_DISTANCE_SHARE * close, MAX_DISTANCE_RANGES * a);
  const [low, high] = [Math.ceil(tickIndexOf(close - range)), Math.floor(tickIndexOf(close + range))];
  if (low > high) return null;
  const { bends, jumps } = kinksOf(input.bars);
  const stops = [
    ...bends.map(tickIndexOf).flatMap((tickIndex) => [Math.floor(tickIndex), Math.ceil(tickIndex)]),
    ...jumps.map(tickIndexOf).flatMap(around),
  ];
  const evaluate = closeEvaluator(input, stage);
  const evaluations = new Map<number, CloseEvaluation>();
  const evaluateAt = (tickIndex: number): CloseEvaluation => {
    const known = evaluations.get(tickIndex) ?? evaluate(priceOf(tickIndex));
    evaluations.set(tickIndex, known);
    return known;
  };
  return {
    tick,
    low: priceOf(low),
    high: priceOf(high),
    findNearest({ matches: changes, mayMatch: mayChange }) {
      const { tickIndex, proven } = nearestTick({
        from: tickIndexOf(close),
        low,
        high,
        stops,
        most,
        hits: (at) => changes(evaluateAt(at)),
        mayHit(inner, outer) {
          const bounds = between(evaluateAt(inner), evaluateAt(outer));
          return bounds === null || mayChange(bounds);
        },
      });
      return { evaluation: tickIndex === null ? null : evaluateAt(tickIndex), proven: proven * tick };
    },
  };
}

/** Returns the neighbouring indices of a fractional tick index, and the index itself if it is integer up to rounding. */
function around(tickIndex: number): readonly number[] {
  const rounded = Math.round(tickIndex);
  if (Math.abs(tickIndex - rounded) < 1e-6) return [rounded - 1, rounded, rounded + 1];
  return [Math.floor(tickIndex), Math.ceil(tickIndex)];
}
