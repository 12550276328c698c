import type { Adjustment, Bars } from "../../domain/market/bars.ts";
import { barLabel, hasDateLabel, sliceBars } from "../../domain/market/bars.ts";
import { formatPrice } from "../../lib/format-price.ts";
import { isoDate } from "../../lib/iso-date.ts";
import { type SuspectedSplit, sessionDate, suspectedSplits } from "../backtest/splits.ts";

/** Adjustments that correct prices for splits. */
const CORRECTED: ReadonlySet<Adjustment> = new Set(["split", "total_return"]);

/** Returns true if prices before a split may be in other units than those after it. */
export const mayHaveSplits = ({ adjustment }: Pick<Bars, "adjustment">): boolean =>
  !CORRECTED.has(adjustment);

/**
 * Returns true if the bars from `start` (inclusive, default: the first) to `end` (exclusive, default: all) may contain
 * an unadjusted split, so that returns over them may be wrong.
 */
export const hasSplitFault = (bars: Bars, start = 0, end = bars.time.length): boolean =>
  mayHaveSplits(bars) && suspectedSplits(sliceBars(bars, start, end)).length > 0;

/** Returns why bars give no signal when they may contain an unadjusted split; null if there is no sign of one. */
export function splitFault(bars: Bars): string | null {
  const newest = newestSuspicion(bars);
  return newest === undefined ? null : describeFault(bars, newest);
}

/** Returns why bars with a suspected split give no signal, and what settles it. */
export function describeFault(bars: Bars, newest: SuspectedSplit): string {
  const { time, ratio } = newest;
  const date = isoDate(hasDateLabel(bars.timeframe) ? time : sessionDate(time, bars.zone));
  return `${describeSplit(bars, newest)}: possibly an unadjusted split. If it is one, add SYMBOL,${date},${ratio} to splits.csv in the folder of files; if the prices are adjusted, add SYMBOL,adjusted; if it was a real move, call declare_no_split with date ${date}. Otherwise there is a signal once the bars begin after it`;
}

/**
 * Returns the bars from the newest suspected split on if at least `minBars` of them remain: they are in one unit of
 * price. Returns all bars otherwise.
 */
export function afterSplits(bars: Bars, minBars: number): Bars {
  const index = newestSuspicion(bars)?.index ?? 0;
  return index > 0 && bars.time.length - index >= minBars ? sliceBars(bars, index) : bars;
}

/** Returns the newest suspected split of bars that may have some; undefined for none. */
export const newestSuspicion = (bars: Bars): SuspectedSplit | undefined =>
  mayHaveSplits(bars) ? suspectedSplits(bars).at(-1) : undefined;

/** Factors within which a change by 100 lies with an overnight move: that of cents or pence in place of dollars or pounds. */
const HUNDRED = { min: 80, max: 125 } as const;

/** Describes the price change of a suspected split, with the ratio or the change of unit that it resembles. */
export function describeSplit(bars: Bars, { index, ratio, time }: SuspectedSplit): string {
  const [before, after] = [bars.close[index - 1]!, bars.open[index]!];
  const verb = after < before ? "fell" : "rose";
  const factor = Math.max(before / after, after / before);
  const isUnit = factor >= HUNDRED.min && factor <= HUNDRED.max;
  const unit = isUnit ? ", or to a change of unit by 100 times, such as between dollars and cents" : "";
  return `The price ${verb} from ${formatPrice(before)} to ${formatPrice(after)} at the open of the bar of ${barLabel(time, bars.timeframe)}, close to ${ratio}${unit}`;
}
