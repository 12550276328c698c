import type { Candle } from "./daily.ts";
import { bell, draw, keyOf, unit } from "./draws.ts";
import { startOf } from "./time.ts";

/** Length of a tick. The price of a tick is known at its end. */
export const TICK_MS = 5_000;
export const DAY_TICKS = 17_280;
export const BUCKET_TICKS = 60;
/** Returns the end of a tick of a day, epoch ms. */
export const tickEnd = (day: number, tick: number): number => startOf(day) + (tick + 1) * TICK_MS;
const NO_TICKS = new Float64Array(0);

/** Prices and volume over some ticks of a day, in the units of its candle. */
export type Span = Omit<Candle, "spread">;

/** A day at tick resolution. */
export interface Day {
  /**
   * Returns prices and volume of the ticks from `from` up to but not including `to`. `from` is the start of a bucket,
   * or both are in one bucket.
   */
  span(from: number, to: number): Span;
}

/**
 * Splits a candle into ticks with exactly its open, high, low and close. `length` is the number of ticks
 * that it covers, a multiple of the bucket length. Default: a UTC day.
 */
export function intraday(candle: Candle, key: number, length = DAY_TICKS): Day {
  const { open, high, low, close } = buckets(ticks(candle, key, 0, length, length));
  const share = volumeShares(keyOf(key, "volume"), length / BUCKET_TICKS);

  function sold(by: number): number {
    const bucket = Math.floor(by / BUCKET_TICKS);
    const startFraction = (by % BUCKET_TICKS) / BUCKET_TICKS;
    const next = share[bucket + 1] ?? 1;
    return Math.floor(candle.volume * (share[bucket]! + (next - share[bucket]!) * startFraction));
  }

  let newest = { to: 0, rest: NO_TICKS };
  /** Returns the ticks of the last bucket up to `to`; those of the last call are cached, as quotes repeat it. */
  function restOf(start: number, to: number): Float64Array {
    if (start === to) return NO_TICKS;
    // a copy, as the ticks are a view of the whole day
    if (newest.to !== to) newest = { to, rest: ticks(candle, key, start, to, length).slice() };
    return newest.rest;
  }

  function within(from: number, to: number): Span {
    const prices = ticks(candle, key, from, to, length);
    let top = prices[0]!;
    let bottom = top;
    for (const tick of prices) {
      if (tick > top) top = tick;
      if (tick < bottom) bottom = tick;
    }
    return { open: prices[0]!, high: top, low: bottom, close: prices.at(-1)!, volume: sold(to) - sold(from) };
  }

  function span(from: number, to: number): Span {
    if (from % BUCKET_TICKS !== 0) return within(from, to);
    const first = from / BUCKET_TICKS;
    const fullBuckets = Math.floor(to / BUCKET_TICKS);
    const rest = restOf(fullBuckets * BUCKET_TICKS, to);
    let top = Number.NEGATIVE_INFINITY;
    let bottom = Number.POSITIVE_INFINITY;
    for (let i = first; i < fullBuckets; i++) {
      if (high[i]! > top) top = high[i]!;
      if (low[i]! < bottom) bottom = low[i]!;
    }
    for (const tick of rest) {
      if (tick > top) top = tick;
      if (tick < bottom) bottom = tick;
    }
    return {
      open: fullBuckets === first ? rest[0]! : open[first]!,
      high: top,
      low: bottom,
      close: rest.at(-1) ?? close[fullBuckets - 1]!,
      volume: sold(to) - sold(from),
    };
  }
  return { span };
}

/**
 * Computes the prices of the ticks [from, to): bridges from the open through both extremes to the close, halved at
 * midpoints, so a tick has the same price whether it is computed separately or with its day.
 * @see Fournier, Fussell and Carpenter, "Computer Rendering of Stochastic Models" (1982)
 */
