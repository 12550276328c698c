import type { SignalStateRecord, WatchedSubscription, WatchUpdate } from "../../domain/alerts/alerts-port.ts";
import type { SignalChange } from "../../domain/alerts/changes.ts";
import type { SeriesKey } from "../../domain/alerts/changes-port.ts";
import type { Ports } from "../../domain/ports.ts";
import { ToolError } from "../../kernel/errors.ts";
import { isAhead } from "../../lib/expiry.ts";
import { idDigits } from "../../lib/id-digits.ts";
import { isStale } from "../../market/calendar/stale-bars.ts";
import { agedBars } from "../signal/notes.ts";
import { type Picture, type PicturePorts, pictureOf } from "../signal/picture.ts";
import { formatCheckStep, formatSignalChange, type SignalExits } from "./alert-message.text.ts";
import {
  detectChange,
  hasMissedBars,
  parseSignalState,
  stateTransition,
  toSignalState,
} from "./signal-state.ts";

export type SignalPorts = PicturePorts & Pick<Ports, "market">;

export interface SignalEvaluation extends Pick<WatchUpdate, "state" | "change" | "alerts"> {
  /** Close of the newest closed bar, ISO 8601 UTC. */
  readonly decidedAt: string;
}

interface SignalWatch {
  readonly watchers: readonly WatchedSubscription[];
  readonly at: Date;
  readonly signal: AbortSignal;
}

/**
 * Compares a signal with its stored state and creates alerts for the subscriptions to its change. Without a score, the
 * state stays unchanged and no alert is created.
 */
export async function evaluateSignal(
  { symbol, timeframe }: SeriesKey,
  stored: SignalStateRecord | null,
  { watchers, at, signal }: SignalWatch,
  ports: SignalPorts,
): Promise<SignalEvaluation> {
  const picture = await pictureOf({ symbol, timeframe, signal }, ports);
  if (picture.resolution.instrument.symbol !== symbol)
    throw new ToolError("UNKNOWN_SYMBOL", `${symbol} now resolves to another symbol`);
  const { decidedAt } = picture;
  const after = toSignalState(picture);
  const nothing = { decidedAt, change: null, alerts: [] };
  if (after === null) return { ...nothing, state: null };
  const before = parseSignalState(stored?.state ?? null);
  const step = stateTransition(before, after, at.toISOString());
  if (step === "same")
    return { ...nothing, state: { before: stored!.state, now: stored!.state, restarted: false } };
  const restarted = step === "sets" || hasMissedBars(before!, picture.series.bars);
  const state = { before: stored?.state ?? null, now: JSON.stringify(after), restarted };
  const { bars, source } = picture.series;
  const key = { market: ports.market.id, symbol, timeframe, at: at.toISOString() };
  const context = { ...key, price: bars.close.at(-1)!, source };
  // a change between stale bars raises no alert, but the state is updated
  const change = step === "sets" || isStale(agedBars(picture)) ? null : detectChange(before!, after, context);
  const alerts = change === null ? [] : buildAlerts(change, exitsOf(picture), watchers, ports);
  return { decidedAt, state, change, alerts };
}

/** Returns stop and first target of a signal in the fields of check_order; empty for WAIT, which has no side. */
function exitsOf({ consensus: { direction, levels } }: Picture): SignalExits {
  const [target] = levels.targets;
  if (direction === "WAIT") return {};
  return { stop_loss: levels.stop, ...(target !== undefined && { take_profit: target }) };
}

/**
 * Creates alerts for the subscriptions to this kind of change that were created before the bar closed, or in the future
 * because the clock was ahead.
 */
function buildAlerts(
  change: SignalChange,
  exits: SignalExits,
  watchers: readonly WatchedSubscription[],
  { market }: Pick<Ports, "market">,
): SignalEvaluation["alerts"] {
  const { symbol, timeframe, noticed_at, decided_at, source, price } = change;
  const wanted = watchers.filter(
    ({ subscription: { condition, created_at } }) =>
      condition.on === "signal" &&
      (created_at < decided_at || isAhead(Date.parse(created_at), Date.parse(noticed_at))) &&
      condition.changes.some((part) => change.changed.includes(part)),
  );
  return wanted.map(({ account, subscription: { subscription_id } }) => ({
    account,
    alert: {
      alert_id: `al_${idDigits(JSON.stringify([subscription_id, change.change_id]))}`,
      subscription_id,
      symbol,
      timeframe,
      fired_at: noticed_at,
      as_of: decided_at,
      text: `${formatSignalChange(change)}${formatCheckStep(symbol, exits)}`,
      change,
      source,
      market: market.mode,
      figures: { price, score_before: change.before.score, score_after: change.after.score, ...exits },
    },
  }));
}
