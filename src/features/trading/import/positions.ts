import { costOf } from "../../../analytics/positions/cost.ts";
import type { AssetClass } from "../../../domain/market/market.ts";
import { ToolError } from "../../../kernel/errors.ts";
import { type Decimal, decimal, truncated } from "../../../lib/decimal.ts";
import { mapInSteps } from "../../../lib/event-loop.ts";
import { detectNumberFormat } from "../../../lib/number-format.ts";
import { plainText } from "../../../lib/plain-text.ts";
import { classifyRow, type PositionRow, whyNot } from "./classify-row.ts";
import { headerExamples } from "./columns.ts";
import { lotsOfSummaries } from "./lots.ts";
import { costReadingOf, isRefusal, readLot, unreadable } from "./read-lot.ts";
import { formatFoundHeaders, foundHeaders, type RecognisedExport, recogniseExport } from "./recognise.ts";
import { createRowResolver, type ImportSymbols, isNameOf } from "./resolve-row.ts";
import { kindOfUnknown, type Refusal, type RowKind } from "./row-kinds.ts";
import { cellOf, cellsOf, type ReadRow, type Table, type TableRow } from "./tables.ts";

export interface ImportedPosition {
  readonly symbol: string;
  readonly assetClass: AssetClass;
  /** Negative for a short position. */
  readonly quantity: string;
  readonly averagePrice: string;
  /** One-based line numbers. */
  readonly lines: readonly number[];
  /** How cells were read, where that differs from what was sent. */
  readonly notes: readonly string[];
  /** Lines to reject unless the cost of the position is accepted. Default: none. */
  readonly undecided?: readonly RejectedLine[];
}

export interface RejectedLine {
  readonly line: number;
  /** Text of the line, sanitized and truncated. */
  readonly text: string;
  readonly kind: RowKind;
  readonly why: string;
  /** Symbols that the line may refer to. */
  readonly candidates: readonly string[];
}

export interface ParsedPositions {
  /** Name of the export. */
  readonly source: string;
  readonly positions: readonly ImportedPosition[];
  readonly refused: readonly RejectedLine[];
  /** Line numbers of totals, headings, footers and facts outside the table of instruments. */
  readonly ignored: readonly number[];
}

const MAX_ROWS = 500;
const MAX_ECHO_LENGTH = 80;
const MAX_DECIMALS = 9;
/** Maximum quantity, and cost in US dollars, of a position, so that its value fits 15 digits. */
const MAX_AMOUNT = decimal("1e12");

/**
 * Parses positions from a broker's CSV export: every row of a table of instruments becomes part of a position or is
 * rejected by what it is; lots of a symbol are merged, at most 1e12 units and US dollars each. Other events are handled
 * between rows.
 * @throws ToolError INVALID_INPUT when there is no table of positions, or more than 500 rows
 */
export async function parsePositions(csv: string, symbols: ImportSymbols): Promise<ParsedPositions> {
  const found = await recogniseExport(csv);
  const tables = found.tables.filter(({ purpose }) => purpose === "positions");
  requireColumns(tables);
  const read = await mapInSteps(
    tables.flatMap((table) => table.rows.map((row) => ({ row, table }))),
    ({ row, table }) => classified(row, table, symbols),
  );
  const ignored = read.filter(({ reading }) => "ignored" in reading).map(({ row }) => row.line);
  const rows = read.filter(({ reading }) => !("ignored" in reading));
  if (rows.length > MAX_ROWS)
    throw new ToolError("INVALID_INPUT", `The CSV has ${rows.length} rows; at most ${MAX_ROWS} are read`, {
      hint: "Send only the position rows, or split them over several labels.",
    });
  const lots = readLots(
    rows.flatMap(({ row, table, reading }) =>
      "position" in reading ? [{ row: row as ReadRow, table, position: reading.position }] : [],
    ),
    found.separator,
    symbols,
  );
  const merged = mergePositions(lots.accepted);
  return {
    source: found.preset.name,
    positions: merged.positions,
    refused: [
      ...rows.flatMap(({ row, reading }) => ("refusal" in reading ? [rejected(row, reading.refusal)] : [])),
      ...lots.refused,
      ...merged.refused,
      ...otherRows(found),
    ].sort((a, b) => a.line - b.line),
    ignored: [...ignored, ...factLines(found)].sort((a, b) => a - b),
  };
}

