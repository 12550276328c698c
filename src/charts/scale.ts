/** Vertical price scale between two heights of a picture; a higher price has a smaller y. */
export interface PriceScale {
  readonly low: number;
  readonly high: number;
  /** Round prices to draw lines at, ascending. */
  readonly ticks: readonly number[];
  /** Decimals needed to distinguish the ticks. */
  readonly decimals: number;
  /** Pixels from the top of the picture; linear in the price. */
  y(price: number): number;
}

export interface Heights {
  readonly top: number;
  readonly bottom: number;
}

/** Margin above and below, as a share of the range. */
const MARGIN = 0.04;
/** Ranges smaller than this share of the price count as flat: doubles cannot represent finer steps. */
const FLAT = 1e-9;
const FLAT_MARGIN = 0.01;
const TICKS = 9;

/** Returns the lowest and the highest finite number; [Infinity, -Infinity] if there is none. */
export function extent(values: Iterable<number>): readonly [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values)
    if (Number.isFinite(value)) [least, most] = [Math.min(least, value), Math.max(most, value)];
  return [least, most];
}

/**
 * Returns the scale that shows all of `prices`, ignoring those that are not finite numbers. If all prices are equal,
 * they lie in the middle.
 */
export function priceScale(prices: Iterable<number>, { top, bottom }: Heights): PriceScale {
  let [least, most] = extent(prices);
  if (least > most) [least, most] = [0, 0];
  const size = Math.max(Math.abs(least), Math.abs(most));
  const isFlat = most - least <= size * FLAT;
  const margin = isFlat ? (size === 0 ? 1 : size * FLAT_MARGIN) : (most - least) * MARGIN;
  const low = least >= 0 && !isFlat ? Math.max(0, least - margin) : least - margin;
  const high = most + margin;
  const { ticks, decimals } = roundTicks(low, high);
  const unit = (bottom - top) / (high - low);
  return { low, high, ticks, decimals, y: (price) => bottom - (price - low) * unit };
}

/** Returns multiples of 1, 2, 2.5 or 5 times a power of ten from `low` to `high`. */
function roundTicks(low: number, high: number): Pick<PriceScale, "ticks" | "decimals"> {
  const rough = (high - low) / TICKS;
  const power = Math.floor(Math.log10(rough));
  const lead = [1, 2, 2.5, 5, 10].find((each) => each * 10 ** power >= rough * 0.999) ?? 10;
  const step = lead * 10 ** power;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  const decimals = Math.max(0, -power + (lead === 2.5 ? 1 : lead === 10 ? -1 : 0));
  return {
    ticks: Array.from({ length: Math.max(0, count) }, (_, i) => (first + i) * step),
    decimals: Math.min(decimals, 20),
  };
}
