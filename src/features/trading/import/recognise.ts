import { ToolError } from "../../../kernel/errors.ts";
import { type CsvRecord, csvRecords, linesOf } from "../../../lib/csv-records.ts";
import { isBusy, yieldToEventLoop } from "../../../lib/event-loop.ts";
import { plainText } from "../../../lib/plain-text.ts";
import {
  countColumns,
  foreignCurrencyIn,
  type Header,
  headerExamples,
  isCurrencyCode,
  isHeaderRow,
  listsTransactions,
  readHeader,
} from "./columns.ts";
import { isHeadingText, isSubtotalHeading } from "./headings.ts";
import { IBKR_STATEMENT, type Preset, presetOf } from "./presets.ts";
import { readSections } from "./sections.ts";
import { cellsOf, type Table, type TableRow, tableOf } from "./tables.ts";

/** An export as recognised, before any row is read. */
export interface RecognisedExport {
  readonly preset: Preset;
  readonly separator: string;
  readonly tables: readonly Table[];
}

const SEPARATORS = [",", ";", "\t", "|"] as const;
const MAX_LINES = 2_000;
const MAX_PREAMBLE_LENGTH = 2_000;

/**
 * Recognises the broker, the sections and the tables of an export. @throws ToolError INVALID_INPUT when there is no
 * table of positions, or more than 2000 lines
 */
export async function recogniseExport(csv: string): Promise<RecognisedExport> {
  if (/^(\ufffd\ufffd)?([^\0]\0|\0[^\0]){4}/.test(csv))
    throw new ToolError(
      "INVALID_INPUT",
      "The text of the CSV is in UTF-16, but was read as another encoding",
      {
        hint: "Save or send the file as UTF-8.",
      },
    );
  const sent = linesOf(csv);
  const named = /^\W{0,4}sep=(.)/i.exec(sent[0] ?? "")?.[1];
  // an empty line takes as long to read as a row
  const filled = sent
    .map((text, at) => ({ text, line: at + 1 }))
    .filter(({ text, line }) => !EMPTY_LINE.test(text) && !(named !== undefined && line === 1));
  if (filled.length > MAX_LINES)
    throw new ToolError(
      "INVALID_INPUT",
      `The CSV has ${filled.length} rows; at most ${MAX_LINES} lines are read`,
      { hint: "Send only the position rows, or split them over several labels." },
    );
  const lines = filled.map(({ text }) => text);
  const candidates = named === undefined ? SEPARATORS.filter((one) => csv.includes(one)) : [named];
  let fallback: RecognisedExport | null = null;
  for (const separator of candidates) {
    const records = csvRecords(lines, separator)
      .filter(({ text }) => !isBlank(text))
      .map((record) => ({ ...record, line: filled[record.line - 1]!.line }));
    const tables = readSections(records) ?? (await plainTables(records));
    const found = { preset: presetOfTables(tables), separator, tables };
    if (tables.some(({ purpose }) => purpose === "positions")) return found;
    fallback ??= tables.length > 0 ? found : null;
  }
  throw fallback === null ? noTableError(headerCells(lines)) : noPositionsError(fallback);
}