function classified(row: TableRow, table: Table, symbols: ImportSymbols) {
  const { cells } = row;
  const reading =
    cells === null
      ? { refusal: unreadable("A quotation mark is not closed") }
      : classifyRow({ ...row, cells }, table, (symbol, name) => isNameOf(symbol, name, symbols));
  return { row, table, reading };
}

/** Returns the rejected rows of tables of trades, cash and other items that are not positions. */
const otherRows = ({ tables }: RecognisedExport): readonly RejectedLine[] =>
  tables
    .flatMap(({ purpose, rows }) =>
      purpose === "positions" || purpose === "ignored"
        ? []
        : rows.map((row) => rejected(row, whyNot(purpose))),
    )
    .slice(0, MAX_ROWS);

const factLines = ({ tables }: RecognisedExport): readonly number[] =>
  tables.flatMap(({ purpose, rows }) => (purpose === "ignored" ? rows.map(({ line }) => line) : []));

const rejected = (
  { line, text }: TableRow,
  { kind, why, candidates = [] }: Refusal & { readonly candidates?: readonly string[] },
): RejectedLine => ({
  line,
  text: plainText(text.slice(0, 4 * MAX_ECHO_LENGTH), MAX_ECHO_LENGTH),
  kind,
  why,
  candidates,
});

interface Lot {
  readonly row: ReadRow;
  readonly symbol: string;
  readonly assetClass: AssetClass;
  readonly quantity: Decimal;
  /** Dollars per unit. */
  readonly price: Decimal;
  /** Reason why the cost is unclear; null if it is clear. */
  readonly undecided: string | null;
  readonly notes: readonly string[];
}

interface Candidate {
  readonly row: ReadRow;
  readonly table: Table;
  readonly position: PositionRow;
}

/** Reads the figures and the instrument of each possible position. */
function readLots(candidates: readonly Candidate[], separator: string, symbols: ImportSymbols) {
  const format = detectNumberFormat(
    candidates.flatMap(({ row, table }) =>
      (["quantity", "average", "total"] as const).flatMap((column) =>
        cellsOf(row.cells, table.header.columns, column),
      ),
    ),
    separator,
  );
  const costs = new Map(
    [...new Set(candidates.map(({ table }) => table))].map((table) => {
      const rows = candidates.filter((one) => one.table === table).map(({ row }) => row);
      return [table, costReadingOf(rows, table, format)] as const;
    }),
  );
  const figures = candidates.map(({ row, table, position: { side } }) =>
    readLot(row.cells, table, { format, side, cost: costs.get(table)! }),
  );
  const parts = lotsOfSummaries(
    figures.flatMap((lot, i) => (isRefusal(lot) ? [] : [{ ...candidates[i]!, quantity: lot.quantity }])),
  );
  const resolve = createRowResolver(symbols);
  const accepted: Lot[] = [];
  const refused: RejectedLine[] = [];
  for (const [i, { row, table, position }] of candidates.entries()) {
    const { header, preset } = table;
    const symbol = cellOf(row.cells, header.columns, "symbol");
    const lot = figures[i]!;
    const description = cellsOf(row.cells, header.columns, "description").join(" ");
    const unnamed = symbol === "" ? missingSymbol(description) : null;
    const refusal = parts.get(row) ?? unnamed ?? (isRefusal(lot) ? lot : null);
    const instrument = refusal ?? resolve({ symbol, description, expected: position.expected, preset });
    if (isRefusal(instrument)) refused.push(rejected(row, instrument));
    else if (!isRefusal(lot)) {
      const { symbol, asset_class } = instrument.instrument;
      const notes = [...instrument.notes, ...costNotes(table, costs.get(table)!)];
      accepted.push({ ...lot, row, symbol, assetClass: asset_class, notes });
    }
  }
  return { accepted, refused };
}

