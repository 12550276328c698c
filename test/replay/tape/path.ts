import { bell, draw, keyOf, unit } from "../../../src/providers/sample/draws.ts";
import type { DayCandle } from "./candle.ts";

/** One tick covers five seconds and is known when they are over. */
export const TICK = 5_000;
export const BUCKET = 300_000;
const BUCKET_TICKS = BUCKET / TICK;

/** A time of trading without a pause: a session, the hours before or after one, a UTC day. */
export interface Stretch {
  /** Epoch ms. */
  readonly start: number;
  /** A multiple of a bucket's. */
  readonly ticks: number;
  readonly candle: DayCandle;
  readonly key: number;
}

/** Five-minute bars of a stretch, in dollars and shares or coins; the last may be unfinished. */
export interface Buckets {
  readonly start: number;
  /** When the last of its ticks was. */
  readonly end: number;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

type Pin = readonly [index: number, price: number];

/**
 * Prices of a stretch, tick by tick, in the units of its candle: begins at its open, touches its high and low,
 * ends at its close. Bridges halved at midpoints.
 * @see Fournier, Fussell and Carpenter, "Computer Rendering of Stochastic Models" (1982)
 */
export function pathOf({ ticks, candle, key }: Stretch): Float64Array {
  const { open, high, low, close, spread } = candle;
  const path = new Float64Array(ticks);
  const step = spread / (2 * Math.sqrt(ticks));
  const ofPath = keyOf(key, "path");
  const pins: readonly Pin[] = [[0, open], ...turns(ticks, candle, key), [ticks - 1, close]];
  for (const [index, price] of pins) path[index] = price;

  const pending = new Int32Array(64);
  let waiting = 0;
  for (let i = 1; i < pins.length; i++) {
    pending[waiting++] = pins[i - 1]![0];
    pending[waiting++] = pins[i]![0];
  }
  while (waiting > 0) {
    const end = pending[--waiting]!;
    const start = pending[--waiting]!;
    if (end - start < 2) continue;
    const middle = (start + end) >> 1;
    const wish = (path[start]! + path[end]!) / 2 + step * Math.sqrt(end - start) * bell(draw(ofPath, middle));
    const folded = wish > high ? 2 * high - wish : wish < low ? 2 * low - wish : wish;
    path[middle] = Math.floor(Math.min(high, Math.max(low, folded)) + 0.5);
    pending[waiting++] = start;
    pending[waiting++] = middle;
    pending[waiting++] = middle;
    pending[waiting++] = end;
  }
  return path;
}

/** Ticks at which the stretch makes its high and low, in order; never its first or last. */
function turns(ticks: number, { open, high, low, close }: DayCandle, key: number): readonly [Pin, Pin] {
  const inner = ticks / 2 - 1;
  // an odd and an even place can never be the same tick
  const odd = 2 * ((draw(keyOf(key, "odd"), 0) >>> 1) % inner) + 1;
  const even = 2 * ((draw(keyOf(key, "even"), 0) >>> 1) % inner) + 2;
  const lowFirst = unit(draw(keyOf(key, "order"), 0)) < (close >= open ? 0.75 : 0.25);
  const [first, second] = lowFirst ? [low, high] : [high, low];
  return [
    [Math.min(odd, even), first],
    [Math.max(odd, even), second],
  ];
}

/** How many ticks of a stretch are over at an instant. */
export const ticksOver = ({ start, ticks }: Stretch, now: number): number =>
  Math.min(ticks, Math.max(0, Math.floor((now - start) / TICK)));

/** The five-minute bars of the first `over` ticks. */
export function bucketsOf({ start, ticks, candle, key }: Stretch, path: Float64Array, over = ticks): Buckets {
  const { scale, parts, volume: whole } = candle;
  const count = Math.ceil(over / BUCKET_TICKS);
  const column = () => new Float64Array(count);
  const [open, high, low, close, volume] = [column(), column(), column(), column(), column()];
  const share = shares(ticks / BUCKET_TICKS, keyOf(key, "volume"));
  let sold = 0;
  for (let i = 0; i < count; i++) {
    const first = i * BUCKET_TICKS;
    const end = Math.min(over, first + BUCKET_TICKS);
    let top = path[first]!;
    let bottom = top;
    for (let tick = first + 1; tick < end; tick++) {
      const price = path[tick]!;
      if (price > top) top = price;
      if (price < bottom) bottom = price;
    }
    const by = share[i]! + ((share[i + 1]! - share[i]!) * (end - first)) / BUCKET_TICKS;
    const soldBy = end === ticks ? whole : Math.floor(whole * by);
    open[i] = path[first]! / scale;
    high[i] = top / scale;
    low[i] = bottom / scale;
    close[i] = path[end - 1]! / scale;
    volume[i] = (soldBy - sold) / parts;
    sold = soldBy;
  }
  return { start, end: start + over * TICK, open, high, low, close, volume };
}

/** Share of the volume traded by the start of each bucket: busier at both ends, uneven between. */
function shares(buckets: number, key: number): Float64Array {
  const sum = new Float64Array(buckets + 1);
  for (let i = 0; i < buckets; i++) {
    const fromMiddle = (2 * i + 1) / buckets - 1;
    sum[i + 1] = sum[i]! + (0.7 + 0.9 * fromMiddle * fromMiddle) * (0.4 + 1.2 * unit(draw(key, i)));
  }
  const all = sum[buckets]!;
  return sum.map((part) => part / all);
}
