import type { Metrics } from "../../domain/backtest/metrics.ts";
import { mean, sum, variance } from "../statistics.ts";
import type { Figure } from "./return-figures.ts";
import type { Trade } from "./types.ts";

const DAY_MS = 86_400_000;

/** Returns metrics of closed trades, each a number or the reason why it is undefined. `bar` is the bar length in ms. */
export function tradeFigures(trades: readonly Trade[], bar: number) {
  const returns = trades.map((trade) => trade.return);
  const profits = trades.map(({ profit }) => profit);
  const lengths = trades.map(({ entryTime, exitTime }) => (exitTime - entryTime) / DAY_MS);
  const some = (figure: () => number): Figure => (trades.length === 0 ? "no trades" : figure());
  return {
    win_rate: some(() => 100 * winRate(profits)),
    best_trade_pct: some(() => 100 * Math.max(...ends(returns))),
    worst_trade_pct: some(() => 100 * Math.min(...ends(returns))),
    avg_trade_pct: some(() => 100 * geometric(returns)),
    expectancy_pct: some(() => 100 * mean(returns)),
    profit_factor: profitFactor(returns),
    sqn: quality(profits),
    kelly: kelly(profits),
    max_trade_days: some(() => Math.max(...ends(lengths))),
    avg_trade_days: some(() => roundUp(mean(lengths), bar)),
  } satisfies Partial<Record<keyof Metrics, Figure>>;
}

/** Rounds days up to a multiple of the bar length, as the reference does for mean durations. */
export function roundUp(days: number, bar: number): number {
  const bars = (days * DAY_MS) / bar;
  const near = Math.round(bars);
  return ((Math.abs(bars - near) < 1e-9 ? near : Math.ceil(bars)) * bar) / DAY_MS;
}

const winRate = (profits: readonly number[]): number =>
  profits.filter((profit) => profit > 0).length / profits.length;

/** Returns the minimum and maximum without spreading a long list over call arguments. */
const ends = (values: readonly number[]): readonly [number, number] =>
  values.reduce<[number, number]>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );

/** Returns the geometric mean return; 0 if a trade lost all its value or more, as in the reference. */
function geometric(returns: readonly number[]): number {
  if (returns.some((value) => value <= -1)) return 0;
  return Math.expm1(sum(returns.map(Math.log1p)) / returns.length);
}

function profitFactor(returns: readonly number[]): Figure {
  if (returns.length === 0) return "no trades";
  const lost = sum(returns.filter((value) => value < 0));
  return lost === 0 ? "no losing trade" : sum(returns.filter((value) => value > 0)) / -lost;
}

function quality(profits: readonly number[]): Figure {
  if (profits.length < 2) return profits.length === 0 ? "no trades" : "fewer than two trades";
  const spread = variance(profits);
  return spread > 0 ? (Math.sqrt(profits.length) * mean(profits)) / Math.sqrt(spread) : "no variance";
}

function kelly(profits: readonly number[]): Figure {
  if (profits.length === 0) return "no trades";
  const won = profits.filter((profit) => profit > 0);
  const lost = profits.filter((profit) => profit < 0);
  if (won.length === 0) return "no winning trade";
  if (lost.length === 0) return "no losing trade";
  const p = winRate(profits);
  return p - (1 - p) / (mean(won) / -mean(lost));
}
