import { type Bars, barLabel, concatBars, sliceBars } from "../../domain/market/bars.ts";
import { countLeading } from "../../lib/count-leading.ts";
import type { LoadedSeries } from "./load.ts";

/** Number of newest common bars whose closes are compared. */
export const COMPARED_BARS = 20;
/** Maximum difference between two closes of the same bar, as a share: the last hour misses the closing auction. */
const MAX_DIFFERENCE = 0.01;

/** Two series of the same timeframe: that of a file, and one built from the shorter bars of other files. */
export interface FresherBars {
  readonly file: LoadedSeries;
  readonly built: LoadedSeries;
  /** Names of the files. */
  readonly names: { readonly file: string; readonly built: string };
  /** Timeframe of the shorter bars. */
  readonly from: string;
}

/**
 * Continues the bars of a file with newer ones built from shorter bars. Prices of different adjustments are never
 * joined: unless the closes of the newest common bars agree within 1 %, the built series alone is returned. `chosen`
 * says which. Returns the file's bars if the built ones end no later.
 */
export function withFresherBars({ file, built, names, from }: FresherBars): LoadedSeries {
  const { timeframe } = file.bars;
  const last = file.bars.time.at(-1);
  const newer =
    last === undefined ? 0 : countLeading(built.bars.time.length, (i) => built.bars.time[i]! <= last);
  if (newer === built.bars.time.length) return file;
  const differs = differenceOf(file.bars, built.bars);
  const reason =
    last === undefined
      ? "it has no bars"
      : differs !== null && `it ends ${barLabel(last, timeframe)}, and ${differs}`;
  const made = `built from the ${from} bars of ${names.built}`;
  if (reason !== false)
    return { ...built, chosen: `The ${timeframe} bars are ${made}, not those of ${names.file}: ${reason}.` };
  const label = barLabel(last!, timeframe);
  const before = file.chosen === undefined ? "" : `${file.chosen} `;
  return {
    bars: concatBars(file.bars, [sliceBars(built.bars, newer)]),
    omitted: [...file.omitted, ...built.omitted.filter(({ time }) => time > last!)],
    chosen: `${before}The ${timeframe} bars after ${label} are ${made}; ${names.file} ends there.`,
  };
}

/** Returns why the bars of a file may not be joined with others; null if their newest common closes agree. */
export function differenceOf(file: Bars, other: Bars): string | null {
  const closes = new Map(Array.from(other.time, (time, i) => [time, other.close[i]!] as const));
  const common = Array.from(file.time.keys())
    .filter((i) => closes.has(file.time[i]!))
    .slice(-COMPARED_BARS);
  if (common.length === 0) return "no bar of both shows that their prices are adjusted alike";
  const differs = common.some(
    (i) => Math.abs(closes.get(file.time[i]!)! / file.close[i]! - 1) > MAX_DIFFERENCE,
  );
  return differs ? "its closes differ, as with another adjustment" : null;
}
