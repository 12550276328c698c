import type { Random } from "../../../src/analytics/backtest/random.ts";
import type { Bars } from "../../../src/domain/market/bars.ts";

/** One bar as logs of its ratio to a close. */
export interface PlainBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Variance of its log return; only of bars of a path. */
  readonly variance?: number;
}

/** A past bar in units of its forecast volatility, and the error of the forecast of its log variance. */
export interface PlainEntry extends PlainBar {
  readonly error: number;
}

export interface PlainModel {
  /** Mean to which forecasts are drawn, and by which share. */
  readonly usual: number;
  readonly reversion: number;
  readonly next: number;
  readonly recent: readonly number[];
  /** Largest log variance of the bars; no bar of a path has a larger one. */
  readonly highest: number;
  readonly bank: readonly PlainEntry[];
}

export const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns ln(TR^2 / (4 ln 2)) of every bar after the first, TR = ln(max(h, c1) / min(l, c1)); null for TR = 0. */
export function plainVariances(bars: Pick<Bars, "high" | "low" | "close">): (number | null)[] {
  const [, ...later] = Array.from(bars.close.keys());
  return later.map((bar) => {
    const before = bars.close[bar - 1]!;
    const range = Math.log(Math.max(bars.high[bar]!, before)) - Math.log(Math.min(bars.low[bar]!, before));
    return range < 1e-6 ? null : 2 * Math.log(range) - Math.log(4 * Math.LN2);
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

/** Returns X drawn to the usual value by a share, of which a fall is not a part. */
const drawnForecast = (
  values: readonly number[],
  z: number,
  { usual, reversion }: Pick<PlainModel, "usual" | "reversion">,
): number => {
  const [calm, fallen] = [plainForecast(values, 0), plainForecast(values, z)];
  return (1 - reversion) * calm + reversion * usual + (fallen - calm);
};

/** Returns the mean of the log variances of bars with a range. */
export const usualOf = (values: readonly (number | null)[]): number =>
  average(values.filter((value) => value !== null));

/** Returns a log variance at most 5 from its forecast, which also replaces that of a bar without a range. */
const within5 = (value: number | null, forecast: number) =>
  value === null ? forecast : Math.min(forecast + 5, Math.max(forecast - 5, value));

/**
 * The model at the last bar from its description, in plain arrays. `fill` replaces the mean of the log variances, and
 * forecasts are drawn to that mean by the share `reversion`.
 */
export function plainModel(bars: Bars, fill?: number, reversion = 0): PlainModel {
  const count = bars.close.length;
  const own = plainVariances(bars);
  const usual = fill ?? usualOf(own);
  const filled = count <= 500 ? new Array<number>(250).fill(usual) : [];
  const values: number[] = [];
  for (const value of [...filled, ...own].slice(0, 250))
    values.push(within5(value, usualOf([...filled, ...own].slice(0, 250))));
  const forecastNext = (z: number) => drawnForecast(values, z, { usual, reversion });
  const entries: PlainEntry[] = [];
  let z = 0;
  for (let at = 250; at < filled.length + own.length; at++) {
    const forecast = forecastNext(z);
    const bar = at + 1 - filled.length;
    const before = bars.close[bar - 1]!;
    const termOf = (price: number) => Math.log(price / before) / Math.exp(forecast / 2);
    const farthest = Math.max(termOf(bars.high[bar]!), -termOf(bars.low[bar]!));
    const share = farthest > 12 ? 12 / farthest : 1;
    values.push(within5(own[at - filled.length]!, forecast));
    z = Math.max(-12, termOf(bars.close[bar]!));
    entries.push({
      open: share * termOf(bars.open[bar]!),
      high: share * termOf(bars.high[bar]!),
      low: share * termOf(bars.low[bar]!),
      close: share * termOf(bars.close[bar]!),
      error: values[at]! - forecast,
    });
  }
  const newest = entries.slice(-1_000);
  const middle = average(newest.map(({ close }) => close));
  return {
    usual,
    reversion,
    next: forecastNext(z),
    recent: values.slice(-250),
    highest: Math.max(...values),
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
  { next, recent, highest, bank, ...pull }: PlainModel,
  {
    paths,
    bars,
    drift,
    random,
  }: { readonly paths: number; readonly bars: number; readonly drift: number; readonly random: Random },
): PlainBar[][] {
  const mean = average(bank.map(({ close }) => close));
  const bankVariance = bank.reduce((sum, { close }) => sum + (close - mean) ** 2, 0) / (bank.length - 1);
  return Array.from({ length: paths }, () => {
    const blocks = Array.from({ length: 12 }, () => random.below(bank.length - 4));
    const entries = blocks.flatMap((start) => bank.slice(start, start + 5)).slice(0, bars);
    const values = [...recent];
    const path: PlainBar[] = [];
    let forecast = next;
    for (const { open, high, low, close, error } of entries) {
      const before = path.at(-1)?.close ?? 0;
      const at = (term: number) => before + drift + Math.exp(forecast / 2) * term;
      const variance = Math.exp(forecast) * bankVariance;
      path.push({ open: at(open), high: at(high), low: at(low), close: at(close), variance });
      values.push(Math.min(highest, forecast + error));
      forecast = drawnForecast(values, close, pull);
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
  /** Number of bars until then. */
  readonly bars: number;
}

/** Returns how a trade from a price of 1 ends on a path of bars (prices): at an open beyond a level, the stop before the target, else at the last close. */
export function plainExit(path: readonly PlainBar[], { side, stop, target }: PlainPlan): PlainExit {
  const isLoss = (price: number) => (side === "LONG" ? price <= stop : price >= stop);
  const isGain = (price: number) => (side === "LONG" ? price >= target : price <= target);
  for (const [i, { open, high, low }] of path.entries()) {
    const bars = i + 1;
    const [worst, best] = side === "LONG" ? [low, high] : [high, low];
    if (isLoss(open)) return { outcome: "stop", price: open, bars };
    if (isGain(open)) return { outcome: "target", price: open, bars };
    if (isLoss(worst)) return { outcome: "stop", price: stop, bars };
    if (isGain(best)) return { outcome: "target", price: target, bars };
  }
  return { outcome: "neither", price: path.at(-1)!.close, bars: path.length };
}

/**
 * Returns the result of a trade from a price of 1 in units of its risk, less half the variance of the bars until its end,
 * which the mean of a price gains without drift.
 */
export const plainResult = (
  { price, bars }: PlainExit,
  { side, stop }: PlainPlan,
  path: readonly PlainBar[],
): number => {
  const half = path.slice(0, bars).reduce((sum, { variance = 0 }) => sum + variance / 2, 0);
  return side === "LONG" ? (price - 1 - half) / (1 - stop) : (1 - price + half) / (stop - 1);
};

/** Returns the prices of a bar given as logs. */
export const exponentials = ({ open, high, low, close, ...rest }: PlainBar): PlainBar => ({
  ...rest,
  open: Math.exp(open),
  high: Math.exp(high),
  low: Math.exp(low),
  close: Math.exp(close),
});
