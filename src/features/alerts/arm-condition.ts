import { levelsBeyond } from "../../analytics/conditions/crossing.ts";
import type { Condition } from "../../domain/alerts/alerts.ts";
import type { Timeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { Ports } from "../../domain/ports.ts";
import { asToolError } from "../../kernel/errors.ts";
import { evaluateRule, parseRule, serializeRuleState } from "./evaluate-rule.ts";
import type { SignalPorts } from "./evaluate-signal.ts";
import { serializePriceSide, serializeStalePrice, stalePriceReason } from "./price-subscription.ts";

export type ArmPorts = SignalPorts & Pick<Ports, "quotes">;

/** State of a condition for one symbol when it is armed. */
export interface ConditionStatus {
  readonly symbol: string;
  /** true: no alert is sent until the condition has been false and becomes true again. null: not known yet. */
  readonly holds: boolean | null;
  readonly text: string;
}

interface ArmedCondition {
  readonly status: ConditionStatus;
  /** State from which the watcher continues; null when its first evaluation arms the condition. */
  readonly initialState: string | null;
}

const unarmed = (symbol: string, reason: string): ArmedCondition => ({
  status: { symbol, holds: null, text: `${reason}: the first evaluation arms the condition.` },
  initialState: null,
});

interface ArmRequest {
  readonly condition: Condition;
  readonly timeframe: Timeframe;
  readonly signal: AbortSignal;
}

/**
 * Evaluates the condition for one symbol now. If this fails with a code other than INTERNAL, the watcher's first
 * evaluation arms the condition.
 */
export async function armCondition(
  instrument: Instrument,
  request: ArmRequest,
  ports: ArmPorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  try {
    if (request.condition.on === "price") return await armPrice(instrument, request, ports);
    if (request.condition.on === "rule") return await armRule(instrument, request, ports);
  } catch (cause) {
    request.signal.throwIfAborted();
    const { code, message } = asToolError(cause);
    if (code === "INTERNAL") throw cause;
    return unarmed(symbol, message);
  }
  return {
    status: {
      symbol,
      holds: null,
      text: `Triggers when a future ${request.timeframe} bar close changes the signal.`,
    },
    initialState: null,
  };
}

async function armPrice(
  instrument: Instrument,
  { condition, signal }: ArmRequest,
  ports: ArmPorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  const quote = await ports.quotes.latest(instrument, { signal });
  if (quote.origin?.stale === true) return unarmed(symbol, "No provider responds");
  const stale = stalePriceReason(instrument, quote, ports.clock.now());
  if (stale !== null)
    return {
      status: { symbol, holds: null, text: `Not armed. ${stale}` },
      initialState: serializeStalePrice(null, stale),
    };
  const now = levelsBeyond(condition, quote.price);
  const holds = now.above || now.below;
  const price = `${quote.price} USD at ${quote.timestamp} from ${quote.source}`;
  const side = now.above ? `above ${condition.above} USD` : `below ${condition.below} USD`;
  const text = holds
    ? `Already ${side}, ${price}: triggers after the price returns and crosses the level again.`
    : `Armed at ${price}.`;
  return { status: { symbol, holds, text }, initialState: serializePriceSide(now, quote) };
}

async function armRule(
  instrument: Instrument,
  { condition, timeframe, signal }: ArmRequest,
  ports: ArmPorts,
): Promise<ArmedCondition> {
  const { symbol } = instrument;
  const evaluation = await evaluateRule(parseRule(condition.rule!), { instrument, timeframe }, signal, ports);
  if (evaluation === null) return unarmed(symbol, "Too few bars for this rule yet");
  const holds = evaluation.held.at(-1) === 1;
  const closed = `at the close of ${evaluation.series.as_of}, on bars from ${evaluation.series.source}`;
  const text = holds
    ? `Already true ${closed}: triggers after it has been false and becomes true again.`
    : `Armed: not true ${closed}.`;
  return { status: { symbol, holds, text }, initialState: serializeRuleState(evaluation) };
}
