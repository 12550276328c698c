import type { Bars } from "../../../src/domain/market/bars.ts";
import type { Random } from "./random.ts";

/** A planned bar: the target price and how far noise may move it, or the exact bar. All in ATR of the series. */
export interface Step {
  readonly level: number;
  readonly floor?: number;
  readonly ceiling?: number;
  readonly exactly?: { readonly low: number; readonly high: number; readonly close: number };
  /** Multiple of the usual volume. */
  readonly volume?: number;
  /** Share of the noise applied to this bar; default 1. */
  readonly calm?: number;
}

/** How a series is drawn around its steps; unknown to the detectors. */
export interface Hand {
  /** Standard deviation of the noise around the steps, in ATR. */
  readonly noise: number;
  /** Autocorrelation of the noise from one bar to the next. */
  readonly memory: number;
  /** Logarithmic price change per ATR. */
  readonly atr: number;
  readonly price: number;
  /** 1 as planned, -1 mirrored. */
  readonly sign: 1 | -1;
}

const DAY = 86_400_000;
const FIRST = Date.UTC(2015, 0, 1);

/**
 * Daily bars around a plan: autoregressive noise on its levels, clamped to floors and ceilings, with wicks that bring
 * the mean true range to about 1 ATR.
 */
export function layBars(steps: readonly Step[], hand: Hand, random: Random): Bars {
  const size = steps.length;
  const [open, high, low, close, volume] = Array.from({ length: 5 }, () => new Float64Array(size)) as Columns;
  const step = hand.noise * Math.sqrt(1 - hand.memory ** 2);
  const wick = Math.max(0.08, (0.72 - 0.8 * hand.noise * Math.sqrt(2 * (1 - hand.memory))) / 2);
  let noise = 0;
  let before = steps[0]!.level;
  for (const [i, plan] of steps.entries()) {
    noise = hand.memory * noise + step * random.normal();
    const calm = plan.calm ?? 1;
    const within = (x: number) =>
      Math.min(plan.ceiling ?? Number.POSITIVE_INFINITY, Math.max(plan.floor ?? Number.NEGATIVE_INFINITY, x));
    const upper = -Math.log(1 - random.unit()) * wick * calm;
    const lower = -Math.log(1 - random.unit()) * wick * calm;
    const gap = 0.1 * random.normal();
    const loud = Math.exp(0.25 * random.normal());
    const ends = plan.exactly?.close ?? within(plan.level + calm * noise);
    const top = plan.exactly?.high;
    const bottom = plan.exactly?.low;
    const first = within(before + gap);
    const begins = top === undefined ? first : Math.min(top, Math.max(bottom!, first));
    const highest = top ?? within(Math.max(begins, ends) + upper);
    const lowest = bottom ?? within(Math.min(begins, ends) - lower);
    const range = Math.max(highest, before) - Math.min(lowest, before);
    volume[i] = Math.round(1e6 * loud * (plan.volume ?? 0.75 + 0.25 * Math.min(2, range)));
    noise = ends - plan.level;
    before = ends;
    const priceOf = (x: number) => hand.price * Math.exp(hand.sign * hand.atr * x);
    open[i] = priceOf(begins);
    close[i] = priceOf(ends);
    high[i] = priceOf(hand.sign === 1 ? highest : lowest);
    low[i] = priceOf(hand.sign === 1 ? lowest : highest);
  }
  const time = Float64Array.from(steps, (_, i) => FIRST + i * DAY);
  return { time, open, high, low, close, volume, timeframe: "1d", adjustment: "split", zone: "UTC" };
}

type Columns = [Float64Array, Float64Array, Float64Array, Float64Array, Float64Array];

/** Levels in a straight line from one bar after `from` up to `to`. */
export const line = (from: number, to: number, bars: number, held: Omit<Step, "level"> = {}): Step[] =>
  Array.from({ length: bars }, (_, i) => ({ ...held, level: from + ((to - from) * (i + 1)) / bars }));
