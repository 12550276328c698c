import { costOf } from "../../../analytics/positions/cost.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { asToolError, ToolError } from "../../../kernel/errors.ts";
import { csvCells } from "../../../lib/csv-line.ts";
import { type Decimal, decimal, truncated } from "../../../lib/decimal.ts";
import { detectNumberFormat, type NumberFormat, parseNumber } from "../../../lib/number-format.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { type Column, findHeader, headerCells, headerExamples, type TableHeader } from "./columns.ts";

export interface ImportedPosition {
  readonly symbol: string;
  /** Negative for a short position. */
  readonly quantity: string;
  readonly averagePrice: string;
  /** One-based line numbers. */
  readonly lines: readonly number[];
}

export interface RejectedLine {
  readonly line: number;
  /** Text of the line, sanitized and truncated. */
  readonly text: string;
  readonly why: string;
  /** Symbols that the line may refer to. */
  readonly candidates: readonly string[];
}

export interface ParsedPositions {
  readonly positions: readonly ImportedPosition[];
  readonly refused: readonly RejectedLine[];
}

const MAX_ROWS = 500;
const MAX_ECHO_LENGTH = 80;
const MAX_DECIMALS = 9;
const MAX_DIGITS = 15;
/** Maximum quantity, and cost in US dollars, of a position, so that its value fits 15 digits. */
const MAX_AMOUNT = decimal("1e12");

/**
 * Parses positions from a broker's CSV export: columns in any order, lots of a symbol merged, at most 1e12 units
 * and US dollars each. Every line below the header becomes a position or is rejected with a reason. @throws ToolError
 * INVALID_INPUT when there is no table, or more than 500 rows
 */
export function parsePositions(csv: string, symbols: Pick<Symbols, "resolve">): ParsedPositions {
  const lines = csv.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const header = findHeader(lines);
  if (header === null) throw noTableError(headerCells(lines));
  if (header.columns.average === undefined && header.columns.total === undefined)
    throw noCostError(headerCells([lines[header.line]!]));
  const rows = lines.flatMap((text, i) => (i <= header.line || isBlank(text) ? [] : [{ line: i + 1, text }]));
  if (rows.length > MAX_ROWS)
    throw new ToolError("INVALID_INPUT", `The CSV has ${rows.length} rows; at most ${MAX_ROWS} are read`, {
      hint: "Send only the position rows, or split them over several labels.",
    });
  const format = numberFormatOf(rows, header);
  const read = rows.map(({ line, text }) => {
    const refused = (why: string, candidates: readonly string[] = []): RejectedLine => ({
      line,
      text: plainText(text, MAX_ECHO_LENGTH),
      why,
      candidates,
    });
    try {
      return { ok: true as const, line, lot: parseLot(text, header, format, symbols), refused };
    } catch (thrown) {
      const error = asToolError(thrown);
      if (error.code === "INTERNAL") throw thrown;
      return { ok: false as const, why: refused(error.message, candidatesOf(error)) };
    }
  });
  const lots = read.filter((one) => one.ok);
  const isShortBySymbol = new Map(lots.toReversed().map(({ lot }) => [lot.symbol, lot.quantity.lt(0)]));
  const clashes = lots.filter(({ lot }) => lot.quantity.lt(0) !== isShortBySymbol.get(lot.symbol));
  const accepted = lots.filter((one) => !clashes.includes(one));
  const merged = [...isShortBySymbol.keys()].map((symbol) =>
    mergeLots(
      symbol,
      accepted.filter(({ lot }) => lot.symbol === symbol),
    ),
  );
  const tooLarge = new Set(merged.filter(isTooLarge).map(({ symbol }) => symbol));
  return {
    positions: merged
      .filter(({ symbol }) => !tooLarge.has(symbol))
      .sort((a, b) => costOf(b) - costOf(a) || (a.symbol < b.symbol ? -1 : 1)),
    refused: [
      ...read.flatMap((one) => (one.ok ? [] : [one.why])),
      ...clashes.map(({ lot, refused }) => refused(`${lot.symbol} is on the opposite side in a line above`)),
      ...accepted.flatMap(({ lot, refused }) => (tooLarge.has(lot.symbol) ? [refused(TOO_LARGE)] : [])),
    ].sort((a, b) => a.line - b.line),
  };
}

interface Lot {
  readonly symbol: string;
  readonly quantity: Decimal;
  /** Dollars per unit. */
  readonly price: Decimal;
}

