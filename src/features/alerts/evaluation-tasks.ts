import type { WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Quote } from "../../domain/market/market.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { SeriesWatch } from "./evaluate-series.ts";
import type { NextEvaluation } from "./next-evaluation.ts";

/** Next evaluation of each series, and the current time; null evaluates everything. */
export interface Schedule {
  readonly due: Map<string, NextEvaluation>;
  readonly now: number | null;
  readonly withSubscriptions: boolean;
}

/** One series or price to evaluate. */
export interface EvaluationTask {
  readonly symbol: string;
  readonly watchers: readonly WatchedSubscription[];
  /** null for a price. */
  readonly round: SeriesWatch | null;
  /** Streamed price that crossed a level. Default: the price is requested. */
  readonly streamed?: Quote;
}

export const taskKey = ({ symbol, round }: EvaluationTask): string =>
  round === null ? `${symbol} price` : `${symbol} ${round.series.timeframe}`;

/**
 * Yields the series due at `now` (all series when null), each with its subscriptions, and removes other series from
 * the schedule. Without `withSubscriptions`, yields only followed series, with their signal subscriptions, because
 * no later evaluation would send alerts for the same bar.
 */
export function* seriesTasks(
  watching: readonly WatchedSubscription[],
  followed: readonly SeriesKey[],
  { due, now, withSubscriptions }: Schedule,
): Generator<EvaluationTask> {
  const found = new Map<string, { series: SeriesKey; signal: boolean; watchers: WatchedSubscription[] }>();
  const roundOf = (series: SeriesKey) => {
    const key = `${series.symbol} ${series.timeframe}`;
    const round = found.get(key) ?? { series, signal: false, watchers: [] };
    found.set(key, round);
    return round;
  };
  for (const series of followed) roundOf(series).signal = true;
  for (const watcher of watching) {
    const { symbols, timeframe, condition } = watcher.subscription;
    if (condition.on === "price") continue;
    for (const symbol of symbols) {
      if (!withSubscriptions && (condition.on !== "signal" || !found.has(`${symbol} ${timeframe}`))) continue;
      const round = roundOf({ symbol, timeframe });
      round.signal ||= condition.on === "signal";
      round.watchers.push(watcher);
    }
  }
  for (const key of due.keys()) if (!found.has(key)) due.delete(key);
  for (const [key, round] of found)
    if (now === null || (due.get(key)?.at ?? now) <= now)
      yield { symbol: round.series.symbol, watchers: round.watchers, round };
}

export function priceTasks(watching: readonly WatchedSubscription[]): readonly EvaluationTask[] {
  const onPrices = watching
    .filter(({ subscription }) => subscription.condition.on === "price")
    .flatMap((watcher) => watcher.subscription.symbols.map((symbol) => ({ symbol, watcher })));
  return [...groupBy(onPrices, ({ symbol }) => symbol)].map(([symbol, group]) => ({
    symbol,
    watchers: group.map(({ watcher }) => watcher),
    round: null,
  }));
}

/** Returns the prices to evaluate: all when they are due, otherwise those whose stream crossed a level. */
export const duePrices = (
  prices: readonly EvaluationTask[],
  { areDue, crossed }: { readonly areDue: boolean; readonly crossed: ReadonlyMap<string, Quote> },
): readonly EvaluationTask[] =>
  prices.flatMap((task) => {
    const streamed = crossed.get(task.symbol);
    if (streamed !== undefined) return [{ ...task, streamed }];
    return areDue ? [task] : [];
  });
