import { type Decimal, decimal } from "../../../lib/decimal.ts";
import { isAmbiguousNumber, type NumberFormat, parseNumber } from "../../../lib/number-format.ts";
import { plainText } from "../../../lib/plain-text.ts";
import type { PositionRow } from "./classify-row.ts";
import type { Column } from "./columns.ts";
import { isKnownExport } from "./presets.ts";
import type { Refusal } from "./row-kinds.ts";
import { cellOf, type Table } from "./tables.ts";

/** Quantity and price of one row. */
export interface LotFigures {
  /** Negative for a short position. */
  readonly quantity: Decimal;
  /** US dollars per unit. */
  readonly price: Decimal;
  /** Reason why `price`, read from a total cost, may be wrong; null if it is clear. */
  readonly undecided: string | null;
}

/** Reading of the cost column of a table: cost of the position, of one unit, or of either. */
export type CostReading = "total" | "per_unit" | "undecided";

/** Matches a quantity other than 0. */
const SOME = /[1-9]/;
const MAX_DIGITS = 15;
const COLUMN_NAMES = {
  quantity: "quantity",
  shortQuantity: "short quantity",
  average: "average price",
  total: "total cost",
} as const;

/** Reads the quantity and the cost of a row, or returns the refusal. */
export function readLot(
  cells: readonly string[],
  { header }: Table,
  {
    format,
    cost,
    side,
  }: { readonly format: NumberFormat; readonly cost: CostReading; readonly side: PositionRow["side"] },
): LotFigures | Refusal {
  const number = (column: keyof typeof COLUMN_NAMES): Decimal | null | Refusal => {
    const text = textOf(cells, header, column);
    if (text === "" || ((column === "average" || column === "total") && isUnknownCost(text))) return null;
    const why = isAmbiguousNumber(text, format)
      ? `"${plainText(text, 30)}" may be read with thousands or with decimals: write the number without a separator of thousands`
      : `The ${COLUMN_NAMES[column]} is not a number`;
    return parseNumber(text, format) ?? unreadable(why);
  };
  const short = SOME.test(cellOf(cells, header.columns, "shortQuantity"));
  if (short && SOME.test(cellOf(cells, header.columns, "quantity")))
    return { kind: "side", why: "A long and a short quantity are filled" };
  const quantity = number(short ? "shortQuantity" : "quantity");
  if (quantity === null) return unreadable("The quantity is missing");
  if (isRefusal(quantity)) return quantity;
  if (quantity.eq(0)) return unreadable("The quantity is 0");
  const average = number("average");
  const total = average === null ? number("total") : null;
  if (average !== null && isRefusal(average)) return average;
  if (total !== null && isRefusal(total)) return total;
  const price = average ?? (cost === "per_unit" ? total?.abs() : total?.abs().div(quantity.abs())) ?? null;
  if (price === null) return unreadable("Average price and total cost are both missing");
  if (price.lt(0)) return unreadable("The average price is below 0");
  for (const one of [quantity.abs(), price])
    if (one.gte(decimal(`1e${MAX_DIGITS}`))) return unreadable("A number is too large");
  if (side === "long" && (short || quantity.lt(0)))
    return { kind: "side", why: "The side is long, but the quantity is negative" };
  const value = parseNumber(cellOf(cells, header.columns, "value"), format);
  if (side === "by_sign" && !short && quantity.gt(0) && value?.lt(0))
    return {
      kind: "side",
      why: "The value is negative, but the quantity is not: add a column side with short",
    };
  const isUndecided = cost === "undecided" && average === null && !quantity.abs().eq(1) && !price.eq(0);
  return {
    quantity: side === "short" || short ? quantity.abs().times(-1) : quantity,
    price,
    undecided: isUndecided ? undecidedCost(header) : null,
  };
}

/**
 * Detects what a column such as `Cost` holds: what is nearer to the prices and values of the rows; where these do not
 * decide, the cost of the position in a known export, in a table with an average price, or by a name such as `Invested`.
 */
export function costReadingOf(
  rows: readonly { readonly cells: readonly string[] }[],
  { header, preset }: Pick<Table, "header" | "preset">,
  format: NumberFormat,
): CostReading {
  const [at] = header.columns.total ?? [];
  const name = at === undefined ? "" : header.names[at]!;
  if (!AMBIGUOUS_COST.has(name)) return "total";
  const votes = rows.flatMap(({ cells }) => {
    const number = (column: Column) =>
      parseNumber(cellOf(cells, header.columns, column), format)?.abs() ?? null;
    const [quantity, cost, price, value] = (["quantity", "total", "price", "value"] as const).map(number);
    if (!isPositive(quantity) || !isPositive(cost)) return [];
    const unit = isPositive(price) ? price : isPositive(value) ? value.div(quantity) : null;
    return unit === null ? [] : [distance(cost.div(quantity), unit) / distance(cost, unit)];
  });
  if (votes.some((vote) => vote < 1 / DECISIVE)) return "total";
  if (votes.some((vote) => vote > DECISIVE)) return "per_unit";
  const isTotal = isKnownExport(preset) || header.columns.average !== undefined;
  return isTotal ? "total" : AMBIGUOUS_COST.get(name)!;
}

/**
 * Headers that hold the cost of a position in some exports, and of one unit in others, and their reading where nothing
 * decides it.
 */
const AMBIGUOUS_COST: ReadonlyMap<string, CostReading> = new Map([
  ["cost", "undecided"],
  ["cost basis", "undecided"],
  ["book cost", "undecided"],
  ["book value", "total"],
  ["purchase value", "total"],
  ["invested", "total"],
]);
/** Minimum factor by which one reading is nearer to the market price than the other. */
const DECISIVE = 3;

const undecidedCost = ({ texts, columns }: Table["header"]): string =>
  `"${plainText(texts[columns.total![0]!]!, 30)}" may be the cost of the position or of one unit: name the column total cost or average price, or accept the cost of the position with accept_costs`;

/** Returns the factor between two prices, at least 1. */
function distance(one: Decimal, other: Decimal): number {
  const factor = Number(one.div(other));
  return factor >= 1 ? factor : 1 / Math.max(factor, Number.MIN_VALUE);
}

const isPositive = (value: Decimal | null | undefined): value is Decimal => value?.gt(0) ?? false;

/** Returns the text of a number; of a cost, the first column in US dollars that holds one. */
function textOf(
  cells: readonly string[],
  { columns, currencies }: Table["header"],
  column: keyof typeof COLUMN_NAMES,
): string {
  if (column === "quantity" || column === "shortQuantity") return cellOf(cells, columns, column);
  const [first] = (columns[column] ?? []).filter((at) => !currencies.has(at));
  return cells[first ?? -1] ?? "";
}

export const isRefusal = (value: object): value is Refusal => "why" in value;
export const unreadable = (why: string): Refusal => ({ kind: "unreadable", why });
/** Returns true for cell texts that brokers use for an unknown cost. */
const isUnknownCost = (cell: string): boolean => /^(|-+|n\/?a|unknown|incomplete)$/i.test(cell);
