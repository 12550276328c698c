import { type Adjustment, type Bars, mapColumns } from "../../src/domain/market/bars.ts";

const DAY = 86_400_000;
const FIRST = Date.UTC(2020, 0, 1);

/** Numbers in [0, 1) determined by the seed. @see George Marsaglia, "Xorshift RNGs" (2003) */
export function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * A made-up market of `count` daily bars, the same for the same seed: a random walk of about 1.5% per bar whose drift
 * changes sign every 60 bars; weekdays only, unless it trades around the clock.
 */
export function syntheticBars(seed: number, count: number, zone: Bars["zone"] = "America/New_York"): Bars {
  const random = randomFrom(seed);
  const columns = Array.from({ length: 6 }, () => new Float64Array(count));
  const [time, open, high, low, close, volume] = columns as [Float64Array, ...Float64Array[]] &
    Float64Array[];
  let day = FIRST;
  let price = 50 + 100 * random();
  for (let i = 0; i < count; i++) {
    while (zone !== "UTC" && [0, 6].includes(new Date(day).getUTCDay())) day += DAY;
    const drift = 0.003 * (Math.floor(i / 60) % 2 === seed % 2 ? 1 : -1);
    const begin = price * (1 + 0.004 * (random() - 0.5));
    price = begin * (1 + drift + 0.05 * (random() - 0.5));
    time[i] = day;
    open![i] = begin;
    close![i] = price;
    high![i] = Math.max(begin, price) * (1 + 0.012 * random());
    low![i] = Math.min(begin, price) * (1 - 0.012 * random());
    volume![i] = Math.round(1e6 * (0.4 + random() + (random() < 0.05 ? 3 : 0)));
    day += DAY;
  }
  return {
    time,
    open: open!,
    high: high!,
    low: low!,
    close: close!,
    volume: volume!,
    timeframe: "1d",
    adjustment: "split",
    zone,
  };
}

/** Daily bars around given closes. Default: open, high and low equal the close, volume is 1000. */
export function barsAround(
  close: readonly number[],
  columns: {
    readonly high?: readonly number[];
    readonly low?: readonly number[];
    readonly volume?: readonly number[];
  } = {},
): Bars {
  return {
    time: Float64Array.from(close, (_, i) => FIRST + i * DAY),
    open: Float64Array.from(close),
    high: Float64Array.from(columns.high ?? close),
    low: Float64Array.from(columns.low ?? close),
    close: Float64Array.from(close),
    volume: Float64Array.from(columns.volume ?? close.map(() => 1000)),
    timeframe: "1d",
    adjustment: "split",
    zone: "UTC",
  };
}

/** `syntheticBars` of which about a share, 0-1, has no trade: its four prices are the close before it. */
export function thinBars(seed: number, count: number, share: number): Bars {
  const bars = syntheticBars(seed, count);
  const random = randomFrom(seed + 1);
  for (let i = 1; i < count; i++) {
    if (random() >= share) continue;
    for (const column of ["open", "high", "low", "close"] as const) bars[column][i] = bars.close[i - 1]!;
    bars.volume[i] = 0;
  }
  return bars;
}

/** Bars whose prices before `index` are ten times those after it. */
export const splitAt = (bars: Bars, index: number, adjustment: Adjustment): Bars => ({
  ...mapColumns(bars, (column, name) =>
    name === "time"
      ? column
      : column.map((value, i) => (i < index ? value * (name === "volume" ? 0.1 : 10) : value)),
  ),
  adjustment,
});
