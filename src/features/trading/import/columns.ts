import { csvCells } from "../../../lib/csv-line.ts";
import { plainText } from "../../../lib/plain-text.ts";

/**
 * Header texts that brokers use for each column, most common first; in lower case, with punctuation replaced by spaces.
 */
const HEADER_NAMES = {
  symbol: "symbol|ticker|ticker symbol|instrument|asset|security|stock|holding|coin|symbol cusip",
  quantity:
    "quantity|qty|qty quantity|shares|units|position|number of shares|no of shares|shares owned|quantity held|share quantity",
  average:
    "average price|avg price|average cost|avg cost|average cost basis|cost basis share|cost basis per share|cost per share|cost share|unit cost|average entry price|avg entry price|avg price share|average price paid|average buy price|average purchase price|purchase price|average open price|entry price|avg unit cost|price paid|cost basis price|cost price|open price",
  total:
    "total cost|cost basis total|cost basis|total cost basis|book value|book cost|cost|invested|amount invested|purchase value|cost basis money",
  side: "side|direction|position side|long short|position type",
  currency: "currency|ccy|currency code",
  kind: "asset class|asset type|security type|type|class|instrument type|asset category|sec type",
} as const;
export type Column = keyof typeof HEADER_NAMES;

/** Zero-based cell index of each column in the table. */
export type Columns = Readonly<Partial<Record<Column, number>>>;

/** Header line of a table, with its separator and columns. */
export interface TableHeader {
  /** Zero-based. */
  readonly line: number;
  readonly separator: string;
  readonly columns: Columns;
}

const SEPARATORS = [",", ";", "\t"] as const;
/** Number of lines searched for the header; brokers write titles and dates above the table. */
const MAX_HEADER_LINES = 30;

/** Finds the header line of the table; null when no line has both a symbol and a quantity column. */
export function findHeader(lines: readonly string[]): TableHeader | null {
  for (const [line, text] of lines.slice(0, MAX_HEADER_LINES).entries())
    for (const separator of SEPARATORS) {
      const columns = columnsOf(csvCells(text, separator) ?? []);
      if (columns.symbol !== undefined && columns.quantity !== undefined) return { line, separator, columns };
    }
  return null;
}

/**
 * Returns the sanitized cells of the line that looks most like a header, for an error message; empty when all lines
 * are.
 */
export function headerCells(lines: readonly string[]): readonly string[] {
  const rows = lines.slice(0, MAX_HEADER_LINES).flatMap((text) =>
    SEPARATORS.map((separator) => {
      const cells = csvCells(text, separator) ?? [];
      return { cells, known: Object.keys(columnsOf(cells)).length };
    }),
  );
  const best = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .sort((a, b) => b.known - a.known || b.cells.length - a.cells.length)[0];
  return (best?.cells ?? [])
    .map((cell) => plainText(cell, 30))
    .filter((cell) => cell !== "")
    .slice(0, 12);
}

export const headerExamples = (column: Column): string =>
  HEADER_NAMES[column].split("|").slice(0, 4).join(", ");

function columnsOf(cells: readonly string[]): Columns {
  const headers = cells.map(normalizeHeader);
  const found = Object.entries(HEADER_NAMES).flatMap(([column, words]) => {
    const index = words
      .split("|")
      .map((word) => headers.indexOf(word))
      .find((index) => index >= 0);
    return index === undefined ? [] : [[column, index] as const];
  });
  return Object.fromEntries(found);
}

const normalizeHeader = (cell: string): string =>
  cell
    .slice(0, 60)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .replace(/\b(usd|in usd|us)\b/g, " ")
    .replace(/ +/g, " ")
    .trim();
