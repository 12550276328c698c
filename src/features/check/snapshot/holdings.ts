import { SHARES_PER_CONTRACT } from "../../../analytics/flow/contract.ts";
import type { OptionContract } from "../../../domain/trading/option-contract.ts";
import type { Amount } from "../../../domain/trading/trading.ts";
import { type Decimal, decimal } from "../../../lib/decimal.ts";
import { sideOfText } from "../../trading/import/row-kinds.ts";
import {
  amountOf,
  amountText,
  type BrokerFields,
  echo,
  priceOf,
  refuse,
  refuseForeignCurrency,
  textsOf,
  unitsOf,
  valuesOf,
} from "./fields.ts";
import { instrumentOf, isCash } from "./instrument.ts";

export interface Holding {
  /** Canonical; of an option its OCC symbol without padding. */
  readonly symbol: string;
  /** Units or contracts; negative if short, 0 if closed. */
  readonly quantity: Amount;
  /** US dollars per unit; null if not given. */
  readonly averagePrice: Amount | null;
  /** US dollars per unit; null if not given. */
  readonly price: Amount | null;
  readonly stopLoss: Amount | null;
  readonly option: OptionContract | null;
}

/**
 * Reads a row of positions; null for cash.
 * @throws UnreadableRow
 */
export function readHolding(fields: BrokerFields): Holding | null {
  if (isCash(fields)) return null;
  const { symbol, option } = instrumentOf(fields);
  refuseForeignCurrency(fields);
  const quantity = signedQuantity(fields);
  const units = quantity.abs().times(option === null ? 1 : SHARES_PER_CONTRACT);
  return {
    symbol,
    quantity: amountText(quantity),
    averagePrice: averagePriceOf(fields, { quantity, units, isOption: option !== null }),
    price: priceOf(fields, "price") ?? perUnit(amountOf(fields, "market_value"), units),
    stopLoss: priceOf(fields, "stop_loss"),
    option,
  };
}

/** Returns the quantity, below 0 for a short position. */
function signedQuantity(fields: BrokerFields): Decimal {
  const [held, short] = [unitsOf(fields, "quantity"), unitsOf(fields, "short_quantity")];
  if (held === null && short === null) refuse("it has no quantity");
  const quantity = (held ?? decimal(0)).minus(short?.abs() ?? 0);
  const side = sideOf(fields);
  if (side === "short") return quantity.abs().times(-1);
  return side === "long" && quantity.lt(0) ? refuse("its side is long and its quantity below 0") : quantity;
}

function sideOf(fields: BrokerFields): "long" | "short" | null {
  const named = textsOf(fields, "position_side");
  const unclear = named.find((text) => sideOfText(text) === null);
  if (unclear !== undefined) refuse(`the side ${echo(unclear)} is not long or short`);
  const texts = [...named, ...textsOf(fields, "type"), ...textsOf(fields, "quantity")];
  const sides = new Set(texts.map(sideOfText).filter((side) => side === "long" || side === "short"));
  if (sides.size > 1) refuse("two fields name opposite sides");
  return [...sides][0] ?? null;
}

function averagePriceOf(
  fields: BrokerFields,
  {
    quantity,
    units,
    isOption,
  }: { readonly quantity: Decimal; readonly units: Decimal; readonly isOption: boolean },
): Amount | null {
  // with this field, the average price of an option is that of a contract or of a share
  if (isOption && valuesOf(fields, "value_multiplier").length > 0) return null;
  const sent = amountOf(fields, "average_price");
  if (sent === null) return perUnit(amountOf(fields, "total_cost"), units);
  const average = decimal(sent);
  if (average.eq(0)) return null;
  return average.lt(0) && !quantity.lt(0)
    ? refuse("the average price is below 0")
    : amountText(average.abs());
}

/** Returns an amount divided by units; null without units, and for 0. */
function perUnit(amount: Amount | null, units: Decimal): Amount | null {
  if (amount === null || units.eq(0)) return null;
  const each = amountText(decimal(amount).abs().div(units));
  return decimal(each).eq(0) ? null : each;
}
