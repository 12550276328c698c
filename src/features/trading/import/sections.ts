import type { CsvRecord } from "../../../lib/csv-records.ts";
import { type Header, readHeader } from "./columns.ts";
import { IBKR_STATEMENT, type Preset, presetOf } from "./presets.ts";
import { type Table, type TableRow, tableOf } from "./tables.ts";

/** Purpose of a section by its name; sections with other names are ignored. */
const SECTION_PURPOSES: readonly (readonly [RegExp, Table["purpose"]])[] = [
  [/pending|open orders/i, "pending"],
  [/closed|realized/i, "ignored"],
  [/^(open )?positions?$|^POST$|^(open )?positions?;|^holdings$/i, "positions"],
  [/^(trades?|orders?|executions?|TRNT|trade confirmations?)\b/i, "trade"],
  [/^forex (balances|positions)/i, "cash"],
];

interface SectionRow {
  readonly section: string;
  readonly type: string;
  readonly cells: readonly string[];
  readonly record: CsvRecord;
}

/**
 * Reads a statement whose rows begin with their section and type, such as `Open Positions,Data,...` of an activity
 * statement or `DATA,POST,...` of a Flex query, each section with its own header; null if the records are not of that
 * kind.
 */
export function readSections(records: readonly CsvRecord[]): readonly Table[] | null {
  const isStatement = hasTypes(records, 1, ["Header", "Data"]);
  if (!isStatement && !hasTypes(records, 0, ["HEADER", "DATA"])) return null;
  const [at, typeAt] = isStatement ? [0, 1] : [1, 0];
  const titles = new Map<string, string>();
  const rows = records.flatMap((record): readonly SectionRow[] => {
    const cells = record.cells ?? record.text.split(",", 2);
    const section = cells[at]?.trim() ?? "";
    const type = cells[typeAt]?.trim().toLowerCase() ?? "";
    if (type === "bos") titles.set(section, cells[2] ?? "");
    return section === "" ? [] : [{ section, type, cells: cells.slice(2), record }];
  });
  const others: TableRow[] = [];
  const tables = new Map<string, { section: string; header: Header; rows: TableRow[] }[]>();
  for (const { section, type, cells, record } of rows) {
    const known = tables.get(section) ?? [];
    if (type === "header") tables.set(section, [...known, { section, header: readHeader(cells), rows: [] }]);
    if (type === "header") continue;
    const read = record.cells === null ? null : cells;
    const target = type === "data" ? known.at(-1)?.rows : others;
    target?.push({ ...record, cells: read, isHeading: false, heading: null, currency: null });
  }
  const read = [...tables.values()].flat().map(({ section, header, rows }) =>
    tableOf({
      header,
      rows,
      preset: presetOfSection(isStatement, header),
      purpose: purposeOf(section, titles.get(section) ?? ""),
    }),
  );
  const noHeader = readHeader([]);
  const rest = { header: noHeader, rows: others, preset: presetOfSection(isStatement, noHeader) };
  return [...read, tableOf({ ...rest, purpose: "ignored" })];
}

const presetOfSection = (isStatement: boolean, { names }: Header): Preset =>
  isStatement ? IBKR_STATEMENT : presetOf(names, "");

const purposeOf = (section: string, title: string): Table["purpose"] =>
  SECTION_PURPOSES.find(([name]) => name.test(section) || (title !== "" && name.test(title)))?.[1] ??
  "ignored";

const hasTypes = (records: readonly CsvRecord[], at: number, types: readonly string[]): boolean =>
  types.every((type) =>
    records.some(({ cells }) => cells !== null && cells[at] === type && cells.length > 2),
  );
