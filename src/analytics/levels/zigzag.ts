/** A swing extreme confirmed by a later bar. */
export interface Pivot {
  readonly kind: "high" | "low";
  /** Bar of the extreme. */
  readonly index: number;
  readonly price: number;
  /** Bar that confirmed the turn; the pivot is unknown before. */
  readonly confirmedAt: number;
}

/**
 * Returns confirmed pivots, oldest first, alternating highs and lows. A swing turns at the first bar whose low (after
 * a high) or high (after a low) is `k` ATRs of that bar away from the extreme of earlier bars. Uses no bar after
 * `confirmedAt`; the last, unconfirmed extreme is omitted. O(n).
 */
export function zigzag(high: Float64Array, low: Float64Array, atr: Float64Array, k = 3): Pivot[] {
  const pivots: Pivot[] = [];
  let rising = true;
  let falling = true; // before the first turn both directions are possible
  let top = 0;
  let bottom = 0;
  for (let bar = 1; bar < high.length; bar++) {
    const reach = k * atr[bar]!;
    const turnsDown = rising && reach > 0 && high[top]! - low[bar]! >= reach;
    const turnsUp = falling && reach > 0 && high[bar]! - low[bottom]! >= reach;
    if (turnsDown && !turnsUp) {
      pivots.push({ kind: "high", index: top, price: high[top]!, confirmedAt: bar });
      bottom = lowestAfter(low, top, bar);
      [rising, falling] = [false, true];
    } else if (turnsUp && !turnsDown) {
      pivots.push({ kind: "low", index: bottom, price: low[bottom]!, confirmedAt: bar });
      top = highestAfter(high, bottom, bar);
      [rising, falling] = [true, false];
    } else {
      if (high[bar]! > high[top]!) top = bar;
      if (low[bar]! < low[bottom]!) bottom = bar;
    }
  }
  return pivots;
}

function highestAfter(high: Float64Array, start: number, end: number): number {
  let top = end;
  for (let bar = end - 1; bar > start; bar--) if (high[bar]! >= high[top]!) top = bar;
  return top;
}

function lowestAfter(low: Float64Array, start: number, end: number): number {
  let bottom = end;
  for (let bar = end - 1; bar > start; bar--) if (low[bar]! <= low[bottom]!) bottom = bar;
  return bottom;
}