const isBlank = (text: string): boolean => /^[\s,;"]*$/.test(text) || /^sep=/i.test(text);

function numberFormatOf(
  rows: readonly { readonly text: string }[],
  { separator, columns }: TableHeader,
): NumberFormat {
  const numbers = [columns.quantity, columns.average, columns.total].filter((at) => at !== undefined);
  const cells = rows.flatMap(({ text }) => {
    const merged = csvCells(text, separator) ?? [];
    return numbers.map((at) => merged[at] ?? "");
  });
  return detectNumberFormat(cells, separator);
}

/** Parses a row as a lot. @throws ToolError INVALID_INPUT */
function parseLot(
  text: string,
  { separator, columns }: TableHeader,
  format: NumberFormat,
  symbols: Pick<Symbols, "resolve">,
): Lot {
  const cells = csvCells(text, separator);
  if (cells === null) throw invalidLine("A quotation mark is not closed");
  const cell = (column: Column): string => cells[columns[column] ?? -1] ?? "";
  const symbol = cell("symbol");
  if (symbol === "") throw invalidLine("The symbol is missing");
  const number = (column: Column): Decimal | null => {
    const text = cell(column);
    if (text === "") return null;
    const value = parseNumber(text, format);
    if (value === null) throw invalidLine(`The ${COLUMN_NAMES[column]} is not a number`);
    return value;
  };
  const quantity = number("quantity");
  if (quantity === null) throw invalidLine("The quantity is missing");
  if (quantity.eq(0)) throw invalidLine("The quantity is 0");
  if (!quantity.round(MAX_DECIMALS).eq(quantity))
    throw invalidLine("The quantity has more than nine decimals");
  const currency = cell("currency").toUpperCase();
  if (!["", "USD", "$", "US$"].includes(currency)) throw invalidLine("The currency is not the US dollar");
  const average = isUnknownCost(cell("average")) ? null : number("average");
  const total = average !== null || isUnknownCost(cell("total")) ? null : number("total");
  const price = average ?? total?.abs().div(quantity.abs()) ?? null;
  if (price === null) throw invalidLine("Average price and total cost are both missing");
  if (price.lt(0)) throw invalidLine("The average price is below 0");
  for (const one of [quantity.abs(), price])
    if (one.gte(decimal(`1e${MAX_DIGITS}`))) throw invalidLine("A number is too large");
  const isShortSide = /^(short|sold short|s)$/i.test(cell("side"));
  return {
    symbol: resolveInstrument(symbol, cell("kind"), symbols).symbol,
    quantity: isShortSide ? quantity.abs().times(-1) : quantity,
    price,
  };
}

const COLUMN_NAMES = { quantity: "quantity", average: "average price", total: "total cost" } as Readonly<
  Partial<Record<Column, string>>
>;
/** Returns true for cell texts that brokers use for an unknown cost. */
const isUnknownCost = (cell: string): boolean => /^(|-+|n\/?a|unknown|incomplete)$/i.test(cell);

const ASSET_CLASS_PATTERNS = {
  crypto: /crypto|coin|token/i,
  etf: /\betfs?\b|exchange.traded/i,
  equity: /equit|stock|share/i,
};

/** Resolves the symbol in a cell to an instrument; an ambiguous symbol is resolved by the asset class in the row. */
function resolveInstrument(symbol: string, kind: string, symbols: Pick<Symbols, "resolve">): Instrument {
  if (!/^[A-Za-z0-9]/.test(symbol) || symbol.length > 40) throw invalidLine("The symbol is invalid");
  const { instrument, alternatives } = symbols.resolve(symbol);
  const merged = [instrument, ...alternatives];
  if (merged.length === 1) return instrument;
  const matches = merged.filter(({ asset_class }) => ASSET_CLASS_PATTERNS[asset_class].test(kind));
  if (matches.length === 1) return matches[0]!;
  throw new ToolError(
    "INVALID_INPUT",
    "The symbol is ambiguous: add a column asset_class, or write the pair",
    {
      data: { candidates: merged },
    },
  );
}

const TOO_LARGE = "The merged position exceeds a trillion units or dollars";
const isTooLarge = ({ quantity, averagePrice }: ImportedPosition): boolean =>
  decimal(quantity).abs().gt(MAX_AMOUNT) || decimal(quantity).times(averagePrice).abs().gt(MAX_AMOUNT);

function mergeLots(
  symbol: string,
  lots: readonly { readonly line: number; readonly lot: Lot }[],
): ImportedPosition {
  const sum = (of: (lot: Lot) => Decimal) =>
    lots.reduce((merged, { lot }) => merged.plus(of(lot)), decimal(0));
  const quantity = sum((lot) => lot.quantity);
  const cost = sum((lot) => lot.quantity.times(lot.price));
  return {
    symbol,
    quantity: truncated(quantity, MAX_DECIMALS),
    averagePrice: truncated(cost.div(quantity), MAX_DECIMALS),
    lines: lots.map(({ line }) => line),
  };
}

function candidatesOf({ data }: ToolError): readonly string[] {
  const found = (data?.candidates ?? []) as readonly { readonly symbol: string }[];
  return found.map(({ symbol }) => symbol);
}

const invalidLine = (why: string): ToolError => new ToolError("INVALID_INPUT", why);
const formatFoundHeaders = (headers: readonly string[]): string =>
  headers.length === 0 ? "" : `; found: ${headers.join(", ")}`;
const noTableError = (headers: readonly string[]): ToolError =>
  new ToolError(
    "INVALID_INPUT",
    `No header line with a symbol and a quantity column${formatFoundHeaders(headers)}`,
    {
      hint: `The first line must name the columns, such as symbol,quantity,average_price. Accepted for the symbol: ${headerExamples("symbol")}; for the quantity: ${headerExamples("quantity")}.`,
    },
  );
const noCostError = (headers: readonly string[]): ToolError =>
  new ToolError(
    "INVALID_INPUT",
    `No column for an average price or a total cost${formatFoundHeaders(headers)}`,
    {
      hint: `Accepted for the average price: ${headerExamples("average")}; for the total cost: ${headerExamples("total")}.`,
    },
  );
