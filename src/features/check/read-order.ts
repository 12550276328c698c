import { type Priced, worstEntry } from "../../analytics/risk/situation.ts";
import type { CheckRequest } from "../../domain/check/check.ts";
import type { AssetClass } from "../../domain/market/market.ts";
import { priceStep } from "../../domain/trading/price-step.ts";
import type { Amount, OrderType, Side } from "../../domain/trading/trading.ts";
import { ToolError } from "../../kernel/errors.ts";
import { decimal, stepDown, stepUp, truncated } from "../../lib/decimal.ts";

/** An order as brokers have it; a trailing stop is a stop at its present distance. */
export interface OrderRead {
  readonly side: Side;
  /** True for a sale that may open a short position. */
  readonly opensShort: boolean;
  /** True for a side that never opens. */
  readonly closesOnly: boolean;
  readonly type: OrderType;
  readonly quantity: Amount;
  readonly limit_price: Amount | null;
  readonly stop_price: Amount | null;
}

/** Prices that each type of order needs. */
const NEEDS = {
  market: [],
  limit: ["limit_price"],
  stop: ["stop_price"],
  stop_limit: ["limit_price", "stop_price"],
  trailing_stop: [],
} as const satisfies Readonly<Record<CheckRequest["type"], readonly (keyof CheckRequest)[]>>;
const PRICES = ["limit_price", "stop_price"] as const;
const TRAILS = ["trail_amount", "trail_percent"] as const;
/** Units that a coin, and a fraction of a share, are traded in. */
const FRACTION_PLACES = { crypto: 8, other: 6 } as const;

/** Checks that the fields of a request fit its type. @throws ToolError INVALID_INPUT */
export function validateOrder(request: CheckRequest): void {
  const { type, quantity, notional } = request;
  const needed: readonly string[] = NEEDS[type];
  for (const field of PRICES) {
    if (needed.includes(field) === (request[field] !== undefined)) continue;
    throw needed.includes(field)
      ? invalid(field, `A ${type} order requires a ${field}`, `Set ${field}, a price in US dollars.`)
      : invalid(field, `A ${type} order takes no ${field}`, `Leave ${field} out, or set another type.`);
  }
  const trails = TRAILS.filter((field) => request[field] !== undefined);
  if (type === "trailing_stop" && trails.length !== 1)
    throw invalid("trail_percent", "A trailing_stop order requires one of trail_amount and trail_percent");
  if (type !== "trailing_stop" && trails.length > 0)
    throw invalid(trails[0]!, `A ${type} order takes no ${trails[0]}`, "Set type to trailing_stop.");
  if ((quantity === undefined) === (notional === undefined))
    throw invalid("quantity", "Pass one of quantity and notional", "Set quantity, or notional in USD.");
}

const CLOSING: ReadonlySet<CheckRequest["side"]> = new Set<CheckRequest["side"]>([
  "sell_to_close",
  "buy_to_close",
  "sell",
  "buy_to_cover",
]);
/** Returns true for a side that never opens. */
export const isClosing = ({ side }: Pick<CheckRequest, "side">): boolean => CLOSING.has(side);

/** Reads the order of a valid request at a price. */
export function readOrder(request: CheckRequest, price: Amount, assetClass: AssetClass): OrderRead {
  const side: Side = request.side.startsWith("buy") ? "buy" : "sell";
  const type: OrderType = request.type === "trailing_stop" ? "stop" : request.type;
  const prices = {
    limit_price: request.limit_price ?? null,
    stop_price:
      request.type === "trailing_stop"
        ? trailingStop(request, { side, price, assetClass })
        : (request.stop_price ?? null),
  };
  return {
    side,
    opensShort: request.side === "sell_short" || request.side === "sell_to_open",
    closesOnly: isClosing(request),
    type,
    quantity:
      request.quantity ?? unitsFor(request.notional!, { intent: { side, ...prices }, price }, assetClass),
    ...prices,
  };
}

/** Returns the trigger of a trailing stop now, on a price step. */
function trailingStop(
  { trail_amount, trail_percent }: CheckRequest,
  {
    side,
    price,
    assetClass,
  }: { readonly side: Side; readonly price: Amount; readonly assetClass: AssetClass },
): Amount {
  const from = decimal(price);
  const trail = trail_amount ?? from.times(trail_percent!).times("0.01");
  const trigger = side === "buy" ? from.plus(trail) : from.minus(trail);
  if (trigger.lte(0))
    throw invalid(
      trail_amount === undefined ? "trail_percent" : "trail_amount",
      "The trail reaches 0 or below 0",
      "Set a shorter trail.",
    );
  const step = decimal(priceStep(trigger, assetClass));
  return truncated(side === "buy" ? stepUp(trigger, step) : stepDown(trigger, step));
}

/** Returns the units that an amount in dollars buys at the entry. @throws ToolError INVALID_INPUT for less than the smallest */
function unitsFor(notional: Amount, priced: Priced, assetClass: AssetClass): Amount {
  const places = assetClass === "crypto" ? FRACTION_PLACES.crypto : FRACTION_PLACES.other;
  const units = truncated(decimal(notional).div(worstEntry(priced)), places);
  if (units !== "0") return units;
  throw invalid("notional", `${notional} USD buys less than the smallest unit`, "Set a larger notional.");
}

export const invalid = (field: string, message: string, hint?: string): ToolError =>
  new ToolError("INVALID_INPUT", message, {
    ...(hint !== undefined && { hint }),
    data: { errors: [{ pointer: `/${field}`, detail: message }] },
  });
