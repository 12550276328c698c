import type { TradeRequest } from "../../domain/trading/preview.ts";
import type { Amount, Intent, Side } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, maxDecimal, truncated } from "../../lib/decimal.ts";

/** Largest representable amount, in US dollars. */
const AMOUNT_LIMIT_USD = "999999999999999";
/** Lowest price, in US dollars, that nine decimals represent precisely enough. */
const MIN_PRICE = "0.00000001";

/** Checks that the fields of a trade request are consistent. @throws ToolError INVALID_INPUT */
export function validateTradeRequest(trade: TradeRequest): void {
  const { type, limit_price, stop_price, quantity, risk_pct, sizing } = trade;
  const hasLimit = type === "limit" || type === "stop_limit";
  const hasStop = type === "stop" || type === "stop_limit";
  const prices = [
    ["limit_price", hasLimit, limit_price, "limit or stop_limit"],
    ["stop_price", hasStop, stop_price, "stop or stop_limit"],
  ] as const;
  for (const [field, isNeeded, value, types] of prices) {
    if (isNeeded === (value !== undefined)) continue;
    throw new ToolError("INVALID_INPUT", `A ${type} order ${isNeeded ? "requires a" : "takes no"} ${field}`, {
      hint: isNeeded
        ? `Set ${field}, a price in US dollars.`
        : `Leave ${field} out, or set type to ${types}.`,
    });
  }
  const sizes = {
    quantity,
    risk_pct,
    sizing: sizing === "kelly" || quantity !== undefined ? sizing : undefined,
  };
  const [size, ...others] = Object.entries(sizes).flatMap(([field, value]) =>
    value === undefined ? [] : field,
  );
  if (others.length > 0)
    throw new ToolError("INVALID_INPUT", `Set ${size} or ${others.join(" or ")}, not both`, {
      hint: `Leave ${others.join(" and ")} out.`,
    });
}

/**
 * Checks a trade against the last price: the price of a stop order must lie beyond it, and amounts must be
 * representable. @throws ToolError INVALID_INPUT, or REFUSED for a price that is too low
 */
export function validateAgainstPrice(price: Amount, side: Side | null, trade: TradeRequest): void {
  const last = decimal(price);
  if (last.lt(MIN_PRICE))
    throw new ToolError("REFUSED", `A price below ${MIN_PRICE} USD is too imprecise to trade`);
  const { quantity, limit_price, stop_price, stop_loss } = trade;
  const highest = maxDecimal(last, ...[limit_price, stop_price, stop_loss].map((one) => decimal(one ?? 0)));
  if (quantity !== undefined && decimal(quantity).times(highest).gte(AMOUNT_LIMIT_USD))
    throw new ToolError(
      "INVALID_INPUT",
      `quantity ${quantity} at ${truncated(highest)} is ${truncated(decimal(quantity).times(highest), 0)} USD, above the maximum amount`,
      { hint: "Set a smaller quantity, or risk_pct on paper." },
    );
  if (stop_price === undefined || side === null) return;
  const beyond = side === "buy" ? last.lt(stop_price) : last.gt(stop_price);
  if (beyond) return;
  const [where, opposite] = side === "buy" ? ["above", "below"] : ["below", "above"];
  throw new ToolError(
    "INVALID_INPUT",
    `The stop_price of a ${side} order must be ${where} the last price ${truncated(last)}: ${stop_price} is not`,
    {
      hint: `Set a stop_price ${where} ${truncated(last)}. To ${side} ${opposite} the last price use type "limit" with limit_price, to ${side} now type "market".`,
    },
  );
}

/**
 * Rejects exits on an order that only closes a position: the legs would open a new position. @throws ToolError
 * INVALID_INPUT
 */
export function validateExits(
  { symbol, side, quantity }: Intent,
  { stop_loss, take_profit }: TradeRequest,
): void {
  const exits = [
    ...(stop_loss === undefined ? [] : ["stop_loss"]),
    ...(take_profit === undefined ? [] : ["take_profit"]),
  ].join(" and ");
  if (exits === "") return;
  throw new ToolError(
    "INVALID_INPUT",
    `To ${side} ${quantity} ${symbol} only closes a position: ${exits} would open a new one`,
    { hint: `Leave ${exits} out: side "${side}" and quantity "${quantity}" close the position.` },
  );
}
