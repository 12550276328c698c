import { posix } from "node:path";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import type { BarFile } from "./bar-file.ts";
import { printable, type SkippedFile } from "./scan.ts";

/** The files that contain one instrument's bars of one timeframe, in order of time. */
export interface FileSeries {
  readonly instrument: Instrument;
  readonly timeframe: ProviderTimeframe;
  readonly sources: readonly BarFile[];
}

/**
 * Chooses the files of each instrument and timeframe. `sources` are in order of preference. All files of a series come
 * from the folder of the first one, because files of other folders may be adjusted differently, and they do not overlap
 * in time. Other files of the same series are skipped with a reason.
 */
export function chooseSeries(sources: readonly BarFile[]): { series: FileSeries[]; skipped: SkippedFile[] } {
  const chosen = new Map<string, BarFile[]>();
  const skipped: SkippedFile[] = [];
  for (const source of sources) {
    const key = seriesKey(source.instrument.symbol, source.timeframe);
    const cached = chosen.get(key);
    const rival = cached?.find((other) => folderOf(other) !== folderOf(source) || overlap(other, source));
    if (cached === undefined) chosen.set(key, [source]);
    else if (rival === undefined) cached.push(source);
    else skipped.push({ file: printable(source.path), reason: conflictReason(source, rival) });
  }
  const series = [...chosen.values()].map((cached) => ({
    instrument: cached[0]!.instrument,
    timeframe: cached[0]!.timeframe,
    sources: cached.sort((a, b) => a.first - b.first),
  }));
  return { series, skipped };
}

export const seriesKey = (symbol: string, timeframe: ProviderTimeframe): string => `${symbol} ${timeframe}`;

function conflictReason(source: BarFile, rival: BarFile): string {
  const bars = `${source.timeframe} bars of ${source.instrument.symbol}`;
  const why =
    folderOf(source) === folderOf(rival) ? "overlap in time" : "are already taken from another folder";
  return `its ${bars} ${why}: ${printable(rival.path)} is used instead`;
}

const folderOf = ({ path }: BarFile): string => posix.dirname(path);
const overlap = (a: BarFile, b: BarFile): boolean => a.first <= b.last && b.first <= a.last;
