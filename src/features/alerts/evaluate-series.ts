import type { WatchedSubscription, WatchRepository, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Ports } from "../../domain/ports.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { formatPauseReason } from "./alert-message.text.ts";
import { checkRuleSubscription, evaluateRule, parseRule } from "./evaluate-rule.ts";
import { evaluateSignal, type SignalPorts } from "./evaluate-signal.ts";
import { checkPriceSubscription } from "./price-subscription.ts";
import { findListed } from "./symbols.ts";

export type EvaluationPorts = SignalPorts & Pick<Ports, "quotes"> & { readonly book: WatchRepository };

/** The longest that one look may take: of many at one series none takes the time of another. */
const EVALUATION_TIMEOUT_MS = 60_000;

/** What a look came to. */
export interface EvaluationResult {
  /** When the newest closed bar closed, ISO 8601 UTC; null where no bar was read. */
  readonly closedAt: string | null;
  readonly changes: number;
  readonly alerts: number;
}

/** A series to be looked at, for whom. */
export interface SeriesWatch {
  readonly series: SeriesKey;
  /** Whether its signal is looked at: somebody follows it or is to be told. */
  readonly signal: boolean;
  /** Of its signal and rules. */
  readonly watchers: readonly WatchedSubscription[];
}

export interface EvaluationContext {
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** The same moment, for a look that may take so long. */
const withTimeout = ({ at, signal }: EvaluationContext): EvaluationContext => ({
  at,
  signal: AbortSignal.any([signal, AbortSignal.timeout(EVALUATION_TIMEOUT_MS)]),
});

/**
 * Looks at the signal and at each rule of one series and writes down what it noticed, one after the other: what fails leaves the
 * others alone, and the first failure is thrown when all have had their turn.
 */
export async function evaluateSeries(
  round: SeriesWatch,
  moment: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const rules = [...groupByRule(round.watchers)];
  const looks = [
    ...(round.signal ? [() => evaluateSeriesSignal(round, withTimeout(moment), ports)] : []),
    ...rules.map(
      ([text, own]) =>
        () =>
          evaluateSeriesRule(text, { ...round, watchers: own }, withTimeout(moment), ports),
    ),
  ];
  const failures: unknown[] = [];
  let sum: EvaluationResult = { closedAt: null, changes: 0, alerts: 0 };
  for (const look of looks)
    try {
      const { closedAt, changes, alerts } = await look();
      sum = {
        closedAt: sum.closedAt ?? closedAt,
        changes: sum.changes + changes,
        alerts: sum.alerts + alerts,
      };
    } catch (cause) {
      failures.push(cause);
    }
  if (failures.length > 0) throw failures[0];
  return sum;
}

async function evaluateSeriesSignal(
  { series, watchers }: SeriesWatch,
  { at, signal }: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const kept = await ports.book.state(series);
  const look = await evaluateSignal(series, kept, { watchers, at, signal }, ports);
  const { changed, alerts } = await saveEvaluation(ports.book, {
    series,
    at: at.getTime(),
    seen: [],
    ...look,
  });
  return { closedAt: look.decidedAt, changes: changed ? 1 : 0, alerts };
}

async function evaluateSeriesRule(
  text: string,
  { series, watchers }: SeriesWatch,
  { at, signal }: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const { market, symbols, book } = ports;
  const { instrument } = symbols.resolve(series.symbol);
  const look = await evaluateRule(parseRule(text), { ...series, instrument }, signal, ports);
  if (look === null) return { closedAt: null, changes: 0, alerts: 0 };
  const seen = watchers.flatMap(
    (watcher) => checkRuleSubscription(watcher, series, { at, look, market }) ?? [],
  );
  const { alerts } = await saveEvaluation(book, { ...NO_SIGNAL, series, at: at.getTime(), seen });
  return { closedAt: look.series.as_of, changes: 0, alerts };
}

const NO_SIGNAL = { state: null, change: null, alerts: [] } as const;

/** Those who watch the same rule. */
function groupByRule(
  watchers: readonly WatchedSubscription[],
): ReadonlyMap<string, readonly WatchedSubscription[]> {
  const found = new Map<string, WatchedSubscription[]>();
  for (const watcher of watchers) {
    const { on, rule } = watcher.subscription.condition;
    if (on === "rule" && rule !== null) found.set(rule, [...(found.get(rule) ?? []), watcher]);
  }
  return found;
}

/** Looks at the price of one symbol and writes down what it noticed. */
export async function evaluatePrice(
  symbol: string,
  watchers: readonly WatchedSubscription[],
  moment: EvaluationContext,
  ports: EvaluationPorts,
): Promise<EvaluationResult> {
  const { at, signal } = withTimeout(moment);
  const { instrument } = ports.symbols.resolve(symbol);
  const quote = await ports.quotes.latest(instrument, { signal });
  const seen = watchers.flatMap(
    (watcher) => checkPriceSubscription(watcher, symbol, { at, quote, market: ports.market }) ?? [],
  );
  const { alerts } = await saveEvaluation(ports.book, {
    ...NO_SIGNAL,
    series: { symbol, timeframe: "1d" },
    at: at.getTime(),
    seen,
  });
  return { closedAt: null, changes: 0, alerts };
}

/** Writes nothing where there is nothing to write. */
const saveEvaluation = (book: WatchRepository, { series, at, state, change, alerts, seen }: WatchUpdate) =>
  state === null && seen.length === 0
    ? { changed: false, alerts: 0 }
    : book.notice({ series, at, state, change, alerts, seen });

/** Why a symbol can be watched no more; null where it can. */
export function unlistedReason(symbol: string, ports: Pick<Ports, "symbols">): string | null {
  const found = findListed(symbol, ports.symbols);
  return "gone" in found ? found.gone : null;
}

/** Pauses those who watch a symbol that is gone, each with one last alert; returns how many were told. */
export async function pauseSubscriptions(
  { symbol, reason }: { readonly symbol: string; readonly reason: string },
  watchers: readonly WatchedSubscription[],
  at: Date,
  { book, market }: Pick<EvaluationPorts, "book" | "market">,
): Promise<number> {
  let told = 0;
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
    if (await book.pause(account, subscription_id, { reason, alert })) told += 1;
  }
  return told;
}