/** Matches a line without text and quotation marks, which can be left out even within a quoted cell. */
const EMPTY_LINE = /^[\s,;|]*$/;
const isBlank = (text: string): boolean => /^[\s,;"|]*$/.test(text);

const presetOfTables = (tables: readonly Table[]): Preset => {
  const shown = tables.find(({ purpose }) => purpose === "positions") ?? tables[0];
  return shown?.preset ?? presetOf([], "");
};

/** Splits records into tables at every row that names columns; the records above the first are its preamble. */
async function plainTables(records: readonly CsvRecord[]): Promise<readonly Table[]> {
  const tables: { header: Header; rows: TableRow[] }[] = [];
  const above: string[] = [];
  let heading: string | null = null;
  let currency: string | null = null;
  // a heading above a header belongs to its table
  let isBelowHeading = false;
  for (const record of records) {
    if (isBusy()) await yieldToEventLoop();
    const cells = record.cells ?? [];
    const header = readHeader(cells);
    const texts = cells.filter((cell) => cell !== "");
    if (isHeaderRow(cells, header)) {
      tables.push({ header, rows: [] });
      if (!isBelowHeading) heading = null;
      isBelowHeading = false;
      continue;
    }
    const [only = "", another] = texts;
    const code = another === undefined ? currencyCodeOf(only) : null;
    const isNamed =
      another === undefined
        ? isHeadingText(only)
        : isSubtotalHeading(only) && !hasQuantity(cells, tables.at(-1)?.header);
    if (isNamed) heading = only;
    if (code !== null) currency = foreignCurrencyIn(code);
    const isHeading = isNamed || code !== null;
    isBelowHeading = isNamed || (isBelowHeading && isHeading);
    if (tables.length === 0) above.push(plainText(record.text.slice(0, 200), 120));
    else tables.at(-1)!.rows.push({ ...record, isHeading, heading, currency });
  }
  const preamble = above.join("\n").slice(0, MAX_PREAMBLE_LENGTH);
  return tables.map(({ header, rows }) =>
    tableOf({
      header,
      rows,
      preset: presetOf(header.names, preamble),
      purpose: purposeOf(header, rows),
    }),
  );
}

const hasQuantity = (cells: readonly string[], header: Header | undefined): boolean =>
  header === undefined || cellsOf(cells, header.columns, "quantity").some((cell) => /\d/.test(cell));

function purposeOf(header: Header, rows: readonly TableRow[]): Table["purpose"] {
  if (listsTransactions(header, rows)) return "trade";
  const { symbol, quantity } = header.columns;
  return symbol === undefined || quantity === undefined ? "ignored" : "positions";
}

const CURRENCY_HEADING = /^([A-Z]{3})( (positions|holdings|account))?$|^\W*[Cc]urrency\W+([A-Z]{3})\b/;

/** Returns the code of a heading that names a currency; null for any other text. */
function currencyCodeOf(text: string): string | null {
  const [, code, , , named = code] = CURRENCY_HEADING.exec(text) ?? [];
  return named !== undefined && isCurrencyCode(named) ? named : null;
}

/** Returns the sanitized cells of the line that looks most like a header; empty when all lines are. */
function headerCells(lines: readonly string[]): readonly string[] {
  const rows = lines.slice(0, 60).flatMap((text) =>
    SEPARATORS.flatMap((separator) => {
      const cells = csvRecords([text.slice(0, 2_000)], separator)[0]?.cells ?? [];
      return [{ cells, known: countColumns(readHeader(cells)) }];
    }),
  );
  const best = rows
    .filter(({ cells }) => cells.some((cell) => cell !== ""))
    .sort((a, b) => b.known - a.known || b.cells.length - a.cells.length)[0];
  return foundHeaders(best?.cells ?? []);
}

export const foundHeaders = (cells: readonly string[]): readonly string[] =>
  cells
    .map((cell) => plainText(cell, 30))
    .filter((cell) => cell !== "")
    .slice(0, 12);

export const formatFoundHeaders = (headers: readonly string[]): string =>
  headers.length === 0 ? "" : `; found: ${headers.join(", ")}`;

const noTableError = (headers: readonly string[]): ToolError =>
  new ToolError(
    "INVALID_INPUT",
    `No header line with a symbol and a quantity column${formatFoundHeaders(headers)}`,
    {
      hint: `The first line must name the columns, such as symbol,quantity,average_price. Accepted for the symbol: ${headerExamples("symbol")}; for the quantity: ${headerExamples("quantity")}.`,
    },
  );

function noPositionsError({ preset, tables }: RecognisedExport): ToolError {
  const trades = tables.find(({ purpose }) => purpose === "trade");
  if (preset === IBKR_STATEMENT || trades === undefined)
    return preset === IBKR_STATEMENT
      ? new ToolError("INVALID_INPUT", `${preset.name}: there is no section of open positions`, {
          hint: "Include the section Open Positions when you create the statement.",
        })
      : noTableError(foundHeaders(tables[0]!.header.texts));
  const name = trades.preset.headers === undefined ? "The table" : `${trades.preset.name}: the table`;
  return new ToolError(
    "INVALID_INPUT",
    `${name} lists transactions, not positions${formatFoundHeaders(foundHeaders(trades.header.texts))}`,
    {
      hint: "Export the positions or holdings of the account instead, with columns for symbol, quantity and average price or total cost.",
    },
  );
}
