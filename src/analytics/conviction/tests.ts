import type { Bars } from "../../domain/market/bars.ts";

/** Maximum number of bars from touch to settlement of a test. */
export const MAX_TEST_BARS = 10;
const TOUCH = 0.1;
const HOLD = 0.5;
const FAIL = 0.25;
const STRIDE = 16;

/** Price and size of a level from bar `from` on. */
export interface Step {
  readonly from: number;
  readonly price: number;
  /** Notional as a multiple of the average daily notional. */
  readonly days: number;
}

/** A test of a level from above, and its result. */
export interface LevelTest {
  readonly touched: number;
  /** Bar whose close settled the test. */
  readonly settled: number;
  readonly held: boolean;
  /** Size of the level when it was touched. */
  readonly days: number;
}

/**
 * Returns a function that appends the settled tests of a level as support, oldest first. A bar touches a level if it
 * comes within .1 A of it from a previous close at least that far above. The test holds at the first close .5 A above
 * the level and fails at the first close .25 A below it, up to the 10th bar after the touch; unsettled tests are
 * omitted. A is the ATR of the bar before the touch. A bar that opens beyond the level and stays there does not touch
 * it.
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
            bar += STRIDE - 1; // no bar of the stride touches it
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
  /** Lowest and highest level price that each bar touches; NaN without an ATR. */
  readonly least: Float64Array;
  readonly most: Float64Array;
  /** The same for each `STRIDE` bars, to skip most levels quickly. */
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
}

function touchable({ high, low, close }: Bars, atr: Float64Array): Touchable {
  const least = new Float64Array(close.length).fill(Number.NaN);
  const most = new Float64Array(close.length);
  const lowest = new Float64Array(Math.ceil(close.length / STRIDE)).fill(Number.POSITIVE_INFINITY);
  const highest = new Float64Array(lowest.length).fill(Number.NEGATIVE_INFINITY);
  for (let bar = 1; bar < close.length; bar++) {
    const tolerance = TOUCH * atr[bar - 1]!;
    const before = close[bar - 1]! - tolerance;
    const from = low[bar]! - tolerance;
    if (!(tolerance > 0 && from <= before)) continue;
    const to = Math.min(high[bar]! + tolerance, before);
    const stride = Math.floor(bar / STRIDE);
    least[bar] = from;
    most[bar] = to;
    if (from < lowest[stride]!) lowest[stride] = from;
    if (to > highest[stride]!) highest[stride] = to;
  }
  return { least, most, lowest, highest };
}
