import type { Bars } from "../../../src/domain/market/bars.ts";

export type OracleType = "SPRING" | "SOS" | "LPS" | "UTAD" | "SOW" | "LPSY";

/** An event that satisfies the written rules on finished bars. */
export interface OracleEvent {
  readonly type: OracleType;
  readonly bar: number;
  readonly confirmedAt: number;
  readonly context: "after_decline" | "after_advance" | "none";
  readonly range: Edges;
}

/** A trading range from the viewpoint of its side, so mirrored for the bearish one. */
export interface Edges {
  readonly low: number;
  readonly high: number;
  readonly first: number;
}

interface Side {
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  readonly atr: Float64Array;
}

/**
 * Every Spring, SOS, LPS and their mirrors that the definitions allow, by brute force over bars and windows. Springs
 * are listed in any context; later events only after a decline or an advance. Shares no code with the detectors under
 * test.
 */
export function oracleEvents(bars: Bars): readonly OracleEvent[] {
  const minus = (x: Float64Array) => x.map((value) => -value);
  const atr = averageRange(bars);
  const buying = { high: bars.high, low: bars.low, close: bars.close, volume: bars.volume, atr };
  const selling = { ...buying, high: minus(bars.low), low: minus(bars.high), close: minus(bars.close) };
  return [
    ...eventsOf(buying, ["SPRING", "SOS", "LPS"], false),
    ...eventsOf(selling, ["UTAD", "SOW", "LPSY"], true),
  ].sort((a, b) => a.bar - b.bar);
}

/** Wilder's average of the true range over 14 bars; NaN during warm-up. */
export function averageRange({ high, low, close }: Pick<Bars, "high" | "low" | "close">): Float64Array {
  const ranges = close.map((_, i) =>
    i === 0
      ? 0
      : Math.max(high[i]! - low[i]!, Math.abs(high[i]! - close[i - 1]!), Math.abs(low[i]! - close[i - 1]!)),
  );
  const out = new Float64Array(close.length).fill(Number.NaN);
  if (out.length < 15) return out;
  out[14] = ranges.subarray(1, 15).reduce((sum, range) => sum + range, 0) / 14;
  for (let i = 15; i < out.length; i++) out[i] = (out[i - 1]! * 13 + ranges[i]!) / 14;
  return out;
}

function eventsOf(
  side: Side,
  [spring, sign, point]: readonly OracleType[],
  mirrored: boolean,
): OracleEvent[] {
  const springs: OracleEvent[] = [];
  for (let t = 35; t < side.close.length; t++) {
    const found = springAt(side, t);
    if (found !== null) springs.push({ ...found, type: spring! });
  }
  const inContext = apart(springs.filter(({ context }) => context !== "none"));
  const without = apart(springs.filter(({ context }) => context === "none"));
  const signs = apart(inContext.flatMap((one) => signAfter(side, one, sign!)));
  const points = apart(signs.flatMap((one) => pointAfter(side, one, point!)));
  const swap = { after_decline: "after_advance", after_advance: "after_decline", none: "none" } as const;
  return [...inContext, ...without, ...signs, ...points].map((one) =>
    mirrored ? { ...one, context: swap[one.context] } : one,
  );
}

/** Merges events less than 5 bars after the previous one into it. */
function apart(events: readonly OracleEvent[]): OracleEvent[] {
  const merged: OracleEvent[] = [];
  for (const event of [...events].sort((a, b) => a.bar - b.bar))
    if (merged.length === 0 || event.bar - merged.at(-1)!.bar >= 5) merged.push(event);
  return merged;
}

/** The trading range that ends with a bar, by the longest valid window; null if there is none. */
function rangeAt({ high, low, close, atr }: Side, end: number): Edges | null {
  const a = atr[end]!;
  for (let w = Math.min(90, end + 1); w >= 20; w--) {
    const first = end - w + 1;
    let [top, bottom] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let i = first; i <= end; i++) {
      top = Math.max(top, high[i]!);
      bottom = Math.min(bottom, low[i]!);
    }
    const height = top - bottom;
    if (!(height >= 3 * a && height <= 9 * a)) continue;
    if (!touchedTwice((i) => high[i]! >= top - 0.5 * a, first, end)) continue;
    if (!touchedTwice((i) => low[i]! <= bottom + 0.5 * a, first, end)) continue;
    if (Math.abs(slope(close, first, end) * w) <= 0.5 * height) return { low: bottom, high: top, first };
  }
  return null;
}

function touchedTwice(touches: (bar: number) => boolean, first: number, end: number): boolean {
  let earliest = -1;
  for (let i = first; i <= end; i++) {
    if (!touches(i)) continue;
    if (earliest < 0) earliest = i;
    else if (i - earliest >= 4) return true;
  }
  return false;
}

