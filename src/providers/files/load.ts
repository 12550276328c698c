import { describeBarGaps } from "../../domain/bar-gaps.ts";
import {
  type Adjustment,
  type Bars,
  barColumns,
  concatBars,
  type SessionZone,
  sliceBars,
} from "../../domain/market/bars.ts";
import { mergeOmittedRows, type OmittedRow } from "../../domain/market/omitted-rows.ts";
import { type BarFile, readText, rowsOfPart, textOfPart } from "./bar-file.ts";
import { barsFromRows, type LeftOut } from "./bars-from-rows.ts";
import type { FileSeries } from "./choose.ts";
import { describeFaults } from "./faults.ts";
import { formatDroppedRows, formatLines } from "./rows.ts";
import { printable } from "./scan.ts";

/** Note about skipped lines of a file, or the reason why the file is skipped. */
export interface FileNote {
  readonly file: string;
  readonly note: string;
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  repeated: "duplicate or out-of-order time",
  corrected: "corrected by a later row of the same time with other figures",
  no_session: "on a day without trading",
  longer: "of a longer bar length before the others",
  off_grid: "not at 00:00 UTC, where days of coins begin",
};

/** Returns the time zone whose calendar days group an instrument's bars. */
export const zoneOf = ({ instrument }: Pick<FileSeries, "instrument">): SessionZone =>
  instrument.asset_class === "crypto" ? "UTC" : "America/New_York";

/** All bars of a series, and the rows of its files that are not among them. */
export interface LoadedSeries {
  readonly bars: Bars;
  readonly omitted: readonly OmittedRow[];
  /** Sentence that names the files of the bars. Omitted if only one file has them. */
  readonly chosen?: string;
}

/** A series, and notes on the rows skipped in its files. */
export interface LoadResult {
  readonly loaded: LoadedSeries;
  readonly findings: readonly FileNote[];
}

/** Reads all bars of a series, oldest first. Null if a file changed since it was inspected. */
export function loadSeries(
  series: Pick<FileSeries, "instrument" | "timeframe" | "sources">,
  adjustment: Adjustment,
): LoadResult | null {
  const findings: FileNote[] = [];
  const report = (finding: FileNote) => findings.push(finding);
  const zone = zoneOf(series);
  const parts: Bars[] = [];
  const omitted: OmittedRow[] = [];
  for (const source of series.sources) {
    const text = unchangedText(source);
    if (text === null) return null;
    const file = printable(source.path);
    const rows = rowsOfPart(textOfPart(text, source.part), source.layout, source.part);
    for (const note of describeFaults(rows)) report({ file, note });
    const { bars, leftOut, closedLines, ...found } = barsFromRows(rows, {
      timeframe: series.timeframe,
      zone,
      adjustment,
      ...source.stamps,
    });
    for (const row of found.omitted) omitted.push(row);
    for (const [reason, lines] of leftOut)
      report({ file, note: `${formatDroppedRows(lines)}: ${LEFT_OUT[reason]}` });
    const held = closedLines.length;
    const rowsHeld = `${held} ${held === 1 ? "row" : "rows"} with trades on days without a session`;
    if (held > 0) report({ file, note: `${rowsHeld}, ${formatLines(closedLines)}: used; check the dates` });
    const last = parts.at(-1)?.time.at(-1) ?? -Infinity;
    const fresh = bars.time.findIndex((time) => time > last);
    const firstStale = fresh < 0 ? bars.time.length : fresh;
    if (firstStale > 0)
      report({ file, note: `${firstStale} rows dropped: not after the rows of the previous file` });
    parts.push(sliceBars(bars, firstStale));
  }
  const none = barColumns([], { timeframe: series.timeframe, adjustment, zone });
  const bars = concatBars(none, parts);
  const gap = describeBarGaps(bars);
  if (gap !== null) report({ file: printable(series.sources.at(-1)!.path), note: `gap: ${gap}` });
  return { loaded: { bars, omitted: mergeOmittedRows(omitted) }, findings };
}

/** Returns a note about rows in the future; null if there are none. */
export function describeFutureRows({ time }: Bars, now: number): string | null {
  const ahead = time.findIndex((at) => at > now);
  if (ahead < 0) return null;
  const count = time.length - ahead;
  const from = new Date(time[ahead]!).toISOString().slice(0, 10);
  return `${count} ${count === 1 ? "row" : "rows"} in the future, from ${from}: not used before then`;
}

function unchangedText(source: BarFile): string | null {
  const read = readText(source);
  if (typeof read === "string" || read.digest !== source.digest) return null;
  return source.partial === true ? read.text.slice(0, read.text.lastIndexOf("\n") + 1) : read.text;
}
