import type { Time } from "lightweight-charts";

export interface ChartBar {
  readonly datetime: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** null if the source states none. */
  readonly volume: number | null;
}

export type Tone = "up" | "down" | "warn" | "accent" | "flat";

/** A mark at a bar. */
export interface ChartEvent {
  readonly date: string;
  readonly side: "above" | "below";
  readonly text: string;
  readonly tone: Tone;
}

export interface ChartLevel {
  readonly price: number;
  readonly text: string;
  readonly tone: Tone;
}

export interface ChartPlan {
  readonly entryLow: number;
  readonly entryHigh: number;
  readonly stop: number;
  readonly target: number;
}

/** Range of the close after a number of bars. */
export interface FanBand {
  readonly bars: number;
  readonly p5: number;
  readonly p95: number;
  readonly p25?: number;
  readonly p75?: number;
  readonly p50?: number;
}

export interface ChartRange {
  readonly low: number;
  readonly high: number;
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

export interface ChartPoint {
  readonly date: string;
  readonly price: number;
  readonly text: string;
}

/** Something that happened at a time: a headline, a report. It is drawn at the lower edge, also after the last bar. */
export interface ChartMark {
  readonly date: string;
  readonly kind: "news" | "earnings" | "dividend" | "split";
}

/** A price at which much traded off the exchanges. */
export interface ChartPrint {
  readonly price: number;
  /** Of the largest one, 0-1. */
  readonly share: number;
  readonly text: string;
}

/** Values of one indicator, one for each bar. */
export interface ChartIndicator {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

export interface PriceChartData {
  /** Closed bars, oldest first. */
  readonly bars: readonly ChartBar[];
  readonly forming: ChartBar | null;
  readonly plan: ChartPlan | null;
  readonly levels: readonly ChartLevel[];
  readonly events: readonly ChartEvent[];
  readonly range?: ChartRange | null;
  readonly fan?: readonly FanBand[];
  readonly path?: readonly ChartPoint[];
  readonly marks?: readonly ChartMark[];
  readonly prints?: readonly ChartPrint[];
  readonly indicators?: readonly ChartIndicator[];
  /** Closes of another symbol at the same bars. */
  readonly compare?: { readonly name: string; readonly closes: readonly (number | null)[] } | null;
  /** Bars after the moment that the chart shows, drawn without colour. */
  readonly later?: readonly ChartBar[];
}

/** Returns the time of a bar as the chart takes it: a day as text, a moment in seconds. */
export const timeOf = (datetime: string): Time =>
  datetime.length === 10 ? datetime : (Math.floor(Date.parse(datetime) / 1_000) as Time);

/** Returns the index of the last bar that starts at or before a moment; -1 if all are later. */
export function indexAt(bars: readonly ChartBar[], datetime: string): number {
  const moment = Date.parse(datetime);
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(bars[middle]!.datetime) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the place of a moment in bars, also after the last one, where the newest bars tell the distance of two. */
export function placeOf(bars: readonly ChartBar[], datetime: string): number {
  const last = bars.length - 1;
  const index = indexAt(bars, datetime);
  if (index < last || last < 1) return index;
  const first = Math.max(0, last - 20);
  const [from, to] = [Date.parse(bars[first]!.datetime), Date.parse(bars[last]!.datetime)];
  return last + Math.floor(((Date.parse(datetime) - to) / (to - from)) * (last - first));
}

/** Returns the closes of another symbol, scaled so that both start at the same price. */
export function rebased(
  bars: readonly ChartBar[],
  other: readonly ChartBar[],
  from = 0,
): readonly (number | null)[] {
  const closes = new Map(other.map(({ datetime, close }) => [datetime, close]));
  const start = bars.findIndex(({ datetime }, index) => index >= from && closes.has(datetime));
  if (start < 0) return bars.map(() => null);
  const factor = bars[start]!.close / closes.get(bars[start]!.datetime)!;
  return bars.map(({ datetime }) => {
    const close = closes.get(datetime);
    return close === undefined ? null : close * factor;
  });
}
