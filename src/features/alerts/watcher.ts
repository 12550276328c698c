import type { WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import type { Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError, type ErrorCode } from "../../kernel/errors.ts";
import { forEachConcurrent } from "../../lib/concurrency.ts";
import { isAhead } from "../../lib/expiry.ts";
import type { ChangeFeed } from "./change-feed.ts";
import {
  type EvaluationPorts,
  type EvaluationResult,
  evaluatePrice,
  evaluateSeries,
  pauseSubscriptions,
  unlistedReason,
} from "./evaluate-series.ts";
import { duePrices, type EvaluationTask, priceTasks, seriesTasks, taskKey } from "./evaluation-tasks.ts";
import {
  evaluateNow,
  type NextEvaluation,
  nextEvaluation,
  nextEvaluationAfterFailure,
} from "./next-evaluation.ts";
import { createPriceStreams } from "./price-streams.ts";

const MINUTE = 60_000;
/** Maximum interval between ticks; bounds the delay in noticing new subscriptions, clock changes and prices. */
const MAX_TICK_MS = MINUTE;
const MAX_CONCURRENT = 4;
/** Time for which a symbol may be missing from the listings before its subscriptions are paused. */
const UNLISTED_GRACE_MS = { live: 60 * MINUTE, files: 0, sample: 0 } as const;

export interface WatcherOptions
  extends EvaluationPorts,
    Pick<Ports, "clock" | "log">,
    Partial<Pick<Ports, "quoteStreams">> {
  readonly changes: Pick<ChangeFeed, "followed" | "onFollow" | "wake">;
  /** Called after alerts were stored. */
  readonly onAlerts?: () => void;
  /** Returns true when the account's subscriptions are evaluated. Default: always. */
  readonly hasActiveEntitlement?: (account: string) => Promise<boolean>;
}

export interface EvaluationReport {
  /** Number of series and prices evaluated. */
  readonly evaluated: number;
  readonly changes: number;
  readonly alerts: number;
  readonly failed: readonly { readonly symbol: string; readonly code: ErrorCode }[];
}

/** Evaluates the watched series and prices of one market and stores changes. */
export interface Watcher {
  /** Evaluates all watched series and prices immediately; rejects once the watcher is closed. */
  evaluate(): Promise<EvaluationReport>;
  /**
   * Starts evaluating subscriptions as their bars close, and prices every minute and when a streamed one crosses a level.
   * Returns a function that ends this.
   */
  start(): () => Promise<void>;
  /** Cancels running evaluations. */
  close(): Promise<void>;
}

/**
 * Creates the watcher of a process. Followed series (`changes`) are evaluated immediately; subscriptions only after
 * `start`. Several processes may share a store: only one of them writes each change.
 */
export function createWatcher({
  changes,
  onAlerts = () => {},
  hasActiveEntitlement = async () => true,
  ...ports
}: WatcherOptions): Watcher {
  const { repository, clock, log, market } = ports;
  const closing = new AbortController();
  const due = new Map<string, NextEvaluation>();
  const unlistedSince = new Map<string, number>();
  const failing = new Set<string>();
  let pricesAt = 0;
  let roundAt = 0;
  let started = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const { quoteStreams } = ports;
  const streams =
    quoteStreams === undefined
      ? null
      : createPriceStreams({ ...ports, quoteStreams, onCrossed: () => void tick() });

  async function evaluateTask(task: EvaluationTask, at: Date): Promise<EvaluationResult> {
    const { symbol, watchers, round, streamed } = task;
    const reason = unlistedReason(symbol, ports);
    if (reason !== null)
      return { closedAt: null, changes: 0, alerts: await pauseIfUnlisted(task, reason, at) };
    unlistedSince.delete(symbol);
    const { signal } = closing;
    return round === null
      ? evaluatePrice(symbol, watchers, { at, signal, ...(streamed && { streamed }) }, ports)
      : evaluateSeries(round, { at, signal }, ports);
  }

  async function pauseIfUnlisted(
    { symbol, watchers }: EvaluationTask,
    reason: string,
    at: Date,
  ): Promise<number> {
    const since = unlistedSince.get(symbol) ?? at.getTime();
    unlistedSince.set(symbol, since);
    if (at.getTime() - since < UNLISTED_GRACE_MS[market.mode]) return 0;
    return pauseSubscriptions({ symbol, reason }, watchers, at, ports);
  }

  /** Runs rounds one after the other, because each reads the state that the previous one stored. */
  function run(all: boolean): Promise<EvaluationReport> {
    const current = last.then(() => round(all));
    last = current.catch(() => undefined);
    return current;
  }

  /** Returns the active subscriptions of entitled accounts. */
  async function entitledSubscriptions(): Promise<readonly WatchedSubscription[]> {
    const all = await repository.activeSubscriptions();
    const accounts = [...new Set(all.map(({ account }) => account))];
    const entitled = new Set<string>();
    for (const account of accounts) if (await hasActiveEntitlement(account)) entitled.add(account);
    return all.filter(({ account }) => entitled.has(account));
  }

  async function round(all: boolean): Promise<EvaluationReport> {
    closing.signal.throwIfAborted();
    const at = clock.now();
    const now = at.getTime();
    if (isAhead(roundAt, now)) {
      // the clock was set back: no scheduled time holds
      due.clear();
      pricesAt = now;
    }
    roundAt = now;
    const watching = await entitledSubscriptions();
    const withSubscriptions = started || all;
    const moment = { due, now: all ? null : now, withSubscriptions };
    const tasks = [...seriesTasks(watching, changes.followed(), moment)];
    if (withSubscriptions) {
      const prices = priceTasks(watching);
      const crossed = streams?.take() ?? new Map<string, Quote>();
      const areDue = all || now >= pricesAt;
      if (areDue) pricesAt = now + MAX_TICK_MS;
      tasks.push(...duePrices(prices, { areDue, crossed }));
    }
    const sum = { evaluated: 0, changes: 0, alerts: 0 };
    const failed: { symbol: string; code: ErrorCode }[] = [];
    await forEachConcurrent(MAX_CONCURRENT, tasks, async (task) => {
      if (closing.signal.aborted) return;
      const key = taskKey(task);
      try {
        const result = await evaluateTask(task, at);
        sum.evaluated += 1;
        sum.changes += result.changes;
        sum.alerts += result.alerts;
        failing.delete(key);
        scheduleNext(task, now, result.closedAt);
      } catch (cause) {
        if (closing.signal.aborted) return;
        const { code } = asToolError(cause);
        failed.push({ symbol: task.symbol, code });
        if (!failing.has(key)) log.warn("watch_failed", { watched: key, code, cause });
        failing.add(key);
        if (task.round !== null)
          due.set(key, nextEvaluationAfterFailure(due.get(key) ?? evaluateNow(now), now));
      }
    });
    if (started) await followPrices(watching);
    if (sum.changes > 0) await changes.wake();
    if (sum.alerts > 0) onAlerts();
    return { ...sum, failed };
  }

  /** Follows the streams of the symbols with price alerts, with the state that this round has stored. */
  async function followPrices(before: readonly WatchedSubscription[]): Promise<void> {
    if (streams === null) return;
    const stored = priceTasks(before).length === 0 ? [] : await entitledSubscriptions();
    if (closing.signal.aborted) return;
    streams.watch(new Map(priceTasks(stored).map(({ symbol, watchers }) => [symbol, watchers])));
  }

  function scheduleNext(task: EvaluationTask, now: number, closedAt: string | null): void {
    const assetClass = ports.symbols.find(task.symbol)?.instrument.asset_class;
    if (task.round === null || assetClass === undefined) return;
    const key = taskKey(task);
    const { timeframe } = task.round.series;
    const before = due.get(key) ?? evaluateNow(now);
    due.set(key, nextEvaluation(before, { now, closedAt, timeframe, assetClass }));
  }

  function wait(): void {
    clearTimeout(timer);
    if (closing.signal.aborted || !(started || changes.followed().length > 0)) return;
    const now = clock.now().getTime();
    const next = Math.min(now + MAX_TICK_MS, ...[...due.values()].map(({ at }) => at));
    timer = setTimeout(() => void tick(), Math.max(1, next - now)).unref();
  }

  async function tick(): Promise<void> {
    try {
      await run(false);
    } catch (cause) {
      if (!closing.signal.aborted) log.warn("watch_round_failed", { cause });
    }
    wait();
  }

  changes.onFollow(() => void tick());
  return {
    evaluate: () => run(true),
    start() {
      started = true;
      void tick();
      return async () => {
        started = false;
        await last;
        streams?.close();
      };
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      streams?.close();
      await last;
    },
  };
}
