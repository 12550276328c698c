import {
  type Adjustment,
  type Bars,
  barLabel,
  concatBars,
  mapColumns,
  sliceBars,
} from "../../domain/market/bars.ts";
import { countLeading } from "../../lib/count-leading.ts";
import { type FileSeries, formatEnd, namesOf } from "./choose.ts";
import { COMPARED_BARS, differenceOf } from "./fresher-bars.ts";
import { type FileNote, type LoadResult, loadSeries } from "./load.ts";
import { printable } from "./scan.ts";

/** Change of the price of a stock from bar to bar, as a share, from which it may be a split. */
const MAX_JUMP = 0.4;

/** A series with the earlier bars of older files, and the paths of those that give bars. */
export interface ExtendedSeries extends LoadResult {
  readonly joined: readonly string[];
}

/**
 * Reads a series and adds, from older files that overlap with it, the bars of times before its newest file that none of
 * its files spans, unless common closes differ, and of a stock only those after the last price change like a split. `chosen` says which file gives which bars. Null if a file
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
    const difference =
      older === null ? "it is being changed" : differenceAt(older.loaded.bars, bars, sources);
    if (older === null || difference !== null) {
      sentences.push(`Earlier bars of ${name} are not used: ${difference}.`);
      continue;
    }
    const isFree = freeTimes(bars, sources);
    const free = filterBars(older.loaded.bars, isFree);
    if (free.time.length === 0) continue;
    const cut = bars.zone === "UTC" ? 0 : countBeforeJump(free, bars);
    const added = sliceBars(free, cut);
    if (cut > 0)
      sentences.push(
        `The bars of ${name} to ${barLabel(free.time[cut - 1]!, timeframe)} are not used: the price after them differs by more than ${100 * MAX_JUMP} %, as at a split.`,
      );
    if (added.time.length === 0) continue;
    const [from, to] = [added.time[0]!, added.time.at(-1)!].map((time) => barLabel(time, timeframe));
    sentences.push(`Those from ${from} to ${to} are of ${name}, whose newest common closes agree.`);
    findings.push(...older.findings, {
      file: name,
      note: `its ${timeframe} bars from ${from} to ${to} are used with those of ${namesOf(series)}`,
    });
    const isUsed = (time: number) => time >= added.time[0]! && isFree(time);
    omitted = [...omitted, ...older.loaded.omitted.filter(({ time }) => isUsed(time))];
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

/** Returns why older bars may not be joined: they differ at the end, or at the beginning of the newest file. */
function differenceAt(older: Bars, bars: Bars, sources: FileSeries["sources"]): string | null {
  const begin = countLeading(bars.time.length, (i) => bars.time[i]! < sources.at(-1)!.first);
  const join = bars.time[Math.min(begin + COMPARED_BARS, bars.time.length) - 1]!;
  const before = countLeading(older.time.length, (i) => older.time[i]! <= join);
  return differenceOf(older, bars) ?? differenceOf(sliceBars(older, 0, before), bars);
}

/** Returns the number of bars before the last change of the price that may be a split, up to the bar that follows them. */
function countBeforeJump(added: Bars, bars: Bars): number {
  const next = countLeading(bars.time.length, (i) => bars.time[i]! <= added.time.at(-1)!);
  const closes = [...added.close, ...bars.close.subarray(next, next + 1)];
  return (
    1 +
    closes.findLastIndex((close, i) => {
      const change = (closes[i + 1] ?? close) / close;
      return change > 1 + MAX_JUMP || 1 / change > 1 + MAX_JUMP;
    })
  );
}

function filterBars(bars: Bars, isUsed: (time: number) => boolean): Bars {
  const used = bars.time.map((time) => Number(isUsed(time)));
  return mapColumns(bars, (column) => column.filter((_, i) => used[i] === 1));
}

function inOrder(bars: Bars): Bars {
  const order = Array.from(bars.time.keys()).sort((a, b) => bars.time[a]! - bars.time[b]!);
  return mapColumns(bars, (column) => Float64Array.from(order, (i) => column[i]!));
}
