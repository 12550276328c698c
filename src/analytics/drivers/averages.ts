import type { Bars } from "../../domain/market/bars.ts";

/** Recursive averages at the last bar, and ATR14 at every bar. */
export interface Averages {
  /** ATR14 of every bar; NaN during warm-up. */
  readonly atr: Float64Array;
  readonly ema20: number;
  readonly ema50: number;
  readonly ema200: number;
  readonly rsi14: number;
  /** MACD 12, 26, 9. */
  readonly histogram: number;
  readonly adx14: number;
  readonly plus: number;
  readonly minus: number;
  /** Line and direction (+1 or -1) of Supertrend 10, 3. */
  readonly supertrend: number;
  readonly side: number;
}

const WILDER = 14;
const REACH = { bars: 10, ranges: 3 } as const;
const MACD = { fast: 12, slow: 26, signal: 9 } as const;

/**
 * Computes every recursive average that the drivers read, in one pass over the bars. The values at the last bar equal
 * those of `ema`, `rsi`, `macd`, `adx`, `atr` and `supertrend` bit for bit; during their warm-up they are meaningless.
 */
export function averagesOf({ high, low, close }: Bars): Averages {
  const n = close.length;
  const atr = new Float64Array(n);
  const first = close[0] ?? Number.NaN;
  let [ema20, ema50, ema200, fast, slow] = [first, first, first, first, first];
  let [signal, gap] = [0, 0];
  let [gain, loss, range, rise, fall, strength] = [0, 0, 0, 0, 0, 0];
  let [reach, upper, lower] = [0, Number.NaN, Number.NaN];
  let up = true;
  for (let i = 1; i < n; i++) {
    const now = close[i]!;
    const before = close[i - 1]!;
    const top = high[i]!;
    const bottom = low[i]!;
    const seed = i < 200 ? 1 / (i + 1) : 0;

    ema20 += (now - ema20) * (i < 20 ? seed : 2 / 21);
    ema50 += (now - ema50) * (i < 50 ? seed : 2 / 51);
    ema200 += (now - ema200) * (i < 200 ? seed : 2 / 201);

    fast += (now - fast) * (i < MACD.fast ? seed : 2 / (MACD.fast + 1));
    slow += (now - slow) * (i < MACD.slow ? seed : 2 / (MACD.slow + 1));
    gap = fast - slow;
    const count = i - MACD.slow + 2;
    if (count > 0) signal += (gap - signal) * (count <= MACD.signal ? 1 / count : 2 / (MACD.signal + 1));

    const wilder = i < WILDER ? 1 / i : 1 / WILDER;
    const change = now - before;
    const size = Math.abs(change);
    gain += (0.5 * (size + change) - gain) * wilder;
    loss += (0.5 * (size - change) - loss) * wilder;

    const extent = Math.max(top, before) - Math.min(bottom, before);
    range += (extent - range) * wilder;
    atr[i] = range;
    const higher = top - high[i - 1]!;
    const deeper = low[i - 1]! - bottom;
    rise += (Number(higher > deeper) * 0.5 * (higher + Math.abs(higher)) - rise) * wilder;
    fall += (Number(deeper > higher) * 0.5 * (deeper + Math.abs(deeper)) - fall) * wilder;
    if (i >= WILDER) {
      const both = rise + fall;
      const index = both === 0 ? 0 : 100 * (Math.abs(rise - fall) / both);
      const days = i - WILDER + 1;
      strength += (index - strength) * (days < WILDER ? 1 / days : 1 / WILDER);
    }

    reach += (extent - reach) * (i < REACH.bars ? 1 / i : 1 / REACH.bars);
    if (i < REACH.bars) continue;
    const middle = (top + bottom) / 2;
    const above = middle + REACH.ranges * reach;
    const below = middle - REACH.ranges * reach;
    if (i === REACH.bars) [up, upper, lower] = [now >= middle, above, below];
    if (above < upper || before > upper) upper = above;
    if (below > lower || before < lower) lower = below;
    up = now > (up ? lower : upper);
  }
  const both = gain + loss;
  const scale = range === 0 ? 0 : 100 / range;
  return {
    atr: atr.fill(Number.NaN, 0, WILDER),
    ema20,
    ema50,
    ema200,
    rsi14: both === 0 ? 50 : 100 * (gain / both),
    histogram: gap - signal,
    adx14: strength,
    plus: rise * scale,
    minus: fall * scale,
    supertrend: up ? lower : upper,
    side: up ? 1 : -1,
  };
}
