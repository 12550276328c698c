import type { LevelSide } from "../../analytics/conditions/crossing.ts";
import { driverName } from "../../analytics/drivers/table.ts";
import type { DriverMove, SignalChange, Verdict } from "../../domain/alerts/changes.ts";
import { shownScore } from "../../domain/figures.ts";
import type { Quote } from "../../domain/market/market.ts";
import { formatGrade } from "../../domain/signal/grade.text.ts";
import { rounded } from "../../lib/rounded.ts";

/** Maximum number of drivers named in a sentence. */
const MAX_NAMED_DRIVERS = 3;

const formatVerdict = ({ direction, grade, score }: Verdict): string =>
  `${direction}${grade === null ? "" : `, ${formatGrade({ direction, grade })}`}${score === null ? "" : ` (score ${rounded(shownScore(score), 1)})`}`;

const formatDriverValue = (value: number | null): string =>
  value === null ? "none" : String(rounded(value, 2));

/** Lists the largest driver changes; empty for none. */
export const formatDriverMoves = (drivers: readonly DriverMove[]): string =>
  drivers
    .slice(0, MAX_NAMED_DRIVERS)
    .map(
      ({ id, from, to }) => `${driverName(id)} from ${formatDriverValue(from)} to ${formatDriverValue(to)}`,
    )
    .join(", ");

export function formatSignalChange(change: SignalChange): string {
  const { symbol, timeframe, before, after, drivers, decided_at, price, source } = change;
  const moved = formatDriverMoves(drivers);
  return [
    `${symbol} ${timeframe}: the signal changed from ${formatVerdict(before)} to ${formatVerdict(after)}.`,
    `Decided at ${decided_at} at a close of ${price} USD from ${source}.`,
    ...(moved === "" ? [] : [`Largest changes: ${moved}.`]),
  ].join(" ");
}

/** Stop and target of a signal in the fields of check_order, US dollars. */
export interface SignalExits {
  readonly stop_loss?: number;
  readonly take_profit?: number;
}

/**
 * Names the tool that checks an order before it is placed, with the exits of a signal if it has a side, after a space;
 * empty for an index, which cannot be traded.
 */
export function formatCheckStep(symbol: string, exits: SignalExits = {}): string {
  if (symbol.startsWith("^")) return "";
  const named = Object.entries(exits).map(([field, price]) => `${field} ${price}`);
  const levels = named.length === 0 ? "" : `; the levels of the signal are ${named.join(" and ")}`;
  return ` check_order checks an order in ${symbol} before it is placed${levels}.`;
}

export const formatPriceAlert = (symbol: string, side: LevelSide, level: number, quote: Quote): string =>
  `${symbol} is ${side} ${level} USD: ${quote.price} USD at ${quote.timestamp} (${quote.price_source} from ${quote.source}).${formatCheckStep(symbol)}`;

/** Formats the alert for a rule that became true at the close of a bar (ISO 8601 UTC). */
export function formatRuleAlert(
  of: { readonly symbol: string; readonly timeframe: string; readonly rule: string; readonly source: string },
  figures: Readonly<Record<string, number | null>>,
  closedAt: string,
): string {
  const numbers = Object.entries(figures).map(
    ([term, value]) => `${term} ${value === null ? "unknown" : rounded(value, 4)}`,
  );
  return `${of.symbol} ${of.timeframe}: ${of.rule} became true at the close of ${closedAt} (${numbers.join(", ")}), on bars from ${of.source}.${formatCheckStep(of.symbol)}`;
}

/** Formats the reason why a subscription was paused and how to continue. */
export const formatPauseReason = (reason: string): string =>
  `${reason}: the subscription is paused. Create a new one without this symbol to continue.`;
