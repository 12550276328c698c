import { type Adjustment, type Bars, barLabel, mapColumns } from "../../domain/market/bars.ts";
import { type FileSeries, formatEnd, namesOf } from "./choose.ts";
import { differenceOf } from "./fresher-bars.ts";
import { concatBars, type FileNote, type LoadResult, loadSeries } from "./load.ts";
import { printable } from "./scan.ts";

/** A series with the earlier bars of older files, and the paths of those that give bars. */
export interface ExtendedSeries extends LoadResult {
  readonly joined: readonly string[];
}

/**
 * Reads a series and adds, from older files that overlap with it, the bars of times before its newest file that none of
 * its files spans, unless the newest common closes differ. `chosen` says which file gives which bars. Null if a file
 * changed since it was inspected.
 */
export function loadExtended({
  series,
  adjustment,
}: {
  readonly series: FileSeries;
  readonly adjustment: Adjustment;
}): ExtendedSeries | null {
  const newest = loadSeries(series, adjustment);
  if (newest === null) return null;
  const { timeframe, sources, others, earlier } = series;
  if (others === 0) return { ...newest, joined: [] };
  const count = others + sources.length;
  const sentences = [
    `The ${timeframe} bars are those of ${namesOf(series)}, to ${formatEnd(sources.at(-1)!)}: the newest of ${count} files.`,
  ];
  const findings: FileNote[] = [...newest.findings];
  const joined: string[] = [];
  let { bars, omitted } = newest.loaded;
  for (const source of earlier) {
    const name = printable(source.path);
    const older = loadSeries({ ...series, sources: [source] }, adjustment);
    const difference = older === null ? "it is being changed" : differenceOf(older.loaded.bars, bars);
    if (older === null || difference !== null) {
      sentences.push(`Earlier bars of ${name} are not used: ${difference}.`);
      continue;
    }
    const isFree = freeTimes(bars, sources);
    const added = filterBars(older.loaded.bars, isFree);
    if (added.time.length === 0) continue;
    const [from, to] = [added.time[0]!, added.time.at(-1)!].map((time) => barLabel(time, timeframe));
    sentences.push(`Those from ${from} to ${to} are of ${name}, whose newest common closes agree.`);
    findings.push(...older.findings, {
      file: name,
      note: `its ${timeframe} bars from ${from} to ${to} are used with those of ${namesOf(series)}`,
    });
    omitted = [...omitted, ...older.loaded.omitted.filter(({ time }) => isFree(time))];
    bars = inOrder(concatBars(bars, [added]));
    joined.push(source.path);
  }
  return { loaded: { bars, omitted, chosen: sentences.join(" ") }, findings, joined };
}

/** Returns a test for times before the newest file that no file of the series spans and no bar has. */
function freeTimes({ time }: Bars, sources: FileSeries["sources"]): (at: number) => boolean {
  const held = new Set(time);
  const newest = sources.at(-1)!;
  return (at) =>
    at < newest.first && !held.has(at) && !sources.some(({ first, last }) => first <= at && at <= last);
}

function filterBars(bars: Bars, isUsed: (time: number) => boolean): Bars {
  const used = bars.time.map((time) => Number(isUsed(time)));
  return mapColumns(bars, (column) => column.filter((_, i) => used[i] === 1));
}

function inOrder(bars: Bars): Bars {
  const order = Array.from(bars.time.keys()).sort((a, b) => bars.time[a]! - bars.time[b]!);
  return mapColumns(bars, (column) => Float64Array.from(order, (i) => column[i]!));
}
