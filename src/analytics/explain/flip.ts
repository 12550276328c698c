import { driverContext } from "../drivers/context.ts";
import { type ConsensusInput, driversOf, levelsOf } from "../score/consensus.ts";
import { type Direction, markOf } from "../score/verdict.ts";

/** The nearest close of the decision bar that would have changed the direction. */
export interface Flip {
  /** To the tick, on the changed side; null when none was found in the range searched. */
  readonly price: number | null;
  readonly direction: Direction | null;
  /** From the actual close, as a fraction. */
  readonly change: number | null;
  /** Closes between which it was sought; a change and back between two looks goes unseen. */
  readonly searched: { readonly low: number; readonly high: number } | null;
}

/** Where to look, as shares of the range on either side: close by first, then in longer strides. */
const LOOKS = [0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.55, 0.75, 1] as const;
const FARTHEST_SHARE = 0.3; // of the close
const FARTHEST_RANGES = 10; // ATR14

/**
 * Moves the last close up and down, its bar's high and low stretched to hold it, until the direction is no
 * longer `direction`: out to 30% or 10 ATR14, whichever is nearer, then halving to the tick. Nothing is
 * searched without an average true range.
 */
export function nearestFlip(input: ConsensusInput, direction: Direction): Flip {
  const context = driverContext(input.bars, input.assetClass);
  const { close, a } = context;
  if (!(a > 0)) return { price: null, direction: null, change: null, searched: null };
  const range = Math.min(FARTHEST_SHARE * close, FARTHEST_RANGES * a);
  const searched = { low: close - range, high: close + range };
  const directionAt = movedClose(input, context.stage);
  let before = 0;
  for (const look of LOOKS) {
    const found = [1, -1]
      .filter((way) => directionAt(close + way * look * range) !== direction)
      .map((way) => narrow(close + way * before * range, close + way * look * range, direction, directionAt))
      .sort((one, other) => Math.abs(one - close) - Math.abs(other - close));
    const price = found[0];
    if (price !== undefined)
      return { price, direction: directionAt(price), change: price / close - 1, searched };
    before = look;
  }
  return { price: null, direction: null, change: null, searched };
}

/** Halves [same, changed] until they are one tick apart; the price returned is on the changed side. */
function narrow(
  same: number,
  changed: number,
  direction: Direction,
  directionAt: (close: number) => Direction,
): number {
  const tick = tickOf(changed);
  const outward = changed > same ? Math.ceil : Math.floor;
  let [inner, outer] = [same, changed];
  while (Math.abs(outer - inner) > tick / 2) {
    const middle = (inner + outer) / 2;
    if (directionAt(middle) === direction) inner = middle;
    else outer = middle;
  }
  const rounded = Number((outward(outer / tick) * tick).toPrecision(12));
  return directionAt(rounded) === direction ? outer : rounded;
}

/** A cent from 1 upwards; below, a ten-thousandth of the price's own power of ten. */
const tickOf = (price: number): number => (price >= 1 ? 0.01 : 10 ** (Math.floor(Math.log10(price)) - 4));

/** Judges the input with another last close; works on one copy of the columns it changes. */
function movedClose(input: ConsensusInput, stage: number): (close: number) => Direction {
  const { bars, assetClass } = input;
  const at = bars.close.length - 1;
  const moved = { ...bars, high: bars.high.slice(), low: bars.low.slice(), close: bars.close.slice() };
  return (close) => {
    moved.close[at] = close;
    moved.high[at] = Math.max(bars.high[at]!, close);
    moved.low[at] = Math.min(bars.low[at]!, close);
    const context = driverContext(moved, assetClass, stage);
    return markOf(driversOf({ ...input, bars: moved }, context), context.n, levelsOf(context)).direction;
  };
}
