import { plainText } from "../../lib/plain-text.ts";
import { formatDroppedRows, type LineFault, type RawRows } from "./rows.ts";

/** Share of the rows with the same fault from which it is one of the file, not of single rows. */
const SYSTEMATIC = 0.5;
/** Minimum number of rows whose close is not adjusted as their other prices are. */
const MIN_MIXED_ROWS = 3;
const FAULTS: Readonly<Record<LineFault, string>> = {
  time: "no readable date or time",
  empty: "no price",
  number: "a price that is not a number",
  price: "a price of 0, below 0 or over 1e15",
  volume: "no readable volume",
  range: "open or close outside high and low",
};

/** Returns a note for each fault of single rows, with their lines. */
export function describeFaults({ badLines, badFaults }: RawRows): string[] {
  return (Object.keys(FAULTS) as LineFault[]).flatMap((fault) => {
    const dropped = formatDroppedRows(badLines.filter((_, at) => badFaults[at] === fault));
    return dropped === null ? [] : [`${dropped}: ${FAULTS[fault]}`];
  });
}

/** Returns why the rows of a file cannot be used as a whole; null if they can. */
export function systematicFault(rows: RawRows, hasHeader: boolean): string | null {
  const { length, badLines, badFaults, adjustedFits } = rows;
  if (length + badLines.length === 0) return "it has no rows";
  const counts = new Map<LineFault, number>();
  for (const fault of badFaults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  const outside = counts.get("range") ?? 0;
  if (adjustedFits >= MIN_MIXED_ROWS && adjustedFits > SYSTEMATIC * outside)
    return `its close is not adjusted, but its open, high and low are: in ${adjustedFits} of ${length + badLines.length} rows the close lies outside high and low, and the adjusted close does not`;
  const priced = length + badLines.length - (counts.get("empty") ?? 0);
  const [most] = [...counts]
    .filter(([fault]) => fault !== "empty" || length === 0)
    .sort(([, a], [, b]) => b - a);
  if (most === undefined) return null;
  const [fault, count] = most;
  if (length > 0 && (fault === "time" || count <= SYSTEMATIC * priced)) return null;
  const example = exampleText(rows.examples.get(fault) ?? "");
  const found = example === null || fault === "range" || fault === "empty" ? "" : `, such as ${example}`;
  const header = hasHeader
    ? ""
    : "; it has no header, and its columns are not time, open, high, low, close, volume";
  return `${count} of ${length + badLines.length} rows have ${FAULTS[fault]}${found}${header}`;
}

/** Returns a cell that is safe to print, in quotes: digits and marks with at most two words; null for other text. */
export function exampleText(cell: string): string | null {
  const isSafe = /^(?=.*\d)[^A-Za-z]*([A-Za-z]{1,9}[^A-Za-z]+){0,2}[A-Za-z]{0,3}[^A-Za-z]*$/.test(cell);
  return cell.length <= 40 && isSafe ? `"${plainText(cell, 30)}"` : null;
}
