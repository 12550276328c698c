import { costOf } from "../../../analytics/positions/cost.ts";
import type { Instrument } from "../../../domain/market/market.ts";
import type { Symbols } from "../../../domain/ports.ts";
import { asToolError, ToolError } from "../../../kernel/errors.ts";
import { csvCells } from "../../../lib/csv-line.ts";
import { type Decimal, decimal, truncated } from "../../../lib/decimal.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { type Column, findHeader, headerCells, headerExamples, type TableHeader } from "./columns.ts";
import { detectNumberFormat, type NumberFormat, parseNumber } from "./number.ts";

/** A position that was read, and of which lines. */
export interface ImportedPosition {
  readonly symbol: string;
  /** Below 0: sold short. */
  readonly quantity: string;
  readonly averagePrice: string;
  /** From 1. */
  readonly lines: readonly number[];
}

/** A line that is no position we can keep, and why. */
export interface RejectedLine {
  readonly line: number;
  /** As it stands there, plain and cut short. */
  readonly text: string;
  readonly why: string;
  /** Symbols that it may have meant. */
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
/** Of units and of dollars a position: what it is worth at a price is told in 15 digits. */
const MAX_AMOUNT = decimal("1e12");

/**
 * Reads positions from the text of a CSV file as brokers write them: columns by their heads in any order, lots of a
 * symbol put together, of a trillion units and of a trillion dollars at the most. Every line below the heads is a
 * position or is refused with why. @throws ToolError INVALID_INPUT where there is no table, or one of more than 500 rows
 */
export function parsePositions(csv: string, symbols: Pick<Symbols, "resolve">): ParsedPositions {
  const lines = csv.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const head = findHeader(lines);
  if (head === null) throw noTableError(headerCells(lines));
  if (head.columns.average === undefined && head.columns.total === undefined)
    throw noCostError(headerCells([lines[head.line]!]));
  const rows = lines.flatMap((text, i) => (i <= head.line || isBlank(text) ? [] : [{ line: i + 1, text }]));
  if (rows.length > MAX_ROWS)
    throw new ToolError("INVALID_INPUT", `The CSV has ${rows.length} rows; at most ${MAX_ROWS} are read`, {
      hint: "Send the rows of positions alone, or split them over several labels.",
    });
  const marks = numberFormatOf(rows, head);
  const read = rows.map(({ line, text }) => {
    const refused = (why: string, candidates: readonly string[] = []): RejectedLine => ({
      line,
      text: plainText(text, MAX_ECHO_LENGTH),
      why,
      candidates,
    });
    try {
      return { ok: true as const, line, lot: parseLot(text, head, marks, symbols), refused };
    } catch (thrown) {
      const error = asToolError(thrown);
      if (error.code === "INTERNAL") throw thrown;
      return { ok: false as const, why: refused(error.message, candidatesOf(error)) };
    }
  });
  const lots = read.filter((one) => one.ok);
  const first = new Map(lots.toReversed().map(({ lot }) => [lot.symbol, lot.quantity.lt(0)]));
  const clashes = lots.filter(({ lot }) => lot.quantity.lt(0) !== first.get(lot.symbol));
  const kept = lots.filter((one) => !clashes.includes(one));
  const all = [...first.keys()].map((symbol) =>
    mergeLots(
      symbol,
      kept.filter(({ lot }) => lot.symbol === symbol),
    ),
  );
  const large = new Set(all.filter(isTooLarge).map(({ symbol }) => symbol));
  return {
    positions: all
      .filter(({ symbol }) => !large.has(symbol))
      .sort((a, b) => costOf(b) - costOf(a) || (a.symbol < b.symbol ? -1 : 1)),
    refused: [
      ...read.flatMap((one) => (one.ok ? [] : [one.why])),
      ...clashes.map(({ lot, refused }) => refused(`${lot.symbol} is held the other way round above`)),
      ...kept.flatMap(({ lot, refused }) => (large.has(lot.symbol) ? [refused(TOO_LARGE)] : [])),
    ].sort((a, b) => a.line - b.line),
  };
}

interface Lot {
  readonly symbol: string;
  readonly quantity: Decimal;
  /** Dollars a unit. */
  readonly price: Decimal;
}

const isBlank = (text: string): boolean => /^[\s,;"]*$/.test(text) || /^sep=/i.test(text);

function numberFormatOf(
  rows: readonly { readonly text: string }[],
  { separator, columns }: TableHeader,
): NumberFormat {
  const numbers = [columns.quantity, columns.average, columns.total].filter((at) => at !== undefined);
  const cells = rows.flatMap(({ text }) => {
    const all = csvCells(text, separator) ?? [];
    return numbers.map((at) => all[at] ?? "");
  });
  return detectNumberFormat(cells, separator);
}

/** The lot in a row. Throws what is wrong with it. */
function parseLot(
  text: string,
  { separator, columns }: TableHeader,
  marks: NumberFormat,
  symbols: Pick<Symbols, "resolve">,
): Lot {
  const cells = csvCells(text, separator);
  if (cells === null) throw invalidLine("A quote is opened and not closed");
  const cell = (column: Column): string => cells[columns[column] ?? -1] ?? "";
  const symbol = cell("symbol");
  if (symbol === "") throw invalidLine("There is no symbol");
  const number = (column: Column): Decimal | null => {
    const said = cell(column);
    if (said === "") return null;
    const value = parseNumber(said, marks);
    if (value === null) throw invalidLine(`The ${COLUMN_NAMES[column]} is no plain number`);
    return value;
  };
  const told = number("quantity");
  if (told === null) throw invalidLine("There is no quantity");
  if (told.eq(0)) throw invalidLine("The quantity is 0");
  if (!told.round(MAX_DECIMALS).eq(told))
    throw invalidLine("The quantity has more than nine digits behind the point");
  const currency = cell("currency").toUpperCase();
  if (!["", "USD", "$", "US$"].includes(currency)) throw invalidLine("Its currency is not the US dollar");
  const average = isUnknownCost(cell("average")) ? null : number("average");
  const total = average !== null || isUnknownCost(cell("total")) ? null : number("total");
  const price = average ?? total?.abs().div(told.abs()) ?? null;
  if (price === null) throw invalidLine("There is neither an average price nor a total cost");
  if (price.lt(0)) throw invalidLine("The average price is below 0");
  for (const one of [told.abs(), price])
    if (one.gte(decimal(`1e${MAX_DIGITS}`))) throw invalidLine("A number is too large");
  const short = /^(short|sold short|s)$/i.test(cell("side"));
  return {
    symbol: resolveInstrument(symbol, cell("kind"), symbols).symbol,
    quantity: short ? told.abs().times(-1) : told,
    price,
  };
}

const COLUMN_NAMES = { quantity: "quantity", average: "average price", total: "total cost" } as Readonly<
  Partial<Record<Column, string>>
>;
/** Words of brokers for a cost that they do not know. */
const isUnknownCost = (cell: string): boolean => /^(|-+|n\/?a|unknown|incomplete)$/i.test(cell);

const ASSET_CLASS_PATTERNS = {
  crypto: /crypto|coin|token/i,
  etf: /\betfs?\b|exchange.traded/i,
  equity: /equit|stock|share/i,
};

/** The one instrument a cell names; where it names several, the kind of asset in the row tells. */
function resolveInstrument(symbol: string, kind: string, symbols: Pick<Symbols, "resolve">): Instrument {
  if (!/^[A-Za-z0-9]/.test(symbol) || symbol.length > 40) throw invalidLine("The symbol is none");
  const { instrument, alternatives } = symbols.resolve(symbol);
  const all = [instrument, ...alternatives];
  if (all.length === 1) return instrument;
  const meant = all.filter(({ asset_class }) => ASSET_CLASS_PATTERNS[asset_class].test(kind));
  if (meant.length === 1) return meant[0]!;
  throw new ToolError(
    "INVALID_INPUT",
    "The symbol names several: add a column asset_class, or write the pair",
    {
      data: { candidates: all },
    },
  );
}

const TOO_LARGE = "With its other lots it is more than a trillion units or dollars";
const isTooLarge = ({ quantity, averagePrice }: ImportedPosition): boolean =>
  decimal(quantity).abs().gt(MAX_AMOUNT) || decimal(quantity).times(averagePrice).abs().gt(MAX_AMOUNT);

function mergeLots(
  symbol: string,
  lots: readonly { readonly line: number; readonly lot: Lot }[],
): ImportedPosition {
  const sum = (of: (lot: Lot) => Decimal) => lots.reduce((all, { lot }) => all.plus(of(lot)), decimal(0));
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
const formatFoundHeaders = (heads: readonly string[]): string =>
  heads.length === 0 ? "" : `; found: ${heads.join(", ")}`;
const noTableError = (heads: readonly string[]): ToolError =>
  new ToolError(
    "INVALID_INPUT",
    `There is no line that heads columns of symbols and quantities${formatFoundHeaders(heads)}`,
    {
      hint: `The first line says what the columns are, such as symbol,quantity,average_price. A symbol is headed by ${headerExamples("symbol")}; a quantity by ${headerExamples("quantity")}.`,
    },
  );
const noCostError = (heads: readonly string[]): ToolError =>
  new ToolError(
    "INVALID_INPUT",
    `No column holds an average price or a total cost${formatFoundHeaders(heads)}`,
    {
      hint: `An average price is headed by ${headerExamples("average")}; a total cost by ${headerExamples("total")}.`,
    },
  );
