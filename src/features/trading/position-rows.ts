import { adviceOn } from "../../analytics/positions/advice.ts";
import { GRADES, type Grade } from "../../analytics/score/grade.ts";
import type { EdgeRecommendation, PositionRow } from "../../domain/trading/positions.ts";
import type { Opening, PositionRecord } from "../../domain/trading/positions-port.ts";
import { Amount } from "../../domain/trading/trading.ts";
import { decimal, roundHalfUp, truncated } from "../../lib/decimal.ts";
import { levelsFor, type PositionSide, type PositionSignal, sideOf } from "./position-signals.ts";

/** The connection or imported account that holds a position, and the time at which it was read. */
export interface PositionAccount {
  readonly connection: string | null;
  readonly label: string | null;
  readonly at: string;
}

/** Builds the row of a stored position with its latest price, value and recommendation. */
export function positionRow(
  position: PositionRecord,
  { connection, label, at }: PositionAccount,
  signal: PositionSignal,
): PositionRow {
  const { symbol, quantity, averagePrice, since } = position;
  const side = sideOf(quantity);
  const price = priceIn(signal);
  return {
    symbol,
    quantity,
    average_price: averagePrice,
    connection_id: connection,
    account_label: label,
    as_of: at,
    side,
    since,
    price: price.value === null ? null : truncated(decimal(price.value)),
    price_as_of: price.asOf,
    price_source: price.source,
    price_reason: price.reason,
    ...markToMarket(position, price.value, price.reason),
    edge: edgeOf(side, price.value, position.opening, signal),
  };
}

/**
 * Returns the latest price with its time and source, with a reason where it is doubted, or else the close of the signal's
 * decision bar.
 */
function priceIn(signal: PositionSignal) {
  const { picture, reason } = signal;
  if (picture === null) {
    const { quote = null } = signal;
    if (quote === null) return { value: null, asOf: null, source: null, reason };
    return { value: quote.price, asOf: quote.timestamp, source: quote.price_source, reason: null };
  }
  const { price, consensus, decidedAt } = picture;
  if (price.value === null && price.quote !== null)
    return {
      value: price.quote.price,
      asOf: price.quote.timestamp,
      source: price.quote.price_source,
      reason: price.reason,
    };
  if (price.value === null)
    return { value: consensus.close, asOf: decidedAt, source: "last_close", reason: price.reason };
  return { value: price.value, asOf: price.as_of, source: price.source, reason: null };
}

/**
 * Computes the value and profit of a position, rounded half up to the cent; null with a reason when an amount exceeds
 * 15 digits.
 */
function markToMarket(
  { quantity, averagePrice }: PositionRecord,
  price: number | null,
  reason: string | null,
) {
  const unknown = { market_value: null, unrealized_pnl: null, unrealized_pct: null };
  if (price === null) return unknown;
  const units = decimal(quantity);
  const cost = units.times(averagePrice);
  const value = units.times(decimal(price));
  const gain = value.minus(cost);
  const [market_value, unrealized_pnl] = [roundHalfUp(value, 2), roundHalfUp(gain, 2)];
  if (![market_value, unrealized_pnl].every((amount) => Amount.safeParse(amount).success))
    return { ...unknown, price_reason: reason === null ? TOO_MANY_DIGITS : `${reason}; ${TOO_MANY_DIGITS}` };
  return {
    market_value,
    unrealized_pnl,
    unrealized_pct: cost.eq(0) ? null : gain.times(100).div(cost.abs()).round(4).toNumber(),
  };
}

const TOO_MANY_DIGITS = "Its value has more than 15 digits";

function edgeOf(
  side: PositionSide,
  price: number | null,
  opening: Opening | null,
  { picture, reason, stale = null }: PositionSignal,
): EdgeRecommendation {
  const first = opening && { ...opening, grade: gradeIn(opening.grade) };
  const { action, why, stopBreached, gradeSteps } = adviceOn({
    side,
    price,
    now: stale === null ? (picture?.consensus ?? null) : null,
    first,
  });
  const levels = picture && levelsFor(picture, side);
  return {
    action,
    why: [...(stale === null ? [] : [stale]), ...(stale !== null && action === "REVIEW" ? [] : why)],
    signal: picture && {
      direction: picture.consensus.direction,
      grade: picture.consensus.grade,
      score: picture.consensus.score,
      tier: stale === null ? picture.consensus.tier : "NEUTRAL",
      stop_loss: levels?.stop ?? null,
      target: levels?.target ?? null,
      as_of: picture.decidedAt,
    },
    reason,
    stop_breached: stopBreached,
    opening: first && {
      direction: first.direction,
      grade: first.grade,
      score: first.score,
      stop_loss: first.stop,
      stop_source: first.stopSource,
      as_of: first.at,
    },
    grade_steps: gradeSteps,
  };
}

const gradeIn = (text: string | null): Grade | null => GRADES.find((grade) => grade === text) ?? null;
