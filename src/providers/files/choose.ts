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
  /** Number of files with such bars that are not used. */
  readonly others: number;
}

/**
 * Chooses the files of each instrument and timeframe: the one with the newest bar by `now` (epoch ms), and those of its
 * folder that do not overlap with it in time, because files of other folders may be adjusted differently. Of files that
 * end alike, one named after a pair is preferred to one that could be a fund, then the one that begins first, then the
 * first of `sources`. Other files are skipped with a reason.
 */
export function chooseSeries(
  sources: readonly BarFile[],
  now = Number.POSITIVE_INFINITY,
): { series: FileSeries[]; skipped: SkippedFile[] } {
  const endOf = ({ last }: BarFile): number => Math.min(last, now);
  const newestFirst = sources.toSorted(
    (a, b) => endOf(b) - endOf(a) || Number(a.bare) - Number(b.bare) || a.first - b.first,
  );
  const chosen = new Map<string, BarFile[]>(sources.map((source) => [keyOf(source), []]));
  const others = new Map<string, number>();
  const skipped: SkippedFile[] = [];
  for (const source of newestFirst) {
    const key = keyOf(source);
    const used = chosen.get(key)!;
    const rival = used.find((other) => folderOf(other) !== folderOf(source) || overlap(other, source));
    if (rival === undefined) used.push(source);
    else {
      others.set(key, (others.get(key) ?? 0) + 1);
      skipped.push({ file: printable(source.path), reason: conflictReason(source, rival) });
    }
  }
  const series = [...chosen].map(([key, used]) => ({
    instrument: used[0]!.instrument,
    timeframe: used[0]!.timeframe,
    sources: used.sort((a, b) => a.first - b.first),
    others: others.get(key) ?? 0,
  }));
  return { series, skipped };
}

export const seriesKey = (symbol: string, timeframe: ProviderTimeframe): string => `${symbol} ${timeframe}`;
const keyOf = ({ instrument, timeframe }: BarFile): string => seriesKey(instrument.symbol, timeframe);

function conflictReason(source: BarFile, rival: BarFile): string {
  const bars = `${source.timeframe} bars of ${source.instrument.symbol}`;
  const isSameFolder = folderOf(source) === folderOf(rival);
  const why = isSameFolder ? "overlap in time" : "are already taken from another folder";
  const winner = `${printable(rival.path)}, which ends ${formatEnd(rival)}`;
  return `its ${bars} end ${formatEnd(source)} and ${why}: ${winner}, is used instead`;
}

/** Formats the last time in a file as written, without a midnight. */
export const formatEnd = ({ last }: Pick<BarFile, "last">): string =>
  new Date(last).toISOString().slice(0, 16).replace("T00:00", "").replace("T", " ");

const folderOf = ({ path }: BarFile): string => posix.dirname(path);
const overlap = (a: BarFile, b: BarFile): boolean => a.first <= b.last && b.first <= a.last;
