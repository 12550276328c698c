import type { WatchedSubscription, WatchRepository, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Quote } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { groupBy } from "../../lib/group-by.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { withTimeLimit } from "../../lib/time-limit.ts";
import { formatPauseReason } from "./alert-message.text.ts";
import { checkRuleSubscription, evaluateRule, parseRule } from "./evaluate-rule.ts";
import { evaluateSignal, type SignalPorts } from "./evaluate-signal.ts";
import { checkPriceSubscription } from "./price-subscription.ts";
import { findListed } from "./symbols.ts";

export type EvaluationPorts = SignalPorts & Pick<Ports, "quotes"> & { readonly repository: WatchRepository };

/** Timeout of one evaluation, so that a slow series does not delay the others. */
const EVALUATION_TIMEOUT_MS = 60_000;

export interface EvaluationResult {
  /** Close of the newest closed bar, ISO 8601 UTC; null when no bar was read. */
  readonly closedAt: string | null;
  readonly changes: number;
  readonly alerts: number;
}

export interface SeriesWatch {
  readonly series: SeriesKey;
  /** True when a listener follows its signal or a subscription watches it. */
  readonly signal: boolean;
  /** Subscriptions to its signal and rules. */
  readonly watchers: readonly WatchedSubscription[];
}

export interface EvaluationContext {
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** Runs one evaluation with the evaluation timeout. */
const evaluateInTime = <T>(
  { at, signal }: EvaluationContext,
  evaluate: (moment: EvaluationContext) => Promise<T>,
): Promise<T> => withTimeLimit(EVALUATION_TIMEOUT_MS, signal, (limited) => evaluate({ at, signal: limited }));

/**
 * Evaluates the signal and each rule of a series, one after the other, and stores the results. A failure does not stop
 * the others; the first failure is thrown at the end.
 */
export async function evaluateSeries(
  watch: SeriesWatch,
  moment: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const rules = [...groupByRule(watch.watchers)];
  const evaluations = [
    ...(watch.signal
      ? [() => evaluateInTime(moment, (limited) => evaluateSeriesSignal(watch, limited, ports))]
      : []),
    ...rules.map(
      ([text, watchers]) =>
        () =>
          evaluateInTime(moment, (limited) =>
            evaluateSeriesRule(text, { ...watch, watchers }, limited, ports),
          ),
    ),
  ];
  const failures: unknown[] = [];
  let total: EvaluationResult = { closedAt: null, changes: 0, alerts: 0 };
  for (const evaluation of evaluations)
    try {
      const { closedAt, changes, alerts } = await evaluation();
      total = {
        closedAt: total.closedAt ?? closedAt,
        changes: total.changes + changes,
        alerts: total.alerts + alerts,
      };
    } catch (cause) {
      failures.push(cause);
    }
  if (failures.length > 0) throw failures[0];
  return total;
}

async function evaluateSeriesSignal(
  { series, watchers }: SeriesWatch,
  { at, signal }: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const stored = await ports.repository.state(series);
  const { decidedAt, ...evaluation } = await evaluateSignal(series, stored, { watchers, at, signal }, ports);
  const update = { ...evaluation, series, at: at.getTime(), seen: [] };
  const { changed, alerts } = await saveEvaluation(ports.repository, update);
  return { closedAt: decidedAt, changes: changed ? 1 : 0, alerts };
}

async function evaluateSeriesRule(
  text: string,
  { series, watchers }: SeriesWatch,
  { at, signal }: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const { market, symbols, repository } = ports;
  const { instrument } = symbols.resolve(series.symbol);
  const evaluation = await evaluateRule(parseRule(text), { ...series, instrument }, signal, ports);
  if (evaluation === null) return { closedAt: null, changes: 0, alerts: 0 };
  const context = { at, evaluation, asset_class: instrument.asset_class, market };
  const seen = watchers.flatMap((watcher) => checkRuleSubscription(watcher, series, context) ?? []);
  const { alerts } = await saveEvaluation(repository, { ...NO_SIGNAL, series, at: at.getTime(), seen });
  return { closedAt: evaluation.series.as_of, changes: 0, alerts };
}

const NO_SIGNAL = { state: null, change: null, alerts: [] } as const;

function groupByRule(
  watchers: readonly WatchedSubscription[],
): ReadonlyMap<string, readonly WatchedSubscription[]> {
  const onRules = watchers.flatMap((watcher) => {
    const { on, rule } = watcher.subscription.condition;
    return on === "rule" && rule !== null ? [{ rule, watcher }] : [];
  });
  const groups = groupBy(onRules, ({ rule }) => rule);
  return new Map([...groups].map(([rule, group]) => [rule, group.map(({ watcher }) => watcher)]));
}

/**
 * Evaluates the price of a symbol and stores the result. Default of `streamed`: the latest price is requested, which is
 * then checked; so is a streamed price that is not confirmed.
 */
export async function evaluatePrice(
  symbol: string,
  watchers: readonly WatchedSubscription[],
  { at, signal, streamed }: EvaluationContext & { readonly streamed?: Quote },
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const { instrument } = ports.symbols.resolve(symbol);
  const quote =
    (streamed?.price_source === "unconfirmed_quote" ? undefined : streamed) ??
    (await withTimeLimit(EVALUATION_TIMEOUT_MS, signal, (limited) =>
      ports.quotes.latest(instrument, { signal: limited }),
    ));
  const { market, repository } = ports;
  const seen = watchers.flatMap(
    (watcher) => checkPriceSubscription(watcher, instrument, { at, quote, market }) ?? [],
  );
  const series = { symbol, timeframe: "1d" } as const;
  const { alerts } = await saveEvaluation(repository, { ...NO_SIGNAL, series, at: at.getTime(), seen });
  return { closedAt: null, changes: 0, alerts };
}

/** Stores an evaluation unless it is empty. */
const saveEvaluation = async (repository: WatchRepository, update: WatchUpdate) =>
  update.state === null && update.seen.length === 0 ? { changed: false, alerts: 0 } : repository.save(update);

/** Returns the reason why a symbol can no longer be watched; null when it can. */
export function unlistedReason(symbol: string, ports: Pick<Ports, "symbols">): string | null {
  const found = findListed(symbol, ports.symbols);
  return "gone" in found ? found.gone : null;
}

/** Pauses the subscriptions of an unlisted symbol, each with a final alert; returns how many were paused. */
export async function pauseSubscriptions(
  { symbol, reason }: { readonly symbol: string; readonly reason: string },
  watchers: readonly WatchedSubscription[],
  at: Date,
  { repository, market }: Pick<EvaluationPorts, "repository" | "market">,
): Promise<number> {
  let paused = 0;
  const now = at.toISOString();
  for (const { account, subscription } of watchers) {
    const { subscription_id, timeframe } = subscription;
    const alert = {
      alert_id: `al_${idDigits(JSON.stringify([subscription_id, symbol, "gone"]))}`,
      subscription_id,
      symbol,
      timeframe,
      fired_at: now,
      as_of: now,
      text: formatPauseReason(reason),
      change: null,
      figures: {},
      source: "symbol directory",
      market: market.mode,
    };
    if (await repository.pause(account, subscription_id, { reason, alert })) paused += 1;
  }
  return paused;
}