/** Least-squares slope: price per bar. */
function slope(close: Float64Array, first: number, end: number): number {
  const middle = (first + end) / 2;
  let [products, squares] = [0, 0];
  for (let i = first; i <= end; i++) {
    products += (i - middle) * (close[i]! - close[end]!);
    squares += (i - middle) ** 2;
  }
  return products / squares;
}

const clear = (x: Float64Array, from: number, to: number): number =>
  x
    .subarray(Math.max(0, from), to)
    .reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);

function springAt(side: Side, t: number): Omit<OracleEvent, "type"> | null {
  const { high, low, close, atr } = side;
  const a = atr[t - 1]!;
  if (clear(low, t - 20, t) - low[t]! < 0.1 * a) return null; // no window's low lies above that of its last 20 bars
  const range = rangeAt(side, t - 1);
  if (range === null) return null;
  const depth = range.low - low[t]!;
  const height = range.high - range.low;
  if (!(depth >= 0.1 * a && depth <= 1.5 * a && depth <= height / 3)) return null;
  for (let now = t; now <= t + 2 && now < close.length; now++) {
    if (close[now]! < low[t]!) return null;
    const upperHalf = close[now]! - low[now]! >= high[now]! - close[now]!;
    if (close[now]! > range.low && upperHalf)
      return { bar: t, confirmedAt: now, context: contextOf(side, range), range };
  }
  return null;
}

function contextOf({ close }: Side, { first, high, low }: Edges): OracleEvent["context"] {
  if (first < 40) return "none";
  const change = (close[first]! - close[first - 40]!) / (high - low);
  return change < -0.75 ? "after_decline" : change > 0.75 ? "after_advance" : "none";
}

function signAfter(side: Side, spring: OracleEvent, type: OracleType): OracleEvent[] {
  const { high, low, close, volume, atr } = side;
  const { range } = spring;
  for (let t = spring.bar + 1; t <= spring.bar + 40 && t < close.length; t++) {
    if (close[t]! < low[spring.bar]!) return [];
    if (t < spring.confirmedAt || close[t]! <= range.high) continue;
    const trueRange = Math.max(high[t]!, close[t - 1]!) - Math.min(low[t]!, close[t - 1]!);
    const usual = volume.subarray(t - 20, t).reduce((sum, v) => sum + v, 0) / 20;
    const upperThird = high[t]! - close[t]! <= (high[t]! - low[t]!) / 3;
    if (trueRange >= atr[t - 1]! && upperThird && volume[t]! >= 1.2 * usual)
      return [{ ...spring, type, bar: t, confirmedAt: t }];
  }
  return [];
}

/** The first bar within 20 of the sign of strength that closes above the previous high after a valid pullback. */
function pointAfter(side: Side, sign: OracleEvent, type: OracleType): OracleEvent[] {
  const { high, low, close, volume, atr } = side;
  const middle = (sign.range.high + sign.range.low) / 2;
  const widths = close.map((_, i) =>
    i === 0 ? 0 : Math.max(high[i]!, close[i - 1]!) - Math.min(low[i]!, close[i - 1]!),
  );
  for (let t = sign.bar + 2; t <= sign.bar + 20 && t < close.length; t++) {
    if (close[t]! < middle) return [];
    if (!(close[t]! > high[t - 1]!)) continue;
    let top = sign.bar;
    for (let i = sign.bar; i < t; i++) if (high[i]! > high[top]!) top = i;
    const pullback = Array.from({ length: t - 1 - top }, (_, i) => top + 1 + i);
    if (pullback.length === 0) continue;
    const bottom = [...pullback, t].reduce((least, i) => (low[i]! < low[least]! ? i : least));
    const mean = (x: Float64Array) => pullback.reduce((sum, i) => sum + x[i]!, 0) / pullback.length;
    const deepest = Math.max(middle, sign.range.high - atr[bottom - 1]!);
    if (
      low[bottom]! >= deepest &&
      mean(volume) <= 0.8 * volume[sign.bar]! &&
      mean(widths) < widths[sign.bar]!
    )
      return [{ ...sign, type, bar: bottom, confirmedAt: t }];
  }
  return [];
}

/** The range that ends with a bar and its context, in market prices; null if no window is valid. */
export function oracleRange(bars: Bars, end: number): (Edges & Pick<OracleEvent, "context">) | null {
  const side = { ...bars, atr: averageRange(bars) };
  const range = rangeAt(side, end);
  return range === null ? null : { ...range, context: contextOf(side, range) };
}
