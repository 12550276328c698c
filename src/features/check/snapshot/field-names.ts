import { groupBy } from "../../../lib/group-by.ts";
import { type Column, namesOf } from "../../trading/import/columns.ts";

/** Names of a field, most common first, separated by `|`, then those of columns of imported files. */
type Names = readonly [names: string, ...columns: readonly Column[]];

/** Names that brokers use in their responses, in lower case, with words separated by spaces. */
const FIELD_NAMES = {
  symbol: ["symbol|product id|contract desc", "symbol"],
  option_symbol: ["option symbol|occ symbol|local symbol|contract symbol|symbol|osi symbol", "symbol"],
  underlying: ["chain symbol|root symbol", "underlying"],
  expiry: ["last trade date or contract month|last trading day", "expiry"],
  strike: ["", "strike"],
  right: ["", "right"],
  asset_class: ["", "assetSubclass", "assetClass"],
  type: ["", "type"],
  currency: ["", "currency"],
  is_cash: ["is cash"],
  coin_units: ["total balance crypto"],
  quantity: ["quantity|total balance crypto", "quantity"],
  short_quantity: ["", "shortQuantity"],
  average_price: ["", "average"],
  total_cost: ["", "total"],
  price: ["price|mkt price", "price"],
  market_value: ["total balance fiat", "value"],
  value_multiplier: ["trade value multiplier"],
  stop_loss: ["stop loss|stop loss price"],
  position_side: ["", "side"],
  side: ["side|instruction", "side", "action"],
  order_type: ["order type|type"],
  status: ["status|order status", "status"],
  order_quantity: ["quantity|submitted quantity|order quantity|base size|total size", "quantity"],
  unfilled: ["leaves quantity|remaining quantity|unfilled quantity|leaves qty|remaining qty|remaining size"],
  filled: [
    "filled quantity|filled qty|cumulative quantity|cum qty|executed quantity|exec quantity|filled size|filled",
  ],
  dollars: ["notional|quote size|dollar amount|dollar based amount|amount|cash qty|cash quantity"],
  limit_price: ["limit price|submitted price|lmt price"],
  stop_price: ["stop price|trigger price|aux price|activation price"],
  fill_price: [
    "fill price|filled avg price|average filled price|avg fill price|average fill price|executed price|exec price|execution price|avg price|average price|trade price",
    "price",
  ],
  at: [
    "at|filled at|executed at|last transaction at|transaction time|execution time|trade time|trade done at|close time|last fill time|updated at",
    "date",
  ],
  realized_pnl: ["realized pnl|realized p l|realized gain|realized gain loss|gain loss|realized profit loss"],
  equity: [
    "equity|total value|total equity|net liquidation|net liquidation value|netliquidation|net assets|portfolio value|liquidation value|account value|total account value|total balance",
  ],
  buying_power: ["buying power|buyingpower|buy power|stock buying power|available funds"],
  equity_before: ["equity before|last equity|previous day equity|previous equity|previous close equity"],
  day_result: ["daily pnl|day pnl|dpl"],
  margin: ["margin|is margin|margin enabled|account type|type"],
  leverage: ["multiplier"],
  quote_price: ["price|last price|last trade price|last|current price|market price|mark price|mark|mid"],
  bid: ["bid|bid price|best bid|best bid price|bp"],
  ask: ["ask|ask price|best ask|best ask price|ap|offer"],
  quoted_at: ["at|quote time|venue last trade time|last trade time|trade time|updated at|timestamp|time|t"],
} as const satisfies Readonly<Record<string, Names>>;
export type FieldName = keyof typeof FIELD_NAMES;

/** Returns the normalised names of a field, most common first. */
export function namesOfField(field: FieldName): readonly string[] {
  const [names, ...columns]: Names = FIELD_NAMES[field];
  return [...new Set([...names.split("|"), ...columns.flatMap(namesOf)])].filter((name) => name !== "");
}

/** What a name in a row means. */
export interface NameMeaning {
  /** Fields that it may name, each with its place among the names of the field. */
  readonly fields: readonly { readonly field: FieldName; readonly place: number }[];
  /** true: the fields of an object with this name belong to the row. */
  readonly isContainer: boolean;
}

const FIELDS = (Object.keys(FIELD_NAMES) as FieldName[]).flatMap((field) =>
  namesOfField(field).map((name, place) => ({ name, field, place })),
);
const FIELDS_OF_NAME = groupBy(FIELDS, ({ name }) => name);

/** Names of objects whose fields belong to the row: those of an instrument, and of an amount that names itself. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ..."instrument|contract|product|security|position|order|order configuration|quote|balances|cash|margin".split(
    "|",
  ),
  ...(["price", "total_cost", "market_value", "buying_power", "equity"] as const).flatMap(namesOfField),
]);

/** Returns the meaning of a normalised name. */
export const meaningOfName = (name: string): NameMeaning => ({
  fields: FIELDS_OF_NAME.get(name) ?? [],
  isContainer: CONTAINERS.has(name),
});
