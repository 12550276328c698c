import type { TradeRequest } from "../../domain/trading/preview.ts";
import type { Amount } from "../../domain/trading/trading.ts";
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
 * Checks that the amounts of a trade at the last price are representable. @throws ToolError INVALID_INPUT, or REFUSED for
 * a price that is too low
 */
export function validateAmounts(price: Amount, trade: TradeRequest): void {
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
}
