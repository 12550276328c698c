import type { Random } from "../../../src/analytics/backtest/random.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** One bar as logs of its ratio to a close. */
export interface PlainBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A past bar in units of its forecast volatility, and the error of the forecast of its log variance. */
export interface PlainEntry extends PlainBar {
  readonly error: number;
}

export interface PlainModel {
  readonly next: number;
  readonly recent: readonly number[];
  readonly bank: readonly PlainEntry[];
}

export const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns ln(max(TR^2 / (4 ln 2), 2.5e-7)) of every bar after the first, TR = ln(max(h, c1) / min(l, c1)). */
export function plainVariances(bars: Pick<Bars, "high" | "low" | "close">): number[] {
  const [, ...later] = Array.from(bars.close.keys());
  return later.map((bar) => {
    const before = bars.close[bar - 1]!;
    const range = Math.log(Math.max(bars.high[bar]!, before)) - Math.log(Math.min(bars.low[bar]!, before));
    return Math.max(2 * Math.log(range) - Math.log(4 * Math.LN2), Math.log(2.5e-7));
  });
}

/** Returns X of the bar that follows log variances, after a bar with the close term z. */
export const plainForecast = (values: readonly number[], z: number): number =>
  -0.3176 +
  0.1433 * values.at(-1)! +
  0.3517 * average(values.slice(-5)) +
  0.3645 * average(values.slice(-22)) +
  0.1078 * average(values.slice(-250)) -
  0.076 * Math.min(0, z);

/** The model at the last bar from its description, in plain arrays. `fill` replaces the mean of the log variances. */
export function plainModel(bars: Bars, fill?: number): PlainModel {
  const count = bars.close.length;
  const own = plainVariances(bars);
  const filled = count <= 500 ? new Array<number>(250).fill(fill ?? average(own)) : [];
  const values = [...filled, ...own];
  const entries: PlainEntry[] = [];
  let z = 0;
  for (let at = 250; at < values.length; at++) {
    const forecast = plainForecast(values.slice(0, at), z);
    const bar = at + 1 - filled.length;
    const scaled = (column: Float64Array) =>
      Math.log(column[bar]! / bars.close[bar - 1]!) / Math.exp(forecast / 2);
    z = scaled(bars.close);
    entries.push({
      open: scaled(bars.open),
      high: scaled(bars.high),
      low: scaled(bars.low),
      close: z,
      error: values[at]! - forecast,
    });
  }
  const newest = entries.slice(-1_000);
  const middle = average(newest.map(({ close }) => close));
  return {
    next: plainForecast(values, z),
    recent: values.slice(-250),
    bank: newest.map(({ open, high, low, close, error }) => ({
      open: open - middle,
      high: high - middle,
      low: low - middle,
      close: close - middle,
      error,
    })),
  };
}

/** Returns whole paths of bars, as logs of their ratio to the last close; each draws twelve blocks of five bars. */
export function plainPaths(
  { next, recent, bank }: PlainModel,
  {
    paths,
    bars,
    drift,
    random,
  }: { readonly paths: number; readonly bars: number; readonly drift: number; readonly random: Random },
): PlainBar[][] {
  return Array.from({ length: paths }, () => {
    const blocks = Array.from({ length: 12 }, () => random.below(bank.length - 4));
    const entries = blocks.flatMap((start) => bank.slice(start, start + 5)).slice(0, bars);
    const values = [...recent];
    const path: PlainBar[] = [];
    let forecast = next;
    for (const { open, high, low, close, error } of entries) {
      const before = path.at(-1)?.close ?? 0;
      const at = (term: number) => before + drift + Math.exp(forecast / 2) * term;
      path.push({ open: at(open), high: at(high), low: at(low), close: at(close) });
      values.push(forecast + error);
      forecast = plainForecast(values, close);
    }
    return path;
  });
}

/** A trade from a price of 1. */
export interface PlainPlan {
  readonly side: "LONG" | "SHORT";
  readonly stop: number;
  readonly target: number;
}

export interface PlainExit {
  readonly outcome: "stop" | "target" | "neither";
  readonly price: number;
}

/** Returns how a trade from a price of 1 ends on a path of bars (prices): at an open beyond a level, the stop before the target, else at the last close. */
export function plainExit(path: readonly PlainBar[], { side, stop, target }: PlainPlan): PlainExit {
  const isLoss = (price: number) => (side === "LONG" ? price <= stop : price >= stop);
  const isGain = (price: number) => (side === "LONG" ? price >= target : price <= target);
  for (const { open, high, low } of path) {
    const [worst, best] = side === "LONG" ? [low, high] : [high, low];
    if (isLoss(open)) return { outcome: "stop", price: open };
    if (isGain(open)) return { outcome: "target", price: open };
    if (isLoss(worst)) return { outcome: "stop", price: stop };
    if (isGain(best)) return { outcome: "target", price: target };
  }
  return { outcome: "neither", price: path.at(-1)!.close };
}

/** Returns the result of a trade from a price of 1 in units of its risk. */
export const plainResult = ({ price }: PlainExit, { side, stop }: PlainPlan): number =>
  side === "LONG" ? (price - 1) / (1 - stop) : (1 - price) / (stop - 1);

/** Returns the prices of a bar given as logs. */
export const exponentials = ({ open, high, low, close }: PlainBar): PlainBar => ({
  open: Math.exp(open),
  high: Math.exp(high),
  low: Math.exp(low),
  close: Math.exp(close),
});