export function ticks(
  candle: Candle,
  key: number,
  from: number,
  to: number,
  length = DAY_TICKS,
): Float64Array {
  const path = new Float64Array(length);
  const step = stepOf(candle, length);
  const ofPath = keyOf(key, "path");

  const pins = pinsOf(candle, key, length);
  for (const [index, price] of pins) path[index] = price;
  // intervals still to be halved, as pairs; a stack is twice as fast as recursion here
  const pending = new Int32Array(64);
  let waiting = 0;
  for (let i = 1; i < pins.length; i++) {
    const [start, end] = [pins[i - 1]![0], pins[i]![0]];
    if (end - start < 2) continue;
    pending[waiting++] = start;
    pending[waiting++] = end;
  }
  while (waiting > 0) {
    const end = pending[--waiting]!;
    const start = pending[--waiting]!;
    if (start >= to - 1 || end <= from) continue;
    const middle = (start + end) >> 1;
    path[middle] = midpoint(candle, ofPath, step, middle, end - start, path[start]! + path[end]!);
    // half of all intervals have nothing between their ends
    if (middle - start > 1) {
      pending[waiting++] = start;
      pending[waiting++] = middle;
    }
    if (end - middle > 1) {
      pending[waiting++] = middle;
      pending[waiting++] = end;
    }
  }
  const out = path.subarray(from, to);
  // several times faster than Math.round, with the same result for prices
  for (let i = 0; i < out.length; i++) out[i] = Math.floor(out[i]! + 0.5);
  return out;
}

/** A tick and the price it must have. */
export type TickPin = readonly [index: number, price: number];

/** Returns the ticks whose price the candle determines, in order. */
export const pinsOf = (candle: Candle, key: number, length = DAY_TICKS): readonly TickPin[] => [
  [0, candle.open],
  ...extremes(candle, key, length),
  [length - 1, candle.close],
];

/** Returns the spread of a midpoint divided by the square root of the number of ticks it halves. */
export const stepOf = ({ spread }: Candle, length = DAY_TICKS): number => spread / (2 * Math.sqrt(length));

/**
 * Returns the price in the middle of `length` ticks, reflected into the candle's range. `ends` is the sum of the prices
 * at both ends.
 */
export function midpoint(
  { high, low }: Candle,
  ofPath: number,
  step: number,
  middle: number,
  length: number,
  ends: number,
): number {
  const wish = ends / 2 + step * Math.sqrt(length) * bell(draw(ofPath, middle));
  const folded = wish > high ? 2 * high - wish : wish < low ? 2 * low - wish : wish;
  return folded > high ? high : Math.max(low, folded);
}

/**
 * Returns the ticks of the day's high and low, in order. A rising day more often has its low first, a falling day its
 * high.
 */
function extremes(
  { open, high, low, close }: Candle,
  key: number,
  length: number,
): readonly [TickPin, TickPin] {
  const inner = length / 2 - 1;
  // one tick is odd and the other even, so they are never the same
  const odd = 2 * ((draw(keyOf(key, "odd"), 0) >>> 1) % inner) + 1;
  const even = 2 * ((draw(keyOf(key, "even"), 0) >>> 1) % inner) + 2;
  const lowFirst = unit(draw(keyOf(key, "order"), 0)) < (close >= open ? 0.75 : 0.25);
  const [first, second] = lowFirst ? [low, high] : [high, low];
  return [
    [Math.min(odd, even), first],
    [Math.max(odd, even), second],
  ];
}

function buckets(prices: Float64Array) {
  const count = prices.length / BUCKET_TICKS;
  const column = () => new Float64Array(count);
  const [open, high, low, close] = [column(), column(), column(), column()];
  for (let i = 0; i < count; i++) {
    const from = i * BUCKET_TICKS;
    let top = prices[from]!;
    let bottom = top;
    for (let tick = from + 1; tick < from + BUCKET_TICKS; tick++) {
      const price = prices[tick]!;
      if (price > top) top = price;
      if (price < bottom) bottom = price;
    }
    open[i] = prices[from]!;
    high[i] = top;
    low[i] = bottom;
    close[i] = prices[from + BUCKET_TICKS - 1]!;
  }
  return { open, high, low, close };
}

/**
 * Returns the share of the day's volume traded by the start of each bucket: trading is busier at both ends of
 * the day and uneven in between.
 */
function volumeShares(key: number, count: number): Float64Array {
  const sum = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    const fromNoon = (2 * i + 1) / count - 1;
    sum[i + 1] = sum[i]! + (0.7 + 0.9 * fromNoon * fromNoon) * (0.4 + 1.2 * unit(draw(key, i)));
  }
  const all = sum[count]!;
  return sum.map((part) => part / all);
}
