import type { Instrument } from "../../domain/market/market.ts";
import { plainText } from "../../lib/plain-text.ts";
import { canonicalOf } from "../../market/symbols/directory.ts";
import { type Listings, tickerOf } from "../../market/symbols/listings.ts";
import { squeeze } from "../../market/symbols/name-letters.ts";
import { type FileName, krakenPair } from "./file-name.ts";
import type { Layout } from "./layout.ts";
import { lineNumbers, lineReader, type RowChoice } from "./rows.ts";

const MAX_NAME_LENGTH = 80;
/** Maximum number of symbols in one file. */
const MAX_SYMBOLS = 1_000;
/** Maximum number of characters read to load all symbols of a file, each from its first to its last row. */
const MAX_SPAN_CHARS = 2_000_000_000;

/** The rows of one instrument in a file. */
export interface FilePart {
  readonly instrument: Instrument;
  /** Bounds of its rows in the text. Default: the whole text. */
  readonly span?: readonly [start: number, end: number];
  /** Its cells in the symbol column and the number of lines before its first row. */
  readonly choice?: RowChoice;
}

/** The instruments in a file, and the number of rows of other symbols. */
export interface FileParts {
  readonly parts: readonly FilePart[];
  readonly unknownRows: number;
  /** Remarks on names in the column. Default: none. */
  readonly notes?: readonly string[];
}

interface Found {
  rows: number;
  readonly start: number;
  end: number;
  readonly linesBefore: number;
}

/**
 * Finds the instruments whose bars a file holds: that of its name, or those of its symbol column. Returns the reason if
 * name and column contradict each other, or neither is an instrument.
 */
export function findParts(
  text: string,
  {
    layout,
    name,
    listings,
  }: { readonly layout: Layout; readonly name: FileName; readonly listings: Listings },
): FileParts | string {
  const named = namedInstrument(name, listings);
  const found = layout.symbol === null ? captionCells(layout) : cellsIn(text, layout);
  if (typeof found === "string") return found;
  const isSame = (cell: string) =>
    named !== null &&
    cell.length <= MAX_NAME_LENGTH &&
    [cell, krakenPair(cell), ...cell.split(/[.:\s]+/)].some(
      (part) => canonicalOf(part, listings)?.symbol === named.symbol,
    );
  const groups = new Map<string, { instrument: Instrument; cells: string[]; found: Found[] }>();
  let unknownRows = 0;
  for (const [cell, rows] of found) {
    const instrument = isSame(cell) ? named : instrumentIn(cell, listings);
    if (instrument === null) unknownRows += rows.rows;
    else {
      const group = groups.get(instrument.symbol) ?? { instrument, cells: [], found: [] };
      group.cells.push(cell);
      group.found.push(rows);
      groups.set(instrument.symbol, group);
    }
  }
  const [first] = groups.values();
  if (first === undefined) {
    if (found.size > 1)
      return `its symbol column has ${found.size} different values, and none is a US stock, fund or dollar pair of a coin`;
    if (named === null) return "its name is not a symbol";
    const [cell] = found.keys();
    const bearers = cell === undefined ? [named.symbol] : bearersOf(cell, listings);
    const isNamed = bearers.includes(named.symbol);
    if (bearers.length > 0 && !isNamed && !name.isVague)
      return `its rows are of ${plainText(cell!, 40)} (${bearers[0]}), but its name says ${named.symbol}`;
    const notes = isNamed
      ? []
      : [
          `its column of symbols holds "${plainText(cell!, 40)}", which is not a known name of ${named.symbol}; check that the bars are its own`,
        ];
    return { parts: [{ instrument: named }], unknownRows: 0, notes };
  }
  if (groups.size === 1 && named !== null && !name.isVague && first.instrument.symbol !== named.symbol)
    return `its rows are of ${first.instrument.symbol}, but its name says ${named.symbol}`;
  if (layout.symbol === null) return { parts: [{ instrument: first.instrument }], unknownRows: 0 };
  if (groups.size === 1 && unknownRows === 0)
    return { parts: [{ instrument: first.instrument }], unknownRows };
  const parts = [...groups.values()].map(({ instrument, cells, found: spans }) => {
    const start = Math.min(...spans.map((span) => span.start));
    const linesBefore = Math.min(...spans.map((span) => span.linesBefore));
    const span = [start, Math.max(...spans.map(({ end }) => end))] as const;
    return { instrument, span, choice: { cells: new Set(cells), linesBefore } };
  });
  if (parts.reduce((sum, { span: [start, end] }) => sum + end - start, 0) > MAX_SPAN_CHARS)
    return `it holds ${parts.length} symbols in turn; sort its rows by symbol, or write a file for each`;
  return { parts, unknownRows };
}

