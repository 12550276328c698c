import type { TradeRequest } from "../../domain/trading/preview.ts";
import type { Amount, Intent, Side } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";

/** Dollars that, rounded up, an amount has no digits for any more. */
const AMOUNT_LIMIT_USD = "999999999999999";
/** A price under this is told by nine digits behind the point no more. */
const MIN_PRICE = "0.00000001";

/** Whether what is said of a trade fits together. Throws INVALID_INPUT, saying what is right. */
export function validateTradeRequest({
  type,
  limit_price,
  stop_price,
  quantity,
  risk_pct,
}: TradeRequest): void {
  const limited = type === "limit" || type === "stop_limit";
  const stopped = type === "stop" || type === "stop_limit";
  const fault =
    limited !== (limit_price !== undefined)
      ? `A ${type} order has ${limited ? "a" : "no"} limit_price`
      : stopped !== (stop_price !== undefined)
        ? `A ${type} order has ${stopped ? "a" : "no"} stop_price`
        : quantity !== undefined && risk_pct !== undefined
          ? "Say quantity or risk_pct, not both"
          : null;
  if (fault !== null) throw new ToolError("INVALID_INPUT", fault);
}

/**
 * Whether it fits the last price: a stop order waits beyond it, and what is asked comes to dollars that can be told.
 * Throws INVALID_INPUT, saying what is right; REFUSED for a price of too few digits.
 */
export function validateAgainstPrice(price: Amount, side: Side | null, asked: TradeRequest): void {
  const last = decimal(price);
  if (last.lt(MIN_PRICE))
    throw new ToolError("REFUSED", `A price under ${MIN_PRICE} USD is told too roughly to trade at`);
  const { quantity, limit_price, stop_price, stop_loss } = asked;
  const most = maxDecimal(last, ...[limit_price, stop_price, stop_loss].map((one) => decimal(one ?? 0)));
  if (quantity !== undefined && decimal(quantity).times(most).gte(AMOUNT_LIMIT_USD))
    throw new ToolError(
      "INVALID_INPUT",
      `quantity ${quantity} at ${truncated(most)} is ${truncated(decimal(quantity).times(most), 0)} USD: that is beyond all amounts`,
      { hint: "Say a smaller quantity, or risk_pct on paper." },
    );
  if (stop_price === undefined || side === null) return;
  const beyond = side === "buy" ? last.lt(stop_price) : last.gt(stop_price);
  if (beyond) return;
  const [where, there] = side === "buy" ? ["above", "below"] : ["below", "above"];
  throw new ToolError(
    "INVALID_INPUT",
    `A ${side} stop waits ${where} the last price, ${truncated(last)}: stop_price ${stop_price} is not`,
    {
      hint: `Say a stop_price ${where} ${truncated(last)}. To ${side} ${there} the last price say type "limit" with limit_price, to ${side} now type "market".`,
    },
  );
}

/** An order that only closes has no exits: its legs would open what nobody asked for. Throws INVALID_INPUT. */
export function validateExits(
  { symbol, side, quantity }: Intent,
  { stop_loss, take_profit }: TradeRequest,
): void {
  const said = [
    ...(stop_loss === undefined ? [] : ["stop_loss"]),
    ...(take_profit === undefined ? [] : ["take_profit"]),
  ].join(" and ");
  if (said === "") return;
  throw new ToolError(
    "INVALID_INPUT",
    `To ${side} ${quantity} ${symbol} only closes what is held: ${said} would open a position again`,
    { hint: `Leave ${said} out: side "${side}" and quantity "${quantity}" close it.` },
  );
}
