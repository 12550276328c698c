import { posix } from "node:path";
import type { ProviderTimeframe } from "../../domain/market/bars.ts";
import type { Instrument } from "../../domain/market/market.ts";
import { groupBy } from "../../lib/group-by.ts";
import type { BarFile } from "./bar-file.ts";
import { printable, type SkippedFile } from "./scan.ts";

/** The files that contain one instrument's bars of one timeframe, in order of time. */
export interface FileSeries {
  readonly instrument: Instrument;
  readonly timeframe: ProviderTimeframe;
  readonly sources: readonly BarFile[];
  /** Number of other files with such bars. */
  readonly others: number;
  /** Those of them that hold earlier bars and overlap with `sources`, the newest first. */
  readonly earlier: readonly BarFile[];
}

/** A file that is not used, or not all of it, with the reason. */
export interface SkippedSource extends SkippedFile {
  readonly source: BarFile;
}

/**
 * Chooses the files of each instrument and timeframe: the one with the newest bar by `now` (epoch ms), and those of its
 * folder that do not overlap with it in time, because files of other folders may be adjusted differently. Of files that
 * end alike, one named after a pair is preferred to one that could be a fund, then the one that begins first, then the
 * first of `sources`. Other files are skipped with a reason, which holds unless their earlier bars can be joined.
 */
export function chooseSeries(
  sources: readonly BarFile[],
  now = Number.POSITIVE_INFINITY,
): { series: FileSeries[]; skipped: SkippedSource[] } {
  const endOf = ({ last }: BarFile): number => Math.min(last, now);
  const newestFirst = sources.toSorted(
    (a, b) => endOf(b) - endOf(a) || Number(a.bare) - Number(b.bare) || a.first - b.first,
  );
  const chosen = new Map<string, BarFile[]>(sources.map((source) => [keyOf(source), []]));
  const skipped: SkippedSource[] = [];
  for (const source of newestFirst) {
    const key = keyOf(source);
    const used = chosen.get(key)!;
    const rival = used.find((other) => folderOf(other) !== folderOf(source) || overlap(other, source));
    if (rival === undefined) used.push(source);
    else skipped.push({ source, file: printable(source.path), reason: conflictReason(source, rival) });
  }
  const othersOf = groupBy(skipped, ({ source }) => keyOf(source));
  const series = [...chosen].map(([key, used]) => {
    const others = (othersOf.get(key) ?? []).map(({ source }) => source);
    return {
      instrument: used[0]!.instrument,
      timeframe: used[0]!.timeframe,
      others: others.length,
      earlier: others.filter(
        (other) => other.first < used[0]!.first && used.some((one) => overlap(one, other)),
      ),
      sources: used.sort((a, b) => a.first - b.first),
    };
  });
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

/** Returns the names of the files of a series. */
export const namesOf = ({ sources }: Pick<FileSeries, "sources">): string =>
  sources.map(({ path }) => printable(path)).join(", ");

const folderOf = ({ path }: BarFile): string => posix.dirname(path);
const overlap = (a: BarFile, b: BarFile): boolean => a.first <= b.last && b.first <= a.last;
