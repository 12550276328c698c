import type { Amount } from "../../../domain/trading/trading.ts";
import { decimal } from "../../../lib/decimal.ts";
import type { FieldName } from "./field-names.ts";
import {
  amountText,
  type BrokerFields,
  foreignCurrencyOf,
  readAmount,
  readMoment,
  textsOf,
  valuesOf,
} from "./fields.ts";

/** Account of a snapshot; US dollars. null: not given, not readable, or in another currency. */
export interface SnapshotAccount {
  /** Total value. */
  readonly equity: Amount | null;
  readonly buyingPower: Amount | null;
  /** Total value at the previous close. */
  readonly equityBefore: Amount | null;
  /** true: it may borrow. */
  readonly margin: boolean | null;
}

/** The broker's own quote, US dollars. null: not given, or not readable. */
export interface BrokerQuote {
  /** Instrument that it names; null if it names none. */
  readonly symbol: string | null;
  readonly price: Amount | null;
  readonly bid: Amount | null;
  readonly ask: Amount | null;
  /** Epoch ms. */
  readonly at: number | null;
}

export function readAccount(fields: BrokerFields): SnapshotAccount {
  const read =
    foreignCurrencyOf(fields) !== null ? () => null : (field: FieldName) => firstAmount(fields, field);
  const [equity, result] = [read("equity"), read("day_result")];
  const earlier = equity === null || result === null ? null : amountText(decimal(equity).minus(result));
  return {
    equity,
    buyingPower: read("buying_power"),
    equityBefore: read("equity_before") ?? earlier,
    margin: marginOf(fields),
  };
}

export function readQuote(fields: BrokerFields): BrokerQuote {
  const read = (field: FieldName): Amount | null => {
    const amount = foreignCurrencyOf(fields) !== null ? null : firstAmount(fields, field);
    return amount !== null && decimal(amount).gt(0) ? amount : null;
  };
  const moments = valuesOf(fields, "quoted_at").map(readMoment);
  return {
    symbol: textsOf(fields, "symbol")[0] ?? null,
    price: read("quote_price"),
    bid: read("bid"),
    ask: read("ask"),
    at: moments.find((at) => at !== null) ?? null,
  };
}

/** Returns the amount of the first name of a field; null if it has none, or one that is not readable. */
function firstAmount(fields: BrokerFields, field: FieldName): Amount | null {
  const value = valuesOf(fields, field).find((one) => typeof one !== "boolean");
  return value === undefined ? null : readAmount(value);
}

function marginOf(fields: BrokerFields): boolean | null {
  for (const value of valuesOf(fields, "margin")) {
    if (typeof value === "boolean") return value;
    if (typeof value === "string" && /^(true|yes|.*margin.*)$/i.test(value.slice(0, 60))) return true;
    if (typeof value === "string" && /^(false|no|.*cash.*)$/i.test(value.slice(0, 60))) return false;
  }
  const leverage = firstAmount(fields, "leverage");
  return leverage === null ? null : decimal(leverage).gt(1);
}