function missingSymbol(description: string): Refusal {
  const kind = kindOfUnknown("", description);
  return kind === null ? unreadable("The symbol is missing") : whyNot(kind);
}

const costNotes = ({ header }: Table, cost: ReturnType<typeof costReadingOf>): readonly string[] =>
  cost !== "per_unit"
    ? []
    : [
        `"${plainText(header.texts[header.columns.total![0]!]!, 30)}" was read as the cost of one unit, which is near the price in the file.`,
      ];

/** Merges lots by symbol, and rejects those on the opposite side of an earlier one and positions that are too large. */
function mergePositions(lots: readonly Lot[]) {
  const groups = new Map<string, Lot[]>();
  const refused: RejectedLine[] = [];
  for (const lot of lots) {
    const same = groups.get(lot.symbol) ?? [];
    if (same[0] !== undefined && same[0].quantity.lt(0) !== lot.quantity.lt(0))
      refused.push(
        rejected(lot.row, { kind: "side", why: `${lot.symbol} is on the opposite side in a line above` }),
      );
    else groups.set(lot.symbol, [...same, lot]);
  }
  const positions: ImportedPosition[] = [];
  for (const group of groups.values()) {
    const position = mergeLots(group);
    const why = isTooLarge(position) ? TOO_LARGE : decimal(position.quantity).eq(0) ? TOO_SMALL : null;
    if (why === null) positions.push(position);
    else refused.push(...group.map(({ row }) => rejected(row, unreadable(why))));
  }
  return {
    positions: positions.sort((a, b) => costOf(b) - costOf(a) || (a.symbol < b.symbol ? -1 : 1)),
    refused,
  };
}

const TOO_LARGE = "The merged position exceeds a trillion units or dollars";
const TOO_SMALL = "The quantity is below a billionth of a unit";
const isTooLarge = ({ quantity, averagePrice }: ImportedPosition): boolean =>
  decimal(quantity).abs().gt(MAX_AMOUNT) || decimal(quantity).times(averagePrice).abs().gt(MAX_AMOUNT);

function mergeLots(lots: readonly Lot[]): ImportedPosition {
  const { symbol, assetClass } = lots[0]!;
  const sum = (of: (lot: Lot) => Decimal) => lots.reduce((merged, lot) => merged.plus(of(lot)), decimal(0));
  const exact = sum((lot) => lot.quantity);
  const quantity = storedQuantity(exact);
  const cost = sum((lot) => lot.quantity.times(lot.price));
  const undecided = lots.flatMap(({ row, undecided }) =>
    undecided === null ? [] : [rejected(row, unreadable(undecided))],
  );
  return {
    ...(undecided.length === 0 ? {} : { undecided }),
    symbol,
    assetClass,
    quantity,
    averagePrice: truncated(cost.div(exact), MAX_DECIMALS),
    lines: lots.map(({ row }) => row.line),
    notes: [
      ...new Set(lots.flatMap(({ notes }) => notes)),
      ...(exact.eq(quantity)
        ? []
        : [
            `The quantity ${plainText(exact.toFixed(), 40)} was read as ${quantity}: nine decimals are stored.`,
          ]),
    ],
  };
}

/** Returns a quantity with at most nine decimals: rounded where it differs by the error of a float, else cut. */
function storedQuantity(exact: Decimal): string {
  const rounded = exact.round(MAX_DECIMALS);
  const isFloatError = rounded.minus(exact).abs().lte(exact.abs().times("1e-15"));
  return isFloatError ? rounded.toFixed() : truncated(exact, MAX_DECIMALS);
}

/** Requires a symbol, a quantity and a cost in a table of positions. @throws ToolError INVALID_INPUT */
function requireColumns(tables: readonly Table[]): void {
  const hasCost = tables.some(({ header: { columns } }) => (columns.average ?? columns.total) !== undefined);
  if (hasCost) return;
  const { header } = tables[0]!;
  throw new ToolError(
    "INVALID_INPUT",
    `No column for an average price or a total cost${formatFoundHeaders(foundHeaders(header.texts))}`,
    {
      hint: `Accepted for the average price: ${headerExamples("average")}; for the total cost: ${headerExamples("total")}.`,
    },
  );
}
