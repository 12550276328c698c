import { conditionTransitions } from "../../analytics/conditions/crossing.ts";
import { type Rule, type RuleColumn, ruleColumn, ruleOf } from "../../analytics/conditions/rule.ts";
import { newestTape, type SignalSnapshot } from "../../analytics/decisions/rules.ts";
import type { ConditionUpdate, WatchedSubscription } from "../../domain/alerts/alerts-port.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { BarSeries, Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isAhead } from "../../lib/expiry.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { barCloseMs } from "../../market/calendar/calendar.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import { type Picture, pictureOf } from "../signal/picture.ts";
import { formatRuleAlert } from "./alert-message.text.ts";
import type { SignalPorts } from "./evaluate-signal.ts";

/** Number of bars read beyond the warm-up, so that averages do not depend on the start of the history. */
const EXTRA_BARS = 500;
const WARMUP_FACTOR = 4;

/** A rule evaluated over the newest bars of a symbol. */
export interface RuleEvaluation extends RuleColumn {
  readonly series: BarSeries & { readonly as_of: string };
  /** Index of the first bar at which the rule is known; the last bar when the rule has signal terms. */
  readonly firstKnownBar: number;
}

/** Parses a rule. @throws ToolError INVALID_INPUT listing every problem */
export function parseRule(text: string): Rule {
  const rule = ruleOf(text);
  if ("plan" in rule) return rule;
  throw new ToolError("INVALID_INPUT", rule.problems.map(({ message }) => message).join("; "), {
    hint: 'A rule is one condition, or several joined by "and" or by "or": "rsi(14) < 30 and close > sma(200)".',
    data: { errors: rule.problems.map(({ message }) => ({ pointer: "/rule", detail: message })) },
  });
}

/**
 * Evaluates a rule on the closed bars of a series; null when there is too little data. Signal terms are evaluated at the
 * two newest bars.
 */
export async function evaluateRule(
  rule: Rule,
  { instrument, timeframe }: { readonly instrument: Instrument } & Pick<SeriesKey, "timeframe">,
  signal: AbortSignal,
  ports: SignalPorts,
): Promise<RuleEvaluation | null> {
  const limit = WARMUP_FACTOR * rule.needs.minBars + EXTRA_BARS;
  const found = await ports.bars.history(instrument, { timeframe, limit, signal });
  const { bars, as_of } = found;
  const last = bars.time.length - 1;
  if (as_of === null || last < 1) return null;
  const series = { ...found, as_of };
  if (!rule.needs.tape) {
    const column = ruleColumn(rule, bars);
    return column.start > last ? null : { ...column, series, firstKnownBar: column.start };
  }
  const before = new Date(barCloseMs(bars.time[last - 1]!, timeframe, bars.zone)).toISOString();
  const pictures = await Promise.all(
    [before, as_of].map((moment) =>
      pictureOf({ symbol: instrument.symbol, timeframe, as_of: moment, signal }, ports),
    ),
  );
  if (pictures.some(({ consensus }) => consensus.score === null)) return null;
  const column = ruleColumn(rule, bars, newestTape(bars.time.length, pictures.map(toSignalValues)));
  return column.start > last ? null : { ...column, series, firstKnownBar: last };
}

const toSignalValues = ({ consensus, structure }: Picture): SignalSnapshot => ({
  score: consensus.score,
  grade: consensus.grade,
  direction: consensus.direction,
  phase: structure.wyckoff.phase === "Undetermined" ? null : structure.wyckoff.phase,
  drivers: Object.fromEntries(consensus.drivers.map(({ id, value }) => [id, value])),
});

/** State of a rule at the last evaluated bar. */
interface RuleState {
  readonly held: boolean;
  /** Start of that bar, epoch ms. */
  readonly time: number;
}

/** Serializes the state stored per subscription and symbol. */
export const serializeRuleState = ({ held, series }: RuleEvaluation): string =>
  JSON.stringify({ held: held.at(-1) === 1, time: series.bars.time.at(-1)! } satisfies RuleState);

/** Parses a stored state; null if there is none, or if it is from the future because a clock was ahead. */
function parseRuleState(text: string | undefined, now: Date): RuleState | null {
  const state: RuleState | null = text === undefined ? null : JSON.parse(text);
  return state === null || isAhead(state.time, now.getTime()) ? null : state;
}

/**
 * Returns one alert for each bar since the last evaluation at which the rule became true, none when the bars are stale;
 * null when no bar is new.
 */
export function checkRuleSubscription(
  { account, subscription, seen }: WatchedSubscription,
  { symbol, timeframe }: SeriesKey,
  {
    at,
    evaluation,
    asset_class,
    market,
  }: { readonly at: Date; readonly evaluation: RuleEvaluation } & Pick<Instrument, "asset_class"> &
    Pick<Ports, "market">,
): ConditionUpdate | null {
  const { series, held, firstKnownBar: known, figuresAt } = evaluation;
  const { bars, source } = series;
  const before = parseRuleState(seen[symbol], at);
  const time = bars.time.at(-1)!;
  if (before !== null && time <= before.time) return null;
  const next = before === null ? 0 : bars.time.findIndex((start) => start > before.time);
  const transitions = conditionTransitions(before?.held ?? null, held, Math.max(next, known));
  const stale = isStale({ closed: series.as_of, at: at.getTime(), timeframe, asset_class });
  const { subscription_id, condition } = subscription;
  const rule = condition.rule!;
  return {
    account,
    subscription: subscription_id,
    symbol,
    before: seen[symbol] ?? null,
    now: serializeRuleState(evaluation),
    alerts: (stale ? [] : transitions.at).map((bar) => {
      const closed = new Date(barCloseMs(bars.time[bar]!, timeframe, bars.zone)).toISOString();
      const as_of = bar === bars.time.length - 1 ? series.as_of : closed;
      const figures = { close: bars.close[bar]!, ...figuresAt(bar) };
      return {
        alert_id: `al_${idDigits(JSON.stringify([subscription_id, symbol, bars.time[bar]]))}`,
        subscription_id,
        symbol,
        timeframe,
        fired_at: at.toISOString(),
        as_of,
        text: formatRuleAlert({ symbol, timeframe, rule, source }, figures, as_of),
        change: null,
        figures,
        source,
        market: market.mode,
      };
    }),
  };
}
