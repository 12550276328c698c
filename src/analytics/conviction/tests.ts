import type { Bars } from "../../domain/market/bars.ts";

/** Bars after the touch within which a test is settled. */
export const MAX_TEST_BARS = 10;
const TOUCH = 0.1;
const HOLD = 0.5;
const FAIL = 0.25;
const STRIDE = 16;

/** A level to test: its price and size from one bar on. */
export interface Step {
  readonly from: number;
  readonly price: number;
  /** Notional in average days of the whole market's. */
  readonly days: number;
}

/** A level met from above, and what came of it. */
export interface LevelTest {
  readonly touched: number;
  /** Bar whose close settled it. */
  readonly settled: number;
  readonly held: boolean;
  /** Size of the level when it was touched. */
  readonly days: number;
}

/**
 * Adds to a list the settled tests of a level as support in these bars, oldest first. A bar touches when it comes
 * within .1 A of the level from a close at least that far above; the test holds at the first close .5 A above the
 * level and fails at the first close .25 A under it, from the touching bar to the 10th after. A test settled by
 * neither says nothing and is left out, and so is one still open at the last bar. A is the average true range of
 * the bar before the touch. A bar that opens beyond the level and stays there never met it.
 */
export function testsIn(
  bars: Bars,
  atr: Float64Array,
): (steps: readonly Step[], into: LevelTest[]) => readonly LevelTest[] {
  const { close } = bars;
  const count = close.length;
  const { least, most, lowest, highest } = touchable(bars, atr);
  return (steps, into) => {
    for (let i = 0, bar = 0; i < steps.length; i++) {
      const { from, price, days } = steps[i]!;
      const until = steps[i + 1]?.from ?? count;
      for (bar = Math.max(bar, from); bar < until; bar++) {
        if ((bar & (STRIDE - 1)) === 0 && bar + STRIDE <= until) {
          const stride = bar / STRIDE;
          if (price < lowest[stride]! || price > highest[stride]!) {
            bar += STRIDE - 1; // none of them touches it
            continue;
          }
        }
        if (!(least[bar]! <= price && price <= most[bar]!)) continue;
        const touched = bar;
        const a = atr[bar - 1]!;
        const above = price + HOLD * a;
        const under = price - FAIL * a;
        const end = Math.min(count - 1, touched + MAX_TEST_BARS);
        while (bar < end && close[bar]! < above && close[bar]! > under) bar++;
        const held = close[bar]! >= above;
        if (held || close[bar]! <= under) into.push({ touched, settled: bar, held, days });
      }
    }
    return into;
  };
}

interface Touchable {
  /** Lowest and highest price of a level that each bar touches; NaN where there is no range to measure by. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** The same of every `STRIDE` bars together, so that most levels pass them by at once. */
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

function touchable({ high, low, close }: Bars, atr: Float64Array): Touchable {
  const least = new Float64Array(close.length).fill(Number.NaN);
  const most = new Float64Array(close.length);
  const lowest = new Float64Array(Math.ceil(close.length / STRIDE)).fill(Number.POSITIVE_INFINITY);
  const highest = new Float64Array(lowest.length).fill(Number.NEGATIVE_INFINITY);
  for (let bar = 1; bar < close.length; bar++) {
    const reach = TOUCH * atr[bar - 1]!;
    const before = close[bar - 1]! - reach;
    const from = low[bar]! - reach;
    if (!(reach > 0 && from <= before)) continue;
    const to = Math.min(high[bar]! + reach, before);
    const stride = Math.floor(bar / STRIDE);
    least[bar] = from;
    most[bar] = to;
    if (from < lowest[stride]!) lowest[stride] = from;
    if (to > highest[stride]!) highest[stride] = to;
  }
  return { least, most, lowest, highest };
}
