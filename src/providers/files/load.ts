import { describeBarGaps } from "../../domain/bar-gaps.ts";
import { type Adjustment, type Bars, type SessionZone, sliceBars } from "../../domain/market/bars.ts";
import type { OmittedRow } from "../../domain/market/omitted-rows.ts";
import { ToolError } from "../../kernel/errors.ts";
import { type BarFile, readText, rowsOfPart } from "./bar-file.ts";
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

/**
 * Reads all bars of a series, oldest first. Skipped rows are passed to `report`.
 * @throws ToolError "NOT_CONNECTED" if a file changed since it was inspected
 */
export function loadSeries(
  series: FileSeries,
  adjustment: Adjustment,
  report: (finding: FileNote) => void,
): LoadedSeries {
  const zone = zoneOf(series);
  const parts: Bars[] = [];
  const omitted: OmittedRow[] = [];
  for (const source of series.sources) {
    const text = unchangedText(source);
    const file = printable(source.path);
    const rows = rowsOfPart(text, source.layout, source.part);
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
  const bars = concatBars(parts, series, adjustment);
  const gap = describeBarGaps(bars);
  if (gap !== null) report({ file: printable(series.sources.at(-1)!.path), note: `gap: ${gap}` });
  return { bars, omitted };
}

/** Returns a note about rows in the future; null if there are none. */
export function describeFutureRows({ time }: Bars, now: number): string | null {
  const ahead = time.findIndex((at) => at > now);
  if (ahead < 0) return null;
  const count = time.length - ahead;
  const from = new Date(time[ahead]!).toISOString().slice(0, 10);
  return `${count} ${count === 1 ? "row" : "rows"} in the future, from ${from}: not used before then`;
}

function unchangedText(source: BarFile): string {
  const read = readText(source);
  if (typeof read !== "string" && read.digest === source.digest)
    return source.partial === true ? read.text.slice(0, read.text.lastIndexOf("\n") + 1) : read.text;
  throw new ToolError("NOT_CONNECTED", `The file of ${source.instrument.symbol} is being changed`, {
    hint: "Retry in a minute: changed files are read again.",
  });
}

/** Concatenates parts that are in order of time. */
function concatBars(parts: readonly Bars[], series: FileSeries, adjustment: Adjustment): Bars {
  const column = (name: "time" | "open" | "high" | "low" | "close" | "volume") => {
    const all = new Float64Array(parts.reduce((length, part) => length + part.time.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part[name], at);
      at += part.time.length;
    }
    return all;
  };
  return {
    time: column("time"),
    open: column("open"),
    high: column("high"),
    low: column("low"),
    close: column("close"),
    volume: column("volume"),
    timeframe: series.timeframe,
    adjustment,
    zone: zoneOf(series),
  };
}