/** Words after the name of a company that its common name lacks. */
const FORMS =
  /[,\s]+(inc|incorporated|corp|corporation|co|company|companies|plc|ltd|limited|holdings?|group|n\.?v|s\.?a|(class|cl) [a-c]|common stock|ordinary shares)\.?$/i;

/** Returns the symbols of the instruments with a name, such as `Microsoft Corp.`; empty if it is not known. */
function bearersOf(cell: string, listings: Listings): readonly string[] {
  const names = [cell.slice(0, MAX_NAME_LENGTH).trim()];
  for (let name = names[0]!; FORMS.test(name); names.push(name)) name = name.replace(FORMS, "");
  const wanted = new Set(names.map(squeeze).filter((name) => name !== ""));
  return [...listings.us.values(), ...listings.tokens.values()]
    .filter(({ instrument, aliases }) =>
      [instrument.name, ...aliases].some((known) => wanted.has(squeeze(known.replace(/ [A-C]$/, "")))),
    )
    .map(({ instrument }) => instrument.symbol);
}

/** Returns the instrument of a file's name; null for a stock with a digit, which no US ticker has. */
function namedInstrument({ symbol }: FileName, listings: Listings): Instrument | null {
  const found = canonicalOf(symbol, listings);
  return found?.asset_class === "equity" && /\d/.test(found.symbol) ? null : found;
}

/** Returns the cells of the symbol column with their rows; the reason if there are too many different ones. */
function cellsIn(text: string, layout: Layout): ReadonlyMap<string, Found> | string {
  const line = lineReader(text, layout);
  const all = new Map<string, Found>();
  let last = { cell: "", found: null as Found | null };
  for (const number of lineNumbers(text, line, layout.headerLines)) {
    const cell = line.text(layout.symbol!);
    const [start, end] = line.bounds;
    let found = cell === last.cell ? last.found : (all.get(cell) ?? null);
    if (found === null && cell !== "") {
      if (all.size >= MAX_SYMBOLS)
        return `its symbol column has more than ${MAX_SYMBOLS} different values; split the file`;
      found = { rows: 0, start, end, linesBefore: number - 1 };
      all.set(Buffer.from(cell).toString(), found); // a copy, which does not keep the text in memory
    }
    if (found === null) continue;
    found.rows++;
    found.end = end;
    last = { cell, found };
  }
  return all;
}

const captionCells = ({ caption }: Layout): ReadonlyMap<string, Found> =>
  new Map(caption === null ? [] : [[caption, { rows: 0, start: 0, end: 0, linesBefore: 0 }]]);

/** Returns the instrument of a cell: a listed one, or one written like a ticker or a pair; null for other text, such as a name. */
function instrumentIn(cell: string, listings: Listings): Instrument | null {
  const written = [cell, krakenPair(cell), cell.split(":").at(-1)!, cell.split(/\s/)[0]!];
  const found = written.map((part) => canonicalOf(part, listings)).filter((one) => one !== null);
  const listed = found.find((one) =>
    (one.asset_class === "crypto" ? listings.tokens : listings.us).has(tickerOf(one)),
  );
  if (listed !== undefined) return listed;
  return /^[A-Z]{1,5}([.-][A-Z])?$|^[A-Z0-9]{2,10}[-/_]?USD[TC]?$/.test(cell) ? (found[0] ?? null) : null;
}
